// Which line of a stream a problem is about. Whoever reads a line sees it alone, and tells of its first; for who has sent thousands that is no
// place. Used by LineOrder.

enum LineNumber {
    /// - Parameter body: of a problem, compact. A quote within a text is escaped, so these bytes are members.
    static func put(_ number: Int, into body: [UInt8]) -> [UInt8] {
        let faults = range(of: faults, in: body[...])?.lowerBound ?? body.count - 1
        let line = Array(",\"line\":\(number)".utf8)
        guard let old = range(of: first, in: body[..<faults]) else { return body[..<faults] + line + body[faults...] }
        return body[..<old.lowerBound] + line + body[old.upperBound...]
    }

    private static let first = Array(",\"line\":1".utf8)
    private static let faults = Array(",\"faults\":[".utf8)

    private static func range(of word: [UInt8], in bytes: ArraySlice<UInt8>) -> Range<Int>? {
        guard bytes.count >= word.count else { return nil }
        return (bytes.startIndex...bytes.endIndex - word.count).first { bytes[$0...].starts(with: word) }.map { $0..<$0 + word.count }
    }
}
