// Lines of a stream, one at a time, in memory that does not grow with the stream: a line longer than the limit is
// handed out cut, one byte too long, so that reading it fails on its size; the rest of it is skipped.
import Glibc

struct LineReader {
    private let source: InputSource
    private let descriptor: Int32
    private let limit: Int
    private var buffer: [UInt8]
    private var start = 0
    private var end = 0
    private var isAtEnd = false
    /// Bytes taken from the stream so far.
    private(set) var position = 0
    /// Of the line handed out last, from 1.
    private(set) var number = 0
    /// Bytes of the line handed out last, also of what was cut off.
    private(set) var length = 0
    private static let step = 65_536
    /// Bytes of the whole stream when it is a file; nil for a pipe.
    let size: Int?

    init(_ source: InputSource, descriptor: Int32, limit: Int) {
        self.source = source
        self.descriptor = descriptor
        self.limit = limit
        // Behind a line that is too long there is room to read the rest of it in large steps.
        buffer = [UInt8](repeating: 0, count: limit + 2 + LineReader.step)
        var status = stat()
        size = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
    }

    /// The next line is not here yet: asking for it will wait for the writer.
    var mustWait: Bool { !isAtEnd && !buffer[start..<end].contains(0x0A) }

    /// Whether the stream is one document a line, judged by its first two lines that are not empty: the first is an
    /// object by itself and another object begins after it, or the first is none of JSON's beginnings and the second
    /// is an object. Reads no further than the buffer and takes nothing away.
    /// - Parameter expected: the caller was told so. Then only a document that is plainly laid out on several lines
    ///   says otherwise, and the first line is not held back until a second one is there.
    mutating func looksLikeLines(expected: Bool = false) throws(CommandFault) -> Bool {
        while true {
            let lines = buffer[start..<end].split(separator: 0x0A, omittingEmptySubsequences: true)
                .filter { line in line.contains { $0 > 0x20 } }
            let isWhole = lines.count > 1 || isAtEnd || buffer[start..<end].last == 0x0A
            if let first = lines.first, isWhole {
                if expected, LineReader.isObject(first) { return true }
                if lines.count > 1, expected || isAtEnd || lines.count > 2 || LineReader.begins(lines[1]) {
                    return expected ? !LineReader.continues(lines[1]) : LineReader.areObjects(first, lines[1])
                }
            }
            if isAtEnd || end == buffer.count { return expected && !lines.isEmpty }
            try fill()
        }
    }

    private static func areObjects(_ first: ArraySlice<UInt8>, _ second: ArraySlice<UInt8>) -> Bool {
        if isObject(first) { return begins(second) }
        return !begins(first) && isObject(second)
    }

    private static func begins(_ line: ArraySlice<UInt8>) -> Bool { line.first { $0 > 0x20 } == UInt8(ascii: "{") }

    /// A line that goes on with what the one before has begun.
    private static func continues(_ line: ArraySlice<UInt8>) -> Bool {
        guard let first = line.first else { return false }
        return first <= 0x20 || first == UInt8(ascii: "\"") || first == UInt8(ascii: "}") || first == UInt8(ascii: "]")
    }

    private static func isObject(_ line: ArraySlice<UInt8>) -> Bool {
        line.first { $0 > 0x20 } == UInt8(ascii: "{") && line.last { $0 > 0x20 } == UInt8(ascii: "}")
    }

    /// Everything that is left, but no more than the limit and one byte.
    mutating func rest() throws(CommandFault) -> [UInt8] {
        while !isAtEnd, end - start <= limit, end < buffer.count { try fill() }
        let bytes = Array(buffer[start..<min(end, start + limit + 1)])
        start = end
        return bytes
    }

    /// Calls `body` with the next line, without its end; false when there was none.
    mutating func next(_ body: (UnsafeRawBufferPointer) -> Void) throws(CommandFault) -> Bool {
        guard let line = try nextRange() else { return false }
        buffer.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[line])) }
        return true
    }

    private mutating func nextRange() throws(CommandFault) -> Range<Int>? {
        var searched = start
        while true {
            if let newline = buffer[searched..<end].firstIndex(of: 0x0A) {
                let line = trimmed(start..<newline)
                start = newline + 1
                number += 1
                length = newline - line.lowerBound
                return line.prefix(limit + 1)
            }
            searched = end
            if isAtEnd {
                guard start < end else { return nil }
                let line = start..<end
                start = end
                number += 1
                length = line.count
                return trimmed(line).prefix(limit + 1)
            }
            if end - start > limit {
                // Already too long: hand out what is there and skip to the end of the line.
                moveToFront()
                let line = start..<start + limit + 1
                number += 1
                try skipLine()
                return line
            }
            if end == buffer.count {
                searched -= start
                moveToFront()
            }
            try fill()
        }
    }

    private mutating func moveToFront() {
        guard start > 0 else { return }
        buffer.withUnsafeMutableBytes { bytes in
            if let first = bytes.baseAddress { first.copyMemory(from: first + start, byteCount: end - start) }
        }
        end -= start
        start = 0
    }

    private func trimmed(_ line: Range<Int>) -> Range<Int> {
        !line.isEmpty && buffer[line.upperBound - 1] == 0x0D ? line.lowerBound..<line.upperBound - 1 : line
    }

    /// Moves past the next newline without touching the bytes before it, which are being handed out.
    private mutating func skipLine() throws(CommandFault) {
        let kept = start + limit + 1
        var from = kept
        length = limit + 1
        while true {
            if let newline = buffer[from..<end].firstIndex(of: 0x0A) {
                length &+= newline - kept
                start = newline + 1
                return
            }
            length &+= end - kept
            if isAtEnd {
                start = end
                return
            }
            end = kept
            from = kept
            try fill()
        }
    }

    private mutating func fill() throws(CommandFault) {
        while true {
            let room = buffer.count - end
            let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress! + end, room) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .unreadableFile(path: source.name, errno: errno) }
            isAtEnd = count == 0
            end += count
            position += count
            return
        }
    }
}
