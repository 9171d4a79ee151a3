// A flag, defined once: the parser, help, the completions and the manual page read the same definition.

struct Flag: Sendable {
    enum Value: Sendable {
        /// Takes none.
        case none
        case required(String, Kind)
        /// Only as `--flag=value`; the flag alone means the first choice.
        case optional(String, [String])
    }
    /// What a value is, for completions and for the check of fixed lists.
    enum Kind: Sendable, Equatable {
        case text, file, folder
        case oneOf([String])
    }

    /// Without the dashes.
    let name: String
    let value: Value
    /// Several may be given, and all count; of any other flag the last one does.
    let repeats: Bool
    /// One sentence, no full stop.
    let help: String

    init(_ name: String, _ value: Value, repeats: Bool = false, _ help: String) {
        self.name = name
        self.value = value
        self.repeats = repeats
        self.help = help
    }

    /// "--device FILE|JSON", as help shows it.
    var synopsis: String {
        switch value {
        case .none: "--\(name)"
        case .required(let placeholder, _): "--\(name) \(placeholder)"
        case .optional(let placeholder, _): "--\(name)[=\(placeholder)]"
        }
    }

    var choices: [String] {
        switch value {
        case .required(_, .oneOf(let words)), .optional(_, let words): words
        default: []
        }
    }
}
