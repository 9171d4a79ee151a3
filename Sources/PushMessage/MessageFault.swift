// Why an input is no message at all. Everything milder is lint.

import JSONDocument

public struct MessageFault: Error, Sendable, Equatable {
    /// `not_an_object`, or the code with which JSON reading failed (`json_token`, `too_large`, …).
    public var code: String
    public var message: String
    public var hint: String
    /// Bytes from 0: the first one that cannot continue.
    public var offset: Int?
    /// From 1.
    public var line: Int?
    /// From 1, in Unicode scalars.
    public var column: Int?

    public init(code: String, message: String, hint: String, offset: Int? = nil, line: Int? = nil, column: Int? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
        self.offset = offset
        self.line = line
        self.column = column
    }
}

extension MessageFault {
    init(_ fault: JSONFault) {
        self.init(
            code: fault.code.rawValue, message: fault.message, hint: fault.hint, offset: fault.offset, line: fault.line,
            column: fault.column)
    }

    static let outOfMemory = MessageFault(JSONFault(code: .outOfMemory, offset: 0, line: 1, column: 1))

    /// JSON, but no object. White space may stand before the value.
    static func notAnObject(_ root: JSONValue, in text: JSONText) -> MessageFault {
        var line = 1
        var column = 1
        for byte in text.bytes.prefix(root.offset) where byte <= 0x20 {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else {
                column += 1
            }
        }
        return MessageFault(
            code: "not_an_object", message: "the message is \(root.kind.noun), not a JSON object",
            hint: "a message begins with { and ends with }", offset: root.offset, line: line, column: column)
    }
}
