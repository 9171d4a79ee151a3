// The one layout of JSON that people write: two spaces a level, at most so many columns, what fits stays on its line.
// Only white space between tokens changes: numbers, texts and the order of keys stay to the byte. Laying out what is
// laid out changes nothing.

public enum JSONLayout {
    /// Columns of a line, if it can be broken.
    public static let columns = 100

    /// A document for people, with a newline at its end. The members of the outermost object, and the objects of an
    /// outermost list, stand on lines of their own.
    /// - Parameter json: one JSON value, checked; white space and a byte order mark may stand around it.
    public static func document(_ json: [UInt8], columns: Int = columns) -> [UInt8] {
        var layout = Layout(compact: compact(json), columns: columns)
        layout.write()
        return layout.out + [UInt8(ascii: "\n")]
    }

    /// A document on one line, without a newline.
    public static func line(_ json: [UInt8]) -> [UInt8] { compact(json) }

    /// On one line, with a space after each comma and each colon.
    public static func spaced(_ json: [UInt8]) -> [UInt8] {
        let json = compact(json)
        var out: [UInt8] = []
        out.reserveCapacity(json.count * 2)
        var place = 0
        while place < json.count {
            let byte = json[place]
            let end = byte == UInt8(ascii: "\"") ? endOfString(json, from: place) : place + 1
            out += json[place..<end]
            if byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":") { out.append(UInt8(ascii: " ")) }
            place = end
        }
        return out
    }

    /// Without white space between tokens.
    private static func compact(_ json: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(json.count)
        var place = json.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while place < json.count {
            switch json[place] {
            case UInt8(ascii: "\""):
                let end = endOfString(json, from: place)
                out += json[place..<end]
                place = end
            case 0x20, 0x09, 0x0A, 0x0D: place += 1
            default:
                out.append(json[place])
                place += 1
            }
        }
        return out
    }

    fileprivate static func endOfString(_ text: [UInt8], from start: Int) -> Int {
        var place = start + 1
        while place < text.count, text[place] != UInt8(ascii: "\"") {
            place += text[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(place + 1, text.count)
    }
}

private struct Layout {
    private let compact: [UInt8]
    private let columns: Int
    /// By the place of a container's beginning: where it ends, and how wide it is on one line.
    private var containers: [Int: (end: Int, width: Int)] = [:]
    private(set) var out: [UInt8] = []
    private var column = 0

    init(compact: [UInt8], columns: Int) {
        self.compact = compact
        self.columns = columns
        out.reserveCapacity(compact.count * 2)
        measure()
    }

    private mutating func measure() {
        var open: [(start: Int, width: Int)] = []
        var width = 0
        var place = 0
        while place < compact.count {
            switch compact[place] {
            case UInt8(ascii: "\""):
                let end = JSONLayout.endOfString(compact, from: place)
                width += self.width(of: compact[place..<end])
                place = end
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                open.append((place, width))
                width += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                width += 1
                if let begun = open.popLast() { containers[begun.start] = (place + 1, width - begun.width) }
            case UInt8(ascii: ","), UInt8(ascii: ":"): width += 2
            default: width += 1
            }
            place += 1
        }
    }

    /// Scalars, as far as UTF-8 tells.
    private func width(of bytes: ArraySlice<UInt8>) -> Int { bytes.count { $0 & 0xC0 != 0x80 } }

    /// Breaks containers from outside to inside. A stack, because a text may be nested deeply.
    mutating func write() {
        var depth = 0
        var place = 0
        while place < compact.count {
            let byte = compact[place]
            switch byte {
            case UInt8(ascii: "\""): place = copyString(from: place)
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                let (end, width) = containers[place] ?? (compact.count, 0)
                if isBroken(place, end, width, depth: depth) {
                    depth += 1
                    put(byte)
                    breakLine(depth)
                    place += 1
                } else {
                    copyLine(place..<end)
                    place = end
                }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                breakLine(depth)
                put(byte)
                place += 1
            case UInt8(ascii: ","):
                put(byte)
                breakLine(depth)
                place += 1
            case UInt8(ascii: ":"):
                put(byte)
                put(UInt8(ascii: " "))
                place += 1
            default:
                put(byte)
                place += 1
            }
        }
    }

    private func isBroken(_ place: Int, _ end: Int, _ width: Int, depth: Int) -> Bool {
        guard end > place + 2 else { return false }
        let isOutermost = depth == 0 && (compact[place] == UInt8(ascii: "{") || compact[place + 1] == UInt8(ascii: "{"))
        let isElement = depth == 1 && compact[place] == UInt8(ascii: "{") && compact[0] == UInt8(ascii: "[")
        // A comma may follow.
        return isOutermost || isElement || column + width + 1 > columns
    }

    private mutating func put(_ byte: UInt8) {
        out.append(byte)
        column += 1
    }

    private mutating func copyString(from place: Int) -> Int {
        let end = JSONLayout.endOfString(compact, from: place)
        out += compact[place..<end]
        column += width(of: compact[place..<end])
        return end
    }

    private mutating func copyLine(_ range: Range<Int>) {
        var place = range.lowerBound
        while place < range.upperBound {
            if compact[place] == UInt8(ascii: "\"") {
                place = copyString(from: place)
                continue
            }
            put(compact[place])
            if compact[place] == UInt8(ascii: ",") || compact[place] == UInt8(ascii: ":") { put(UInt8(ascii: " ")) }
            place += 1
        }
    }

    private mutating func breakLine(_ depth: Int) {
        out.append(UInt8(ascii: "\n"))
        column = max(0, depth) * 2
        out += repeatElement(UInt8(ascii: " "), count: column)
    }
}
