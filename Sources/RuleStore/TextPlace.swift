// Where a byte of a text stands, as people count.
public import JSONDocument

public struct TextPlace: Sendable, Hashable {
    /// From 1.
    public let line: Int
    /// From 1, in Unicode scalars.
    public let column: Int

    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    public init(of offset: Int, in text: [UInt8]) {
        self = TextPlace(line: 1, column: 1).behind(text.prefix(max(0, offset)))
    }

    /// Where somebody stands who was here, and has read on.
    func behind(_ bytes: ArraySlice<UInt8>) -> TextPlace {
        var (line, column) = (line, column)
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        return TextPlace(line: line, column: column)
    }

    /// Where a member's key stands: what is wrong with a key is shown there, not at its value.
    public init(ofKey member: JSONValue, in text: [UInt8]) {
        self.init(of: TextPlace.offset(ofKeyBefore: member.offset, in: text), in: text)
    }

    public init(of fault: StateFault, in text: [UInt8]) {
        self.init(of: fault.isOfKey ? TextPlace.offset(ofKeyBefore: fault.offset, in: text) : fault.offset, in: text)
    }

    /// The first byte of the key, its quote; the value's own where no key stands before it.
    static func offset(ofKeyBefore value: Int, in text: [UInt8]) -> Int {
        guard value > 0, value <= text.count else { return value }
        var place = value - 1
        while place > 0, text[place] <= 0x20 || text[place] == UInt8(ascii: ":") { place -= 1 }
        guard text[place] == UInt8(ascii: "\"") else { return value }
        place -= 1
        // A quote inside of the key stands behind an odd number of backslashes.
        while place >= 0 {
            if text[place] == UInt8(ascii: "\""), text[..<place].reversed().prefix(while: { $0 == UInt8(ascii: "\\") }).count % 2 == 0 {
                return place
            }
            place -= 1
        }
        return value
    }
}
