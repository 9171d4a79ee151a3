// Lays compact JSON text out for people: two spaces a level, short lists of plain values on one line. Changes white
// space only.

public enum IndentedJSON {
    /// Lists and objects that hold no others stay on one line up to this many bytes.
    private static let lineLength = 72

    /// - Parameter compact: JSON text without white space between its tokens.
    public static func text(of compact: [UInt8], indentedBy indent: Int = 0) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(compact.count * 2)
        var depth = indent
        var place = 0
        while place < compact.count {
            let byte = compact[place]
            switch byte {
            case UInt8(ascii: "\""):
                let end = endOfString(compact, from: place)
                out += compact[place..<end]
                place = end
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                if let end = endOfLine(compact, from: place) {
                    out += spaced(compact[place..<end])
                    place = end
                    continue
                }
                depth += 1
                out.append(byte)
                breakLine(&out, depth)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                breakLine(&out, depth)
                out.append(byte)
            case UInt8(ascii: ","):
                out.append(byte)
                breakLine(&out, depth)
            case UInt8(ascii: ":"): out += [byte, UInt8(ascii: " ")]
            default: out.append(byte)
            }
            place += 1
        }
        return out
    }

    private static func breakLine(_ out: inout [UInt8], _ depth: Int) {
        out.append(UInt8(ascii: "\n"))
        out += repeatElement(UInt8(ascii: " "), count: max(0, depth) * 2)
    }

    private static func endOfString(_ text: [UInt8], from start: Int) -> Int {
        var place = start + 1
        while place < text.count, text[place] != UInt8(ascii: "\"") {
            place += text[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(place + 1, text.count)
    }

    /// Where the container that begins here ends, if it may stay on its line.
    private static func endOfLine(_ text: [UInt8], from start: Int) -> Int? {
        var place = start + 1
        while place < text.count, place - start < lineLength {
            switch text[place] {
            case UInt8(ascii: "\""): place = endOfString(text, from: place)
            case UInt8(ascii: "{"), UInt8(ascii: "["): return nil
            case UInt8(ascii: "}"), UInt8(ascii: "]"): return place + 1
            default: place += 1
            }
        }
        return nil
    }

    private static func spaced(_ line: ArraySlice<UInt8>) -> [UInt8] {
        let text = Array(line)
        var out: [UInt8] = []
        var place = 0
        while place < text.count {
            if text[place] == UInt8(ascii: "\"") {
                let end = endOfString(text, from: place)
                out += text[place..<end]
                place = end
                continue
            }
            out.append(text[place])
            if text[place] == UInt8(ascii: ",") || text[place] == UInt8(ascii: ":") { out.append(UInt8(ascii: " ")) }
            place += 1
        }
        return out
    }
}
