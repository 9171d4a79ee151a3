// Why a text is not one JSON value, and where. Holds no byte of the text itself: payloads do not belong in errors.
internal import CJSONDocument

public struct JSONFault: Error, Sendable, Equatable {
    public enum Code: String, Sendable, CaseIterable {
        case empty = "json_empty"
        case tooLarge = "too_large"
        case notUTF8 = "not_utf8"
        case token = "json_token"
        case string = "json_string"
        case escape = "json_escape"
        case number = "json_number"
        case depth = "json_depth"
        case trailing = "json_trailing"
        case unfinished = "json_unfinished"
        case outOfMemory = "out_of_memory"
    }

    public let code: Code
    /// The first byte that cannot continue the text, from 0; a byte order mark counts.
    public let offset: Int
    /// From 1.
    public let line: Int
    /// From 1, in Unicode scalars; a byte order mark does not count.
    public let column: Int

    public init(code: Code, offset: Int, line: Int, column: Int) {
        self.code = code
        self.offset = offset
        self.line = line
        self.column = column
    }

    init(_ fault: jd_fault) {
        self.init(
            code: Code(number: Int(fault.code)), offset: Int(fault.offset), line: Int(fault.line),
            column: Int(fault.column))
    }

    /// What is wrong, as one sentence without its end.
    public var message: String {
        switch code {
        case .empty: "there is no JSON here"
        case .tooLarge: "the text is longer than the \(offset) bytes allowed"
        case .notUTF8: "a byte here is not UTF-8"
        case .token: "this cannot stand here in JSON"
        case .string: "a control character stands unescaped in a text"
        case .escape: "this is not an escape that JSON knows"
        case .number: "this is not how JSON writes a number"
        case .depth: "values are nested too deeply"
        case .trailing: "something follows the end of the JSON value"
        case .unfinished: "the JSON ends too early"
        case .outOfMemory: "there is not enough memory to read the text"
        }
    }

    /// What to do about it.
    public var hint: String {
        switch code {
        case .empty: "give one JSON object"
        case .tooLarge: "send a smaller text or raise the limit"
        case .notUTF8: "save the text as UTF-8"
        case .token: "look for a missing or extra comma, quote or bracket just before this place"
        case .string: "write a line break as \\n, a tab as \\t, other control characters as \\u00XX"
        case .escape: "write a backslash as \\\\; the escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX"
        case .number: "write digits such as 0, -1, 2.5 or 1e9, or put the value in quotes"
        case .depth: "flatten the value"
        case .trailing: "give one JSON value; one a line where several are read"
        case .unfinished: "check that the text was not cut off and that every bracket and quote is closed"
        case .outOfMemory: "try again with a smaller text"
        }
    }
}

extension JSONFault.Code {
    init(number: Int) {
        switch number {
        case JD_FAULT_EMPTY: self = .empty
        case JD_FAULT_TOO_LARGE: self = .tooLarge
        case JD_FAULT_UTF8: self = .notUTF8
        case JD_FAULT_TOKEN: self = .token
        case JD_FAULT_STRING: self = .string
        case JD_FAULT_ESCAPE: self = .escape
        case JD_FAULT_NUMBER: self = .number
        case JD_FAULT_DEPTH: self = .depth
        case JD_FAULT_TRAILING: self = .trailing
        case JD_FAULT_UNFINISHED: self = .unfinished
        default: self = .outOfMemory
        }
    }
}
