// One thing that the program can do: what help says of it, which flags it knows, and the function that does it.

struct Verb: Sendable {
    struct Example: Sendable {
        let command: String
        let meaning: String
    }

    let name: String
    /// One line for the list of verbs, no full stop.
    let summary: String
    /// What may follow the flags, as shown in the usage line: "[MESSAGE… | -]"; "" when nothing may.
    let operands: String
    /// Words that stand for an operand, offered by completions.
    var operandWords: @Sendable () -> [String] = { [] }
    /// Paragraphs of help, each one line; help wraps them.
    let details: [String]
    /// Its own flags, in the order of help; those of every verb are added by the parser.
    let flags: [Flag]
    /// The values of `--format` that this verb knows; the first one is the default.
    var formats: [OutputFormat] = [.human]
    let examples: [Example]
    let run: @Sendable (Arguments, Console) throws(CommandFault) -> ExitCode
}

enum OutputFormat: String, Sendable, CaseIterable {
    case human, json, ndjson, csv, html, tap, junit, github, sarif
}

/// What the program answers to the shell. Of several outcomes the highest counts.
enum ExitCode: Int32, Sendable, Comparable, CaseIterable {
    case done = 0
    /// The answer is "no": tests failed, a check found something.
    case no = 1
    case usage = 2
    case badInput = 3
    case rulesDoNotLoad = 4
    /// A rule failed; the decision was printed all the same.
    case ruleFailed = 5
    /// Something that has to be written to or asked cannot be reached.
    case unreachable = 6
    case internalFault = 70

    static func < (a: ExitCode, b: ExitCode) -> Bool { a.rawValue < b.rawValue }

    var meaning: String {
        switch self {
        case .done: "done"
        case .no: "the answer is no: tests failed, or something was found"
        case .usage: "the command line is wrong"
        case .badInput: "a message, a device or a state file cannot be read"
        case .rulesDoNotLoad: "the rules do not load"
        case .ruleFailed: "a rule failed; the decision is printed all the same"
        case .unreachable: "a store cannot be used, or a state file or the output cannot be written"
        case .internalFault: "a fault of rulehost itself"
        }
    }
}
