// The fields of an answer as the bytes that go out, so that those of every day are put together once. Made by routes. A value
// cannot break out of its line.

/// Header fields, each with its end of line.
public struct AnswerFields: Sendable, Equatable {
    private(set) var bytes: [UInt8] = []

    public init() {}

    public init(contentType: StaticString) {
        self.init()
        add("Content-Type", "\(contentType)")
    }

    public static let json = AnswerFields(contentType: "application/json")
    public static let problem = AnswerFields(contentType: "application/problem+json")

    /// Bytes that no value may have become spaces.
    public mutating func add(_ name: StaticString, _ value: String) {
        bytes += "\(name): ".utf8
        for byte in value.utf8 { bytes.append(FieldBytes.isValue(byte) ? byte : 0x20) }
        bytes += [0x0d, 0x0a]
    }

    public func adding(_ name: StaticString, _ value: String) -> AnswerFields {
        var fields = self
        fields.add(name, value)
        return fields
    }
}
