// Whether a reader would see anything of a text. Looks at UTF-8 as it is and makes nothing: GuardRun asks for every
// message that is shown.

enum BlankText {
    /// No bytes, or only spaces, line ends, non-breaking and zero-width spaces.
    static func isBlank(_ text: some Sequence<UInt8>) -> Bool {
        var bytes = text.makeIterator()
        while let first = bytes.next() {
            switch first {
            case 0x20, 0x09...0x0D: continue
            case 0xC2:
                guard let second = bytes.next(), second == 0xA0 || second == 0x85 else { return false }
            case 0xE2, 0xE3, 0xEF:
                guard let second = bytes.next(), let third = bytes.next(), isSpace(first, second, third) else { return false }
            default: return false
            }
        }
        return true
    }

    private static func isSpace(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Bool {
        switch (first, second, third) {
        case (0xE2, 0x80, 0x80...0x8F), (0xE2, 0x80, 0xA8), (0xE2, 0x80, 0xA9), (0xE2, 0x80, 0xAF): true
        case (0xE2, 0x81, 0x9F), (0xE2, 0x81, 0xA0): true
        case (0xE3, 0x80, 0x80), (0xEF, 0xBB, 0xBF): true
        default: false
        }
    }
}
