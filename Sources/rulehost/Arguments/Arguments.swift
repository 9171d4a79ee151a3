// The words of a command line after the parser has checked them against the flags: still text, but every flag is
// known, has a value where it needs one, and a word from its list where it has a list. Verbs turn this into their options.
import PushMessage

struct Arguments: Sendable {
    /// nil: none was named.
    var verb: Verb?
    var operands: [String] = []
    private var values: [String: [String]] = [:]

    mutating func add(_ value: String, of flag: Flag) {
        if flag.repeats {
            values[flag.name, default: []].append(value)
        } else {
            values[flag.name] = [value]
        }
    }

    func has(_ flag: Flag) -> Bool { values[flag.name] != nil }
    /// The value that counts: the last one given. For a flag without a value the empty text.
    subscript(_ flag: Flag) -> String? { values[flag.name]?.last }
    func all(_ flag: Flag) -> [String] { values[flag.name] ?? [] }

    /// The folder of the apps' folders.
    var rulesFolder: String { self[.rules] ?? "rules" }

    /// What `--format` says, or nil when it was left out.
    var chosenFormat: OutputFormat? { values["format"]?.last.flatMap(OutputFormat.init(rawValue:)) }
    var format: OutputFormat { chosenFormat ?? verb?.formats.first ?? .human }
    var isQuiet: Bool { has(.quiet) }

    /// A flag that holds a whole number.
    func integer(_ flag: Flag) throws(CommandFault) -> Int? {
        guard let text = self[flag] else { return nil }
        guard let number = Int(text) else {
            throw .invalidValue(flag: flag.name, value: text, expected: "a whole number", suggestion: nil)
        }
        return number
    }

    /// A flag that holds a moment.
    func instant(_ flag: Flag) throws(CommandFault) -> Instant? {
        guard let text = self[flag] else { return nil }
        guard let instant = Instant(text) else {
            throw .invalidValue(
                flag: flag.name, value: text, expected: "a date and time with zone, such as 2026-01-01T12:00:00Z", suggestion: nil)
        }
        return instant
    }
}
