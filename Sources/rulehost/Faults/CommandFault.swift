// Everything that can end a verb early, or that it reports beside its answer. The code is stable and has a page in
// docs/errors; the exit code follows from it. Texts of messages and devices never enter a fault, only places in them.
// FaultReport makes the words for people.

enum CommandFault: Error {
    case unknownVerb(String, suggestion: String?)
    case unknownFlag(String, verb: String?, suggestion: String?)
    case missingValue(flag: String, placeholder: String)
    case needlessValue(flag: String)
    case invalidValue(flag: String, value: String, expected: String, suggestion: String?)
    case unexpectedOperand(String, verb: String)
    case missingOperand(verb: String, operands: String)

    case unreadableFile(path: String, errno: Int32)
    case outputNotWritten(errno: Int32)
    case internalFault(String)

    var code: String {
        switch self {
        case .unknownVerb: "unknown_verb"
        case .unknownFlag: "unknown_flag"
        case .missingValue: "missing_value"
        case .needlessValue: "needless_value"
        case .invalidValue: "invalid_value"
        case .unexpectedOperand: "unexpected_operand"
        case .missingOperand: "missing_operand"
        case .unreadableFile: "unreadable_file"
        case .outputNotWritten: "output_not_written"
        case .internalFault: "internal_fault"
        }
    }

    var exitCode: ExitCode {
        switch self {
        case .unknownVerb, .unknownFlag, .missingValue, .needlessValue, .invalidValue, .unexpectedOperand, .missingOperand: .usage
        case .unreadableFile: .badInput
        case .outputNotWritten: .unreachable
        case .internalFault: .internalFault
        }
    }
}
