// Finds the end of a head among bytes that come piece by piece, looking at each byte once. Used by Connection for each request;
// does not know what the lines say, but refuses those that can be no head, so that nobody waits for more of them.
import Glibc

struct HeadScan {
    enum Outcome {
        case incomplete
        /// With the empty line at its end.
        case complete(length: Int)
        case refused(Refusal)
    }

    /// Everything before it is whole lines.
    private var lineStart = 0
    private var seen = 0
    private var lines = 0

    /// - Parameter bytes: all that has come of the head, the same as before and more.
    mutating func look(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        if lineStart == 0, let first = unsafe bytes.first, !FieldBytes.isToken(first) { return .refused(.malformedHead) }
        while seen < bytes.count {
            guard let end = unsafe bytes.firstLineFeed(from: seen) else {
                seen = bytes.count
                break
            }
            if end > HeadLimits.bytes { break }
            guard unsafe end > 0 && bytes[end - 1] == UInt8(ascii: "\r") else { return .refused(.bareLineFeed) }
            if end == lineStart + 1 { return .complete(length: end + 1) }
            if lines == 0, end > HeadLimits.target + HeadLimits.aroundTarget { return .refused(.targetTooLong) }
            lines += 1
            if lines > HeadLimits.fields + 1 { return .refused(.tooManyFields) }
            lineStart = end + 1
            seen = end + 1
        }
        if lines == 0, bytes.count > HeadLimits.target + HeadLimits.aroundTarget { return .refused(.targetTooLong) }
        return bytes.count > HeadLimits.bytes ? .refused(.headTooLarge) : .incomplete
    }
}

extension HeadLimits {
    /// The longest method, the version, and what stands between them.
    static let aroundTarget = 32
}

extension UnsafeRawBufferPointer {
    func firstLineFeed(from start: Int) -> Int? {
        guard start < count, let base = baseAddress, let found = unsafe memchr(base + start, 0x0a, count - start) else { return nil }
        return unsafe UnsafeRawPointer(found) - base
    }
}
