// A text without what is left out or replaced where it becomes part of a sentence on one line - an error of a rule -, so that it is found
// there. Used by MaskedValues.

struct SentenceCore {
    /// UTF-8.
    private(set) var bytes: [UInt8] = []
    /// Something is left out that a sentence would not have shown as it is.
    private(set) var isLess = false
    private let whole: [UInt8]
    /// Of each byte, where it stands in the whole.
    private var places: [Int] = []

    init(_ text: String) {
        whole = Array(text.utf8)
        var place = 0
        for scalar in text.unicodeScalars {
            let count = UTF8.width(scalar)
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: isLess = true
            // What may stand in the place of those.
            case _ where scalar == " " || scalar == "?" || scalar == "·" || scalar == "\u{FFFD}": break
            default:
                bytes += whole[place..<place + count]
                places += place..<place + count
            }
            place += count
        }
    }

    /// nil: it is not in there.
    func replacing(_ core: [UInt8], by other: [UInt8]) -> [UInt8]? {
        guard !core.isEmpty, core.count <= bytes.count else { return nil }
        var result: [UInt8] = []
        var (start, copied) = (0, 0)
        while start + core.count <= bytes.count {
            guard bytes[start..<start + core.count].elementsEqual(core) else {
                start += 1
                continue
            }
            result += whole[copied..<places[start]] + other
            copied = places[start + core.count - 1] + 1
            start += core.count
        }
        return copied == 0 ? nil : result + whole[copied...]
    }
}
