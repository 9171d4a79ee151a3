// How many columns of a terminal a text takes: two for wide East Asian letters and emoji, none for marks that sit on
// their neighbour, one for the rest. Ranges after Unicode's EastAsianWidth.txt (W and F) and emoji presentation.

enum TextWidth {
    static func of(_ text: some StringProtocol) -> Int {
        plain(text) ?? text.reduce(0) { $0 + of($1) }
    }

    /// Most text is ASCII and frames (U+2500 to U+25BF), where every scalar is a column and none joins another.
    private static func plain(_ text: some StringProtocol) -> Int? {
        var columns = 0
        // Of a frame's scalar the second and third byte are still to come.
        var left = 0
        for byte in text.utf8 {
            switch (left, byte) {
            case (0, 0x20..<0x7F): columns += 1
            case (0, 0xE2): left = 2
            case (2, 0x94...0x96): left = 1
            case (1, _):
                left = 0
                columns += 1
            default: return nil
            }
        }
        return columns
    }

    static func of(_ character: Character) -> Int {
        var width = 0
        for scalar in character.unicodeScalars {
            if scalar.value == 0xFE0F { return 2 }
            width = max(width, of(scalar))
        }
        return width
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if value < 0x300 { return value < 0x20 || (0x7F..<0xA0).contains(value) || value == 0xAD ? 0 : 1 }
        if isWide(value) { return 2 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control, .surrogate: return 0
        default: return 1
        }
    }

    private static func isWide(_ value: UInt32) -> Bool {
        guard value >= 0x1100 else { return false }
        var low = 0
        var high = wide.count - 1
        while low <= high {
            let middle = (low + high) / 2
            if value < wide[middle].lowerBound {
                high = middle - 1
            } else if value > wide[middle].upperBound {
                low = middle + 1
            } else {
                return true
            }
        }
        return false
    }

    /// As much of the beginning as fits.
    static func prefix(_ text: String, columns: Int) -> String {
        var left = columns
        var end = text.startIndex
        while end < text.endIndex {
            left -= of(text[end])
            if left < 0 { break }
            end = text.index(after: end)
        }
        return String(text[..<end])
    }

    /// As much of the end as fits.
    static func suffix(_ text: String, columns: Int) -> String {
        var left = columns
        var start = text.endIndex
        while start > text.startIndex {
            let before = text.index(before: start)
            left -= of(text[before])
            if left < 0 { break }
            start = before
        }
        return String(text[start...])
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x23F0...0x23F0, 0x23F3...0x23F3,
        0x25FD...0x25FE, 0x2614...0x2615, 0x2630...0x2637, 0x2648...0x2653, 0x267F...0x267F, 0x268A...0x268F,
        0x2693...0x2693, 0x26A1...0x26A1, 0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5, 0x26CE...0x26CE,
        0x26D4...0x26D4, 0x26EA...0x26EA, 0x26F2...0x26F3, 0x26F5...0x26F5, 0x26FA...0x26FA, 0x26FD...0x26FD,
        0x2705...0x2705, 0x270A...0x270B, 0x2728...0x2728, 0x274C...0x274C, 0x274E...0x274E, 0x2753...0x2755,
        0x2757...0x2757, 0x2795...0x2797, 0x27B0...0x27B0, 0x27BF...0x27BF, 0x2B1B...0x2B1C, 0x2B50...0x2B50,
        0x2B55...0x2B55, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4DC0...0x9FFF, 0xA000...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1D300...0x1D376, 0x1F004...0x1F004,
        0x1F0CF...0x1F0CF, 0x1F18E...0x1F18E, 0x1F191...0x1F19A, 0x1F1E6...0x1F1FF, 0x1F200...0x1F320,
        0x1F32D...0x1F335, 0x1F337...0x1F37C, 0x1F37E...0x1F393, 0x1F3A0...0x1F3CA, 0x1F3CF...0x1F3D3,
        0x1F3E0...0x1F3F0, 0x1F3F4...0x1F3F4, 0x1F3F8...0x1F43E, 0x1F440...0x1F440, 0x1F442...0x1F4FC,
        0x1F4FF...0x1F53D, 0x1F54B...0x1F54E, 0x1F550...0x1F567, 0x1F57A...0x1F57A, 0x1F595...0x1F596,
        0x1F5A4...0x1F5A4, 0x1F5FB...0x1F64F, 0x1F680...0x1F6C5, 0x1F6CC...0x1F6CC, 0x1F6D0...0x1F6D2,
        0x1F6D5...0x1F6D7, 0x1F6DC...0x1F6DF, 0x1F6EB...0x1F6EC, 0x1F6F4...0x1F6FC, 0x1F7E0...0x1F7EB,
        0x1F7F0...0x1F7F0, 0x1F90C...0x1F93A, 0x1F93C...0x1F945, 0x1F947...0x1F9FF, 0x1FA70...0x1FAFF,
        0x20000...0x3FFFD,
    ]
}

extension String {
    /// The text with everything that would move the cursor or change the terminal shown as a dot.
    var printable: String {
        if utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return self }
        var text = ""
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: text += "·"
            case .format where scalar.value != 0x200D && !(0xE0020...0xE007F).contains(scalar.value): continue
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// The same, but line breaks stay.
    var printableLines: String {
        split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { String($0).printable }
            .joined(separator: "\n")
    }
}
