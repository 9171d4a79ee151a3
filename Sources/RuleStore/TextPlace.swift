// Where a byte of a text stands, as people count.

public struct TextPlace: Sendable, Equatable {
    /// From 1.
    public let line: Int
    /// From 1, in Unicode scalars.
    public let column: Int

    public init(of offset: Int, in text: [UInt8]) {
        var line = 1
        var column = 1
        for byte in text.prefix(max(0, offset)) {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        self.line = line
        self.column = column
    }
}
