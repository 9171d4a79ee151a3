// What is a link: looked at eight bytes at a time, it is the same as byte by byte.
import JSONDocument
import Testing

@testable import PushMessage

struct LinkSyntaxTests {
    private func isValid(_ bytes: [UInt8]) -> Bool { bytes.withText { LinkSyntax.isValid($0) } }

    @Test("A byte that no link has is found wherever it stands, and any other is none", arguments: [9, 16, 17, 31, 32, 33])
    func everyPlace(length: Int) {
        for place in 2..<length {
            for byte in UInt8(0)...255 {
                var link = Array("a:".utf8) + [UInt8](repeating: 0x78, count: length - 2)
                link[place] = byte
                // Two bytes of UTF-8 are one character; it begins there.
                if byte == 0xC2 { link.append(0xA1) }
                let isNone = byte <= 0x20 || byte == 0x7F || byte == 0x7B || byte == 0x7D || byte == 0x5C
                let isSpace = byte == 0xC2 && link[place + 1] <= 0xA0
                #expect(isValid(link) == !(isNone || isSpace), "\(byte) at \(place) of \(length)")
            }
        }
    }

    @Test("Beside others that are none either", arguments: ["https://example.com/ü?q=~|x", "app://chat/room-8812"])
    func others(_ link: String) {
        #expect(isValid(Array(link.utf8)))
        for bad in ["\u{7f}", " ", "{", "}", "\\", "\u{a0}", "\u{80}"] {
            for place in 8...link.count {
                var text = link
                text.insert(contentsOf: bad, at: text.index(text.startIndex, offsetBy: place))
                #expect(!isValid(Array(text.utf8)), "\(text)")
            }
        }
    }
}
