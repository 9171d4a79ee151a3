// The messages of one source, one after the other: a whole document, or one document a line.
import PushMessage

struct MessageStream {
    /// Bytes of one message; whatever is longer is refused.
    static let limit = 65_536

    let source: InputSource
    /// One document a line.
    let isLines: Bool
    private var reader: LineReader?
    private var whole: [UInt8]?
    private let descriptor: Int32?

    /// - Parameter asLines: one document a line is expected.
    init(_ source: InputSource, asLines: Bool) throws(CommandFault) {
        self.source = source
        descriptor = try source.open()
        guard let descriptor else {
            isLines = false
            whole = try source.bytes(limit: MessageStream.limit)
            return
        }
        var reader = LineReader(source, descriptor: descriptor, limit: MessageStream.limit)
        var isLines = source.isNamedAsLines
        if !isLines, asLines || source == .standardInput { isLines = try reader.looksLikeLines(expected: asLines) }
        self.isLines = isLines
        if !isLines { whole = try reader.rest() }
        self.reader = reader
    }

    func close() {
        if let descriptor { source.close(descriptor) }
    }

    /// How far the source has been read, as bytes of its size; nil when the size is not known.
    var progress: (done: Int, of: Int)? {
        guard let reader, let size = reader.size, size > 0 else { return nil }
        return (min(reader.position, size), size)
    }

    /// Bytes of the message handed out last, also of what was cut off; nil when that was not read.
    var size: Int? {
        if isLines { return reader?.length }
        if case .text(let text, _) = source { return text.utf8.count }
        return reader?.size
    }

    /// Asking for the next message will wait for whoever writes.
    var mustWait: Bool { isLines && reader?.mustWait == true }

    /// Calls `body` with the bytes of the next message and the line they stand on; false when there was none.
    mutating func next(_ body: (UnsafeRawBufferPointer, Int) -> Void) throws(CommandFault) -> Bool {
        guard isLines else {
            guard let bytes = whole else { return false }
            whole = nil
            bytes.withUnsafeBytes { body($0, 1) }
            return true
        }
        var found = false
        while !found, reader != nil {
            let number = (reader?.number ?? 0) + 1
            let more = try reader?.next { line in
                // Empty lines are no messages.
                guard line.contains(where: { $0 > 0x20 }) else { return }
                found = true
                body(line, number)
            }
            if more != true { return false }
        }
        return found
    }
}
