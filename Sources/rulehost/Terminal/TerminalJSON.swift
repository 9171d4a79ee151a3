// JSON for a terminal: the same value, with what would move the cursor, change the terminal or turn the reading direction written as
// an escape. JSON has such characters in texts and keys only, and the control characters below the space never. Called by Console
// when its output is a terminal; a file or a pipe gets the bytes as they are.

enum TerminalJSON {
    static func text(of bytes: [UInt8]) -> [UInt8] {
        if bytes.allSatisfy({ $0 < 0x7F }) { return bytes }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            if isObeyed(scalar) {
                for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter { append(unit, to: &text) }
            } else {
                text.append(contentsOf: String(scalar).utf8)
            }
        }
        return text
    }

    private static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x7F else { return false }
        return switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        // The joiner and the tags are parts of pictures.
        case .format: scalar.value != 0x200D && !(0xE0020...0xE007F).contains(scalar.value)
        default: false
        }
    }

    private static func append(_ unit: UInt16, to text: inout [UInt8]) {
        text.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "u")])
        for shift in [12, 8, 4, 0] { text.append(Array("0123456789abcdef".utf8)[Int(unit >> UInt16(shift) & 15)]) }
    }
}
