// What parent and child say to each other: frames of a length, a kind and a content. One side asks, the other answers;
// nobody speaks out of turn.
import RuleEngine

/// 32 bits of length (of what follows the kind), 8 bits of kind, little-endian. The same program is at both ends, so
/// there are no versions.
enum Frame {
    static let header = 5
    /// Bytes of the content, from the parent: a batch of questions. More is no frame.
    static let longestQuestion = 256 << 20
    /// From the child: one answer.
    static let longestAnswer = Evaluation.longestCrossing + 4

    enum Kind: UInt8 {
        // From the parent.
        /// 32 bits of slot, an app (`AppCrossing`).
        case load = 1
        /// 32 bits each of slot, number and the first question's ordinal, then each question with 32 bits of length in front.
        case ask = 2
        /// 32 bits of slot: what was loaded there is not asked any more.
        case drop = 3
        /// The bytes of a zone's file, in answer to `zoneWanted`; empty: there is none.
        case zone = 4

        // From the child.
        /// It has shut itself in. Nothing is sent to it before.
        case sealed = 16
        /// `AppCrossing.outline`
        case loaded = 17
        /// `AppCrossing.bytes(of: faults)`
        case failed = 18
        /// 32 bits of the question's ordinal, one evaluation (`Evaluation.crossing`), in the order of the questions.
        case answer = 19
        /// The name of a zone, "" for the list of names.
        case zoneWanted = 20
    }

    static func append(_ kind: Kind, to bytes: inout [UInt8], _ content: (inout [UInt8]) -> Void) {
        let start = bytes.count
        bytes.append(contentsOf: [0, 0, 0, 0, kind.rawValue])
        content(&bytes)
        let length = UInt32(clamping: bytes.count - start - header)
        withUnsafeBytes(of: length.littleEndian) { bytes.replaceSubrange(start..<(start + 4), with: $0) }
    }

    /// The first 32 bits of a content; nil: there are fewer.
    static func number(_ content: [UInt8]) -> UInt32? {
        guard content.count >= 4 else { return nil }
        return content.withUnsafeBytes { UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self)) }
    }

    static func append(_ number: UInt32, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
}

/// Puts frames together from the pieces in which they come.
struct FrameBuffer {
    private var bytes = [UInt8](repeating: 0, count: 1 << 16)
    private var start = 0
    private var end = 0
    let longest: Int

    init(longest: Int) { self.longest = longest }

    var isEmpty: Bool { start == end }

    /// - Parameter fill: is given room and answers how many bytes it has put there; 0 or less is passed on.
    mutating func fill(_ fill: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
        if start == end {
            (start, end) = (0, 0)
        } else if end == bytes.count {
            if start > 0 {
                bytes.removeSubrange(0..<start)
                (start, end) = (0, end - start)
            }
            let wanted = max(1 << 16, Frame.header + (length ?? 0))
            bytes += [UInt8](repeating: 0, count: max(wanted - bytes.count, bytes.count / 2))
        }
        let place = end
        let count = bytes.withUnsafeMutableBytes { fill(UnsafeMutableRawBufferPointer(rebasing: $0[place...])) }
        if count > 0 { end += count }
        return count
    }

    /// Of the next frame's content; nil: its header is not here yet.
    private var length: Int? {
        guard end - start >= Frame.header else { return nil }
        return bytes.withUnsafeBytes { Int(UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: start, as: UInt32.self))) }
    }

    /// The next frame, once it is whole.
    mutating func next() throws(CrossingFault) -> (kind: Frame.Kind, content: [UInt8])? {
        guard let length else { return nil }
        guard length <= longest else { throw CrossingFault("a frame of at most \(longest) bytes") }
        guard let kind = Frame.Kind(rawValue: bytes[start + 4]) else { throw CrossingFault("a kind of frame") }
        guard end - start >= Frame.header + length else { return nil }
        let content = start + Frame.header
        start = content + length
        return (kind, Array(bytes[content..<start]))
    }
}
