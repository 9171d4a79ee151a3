// One body, by its length or in chunks, whatever pieces it comes in. Used by Connection for one request at a time; knows
// nothing of who wants the content.

struct BodyReader {
    private enum Rest {
        case bytes(Int)
        case chunks(ChunkReader)
    }

    private var rest: Rest

    init(_ framing: BodyFraming) {
        rest =
            switch framing {
            case .none: .bytes(0)
            case .length(let count): .bytes(count)
            case .chunked: .chunks(ChunkReader())
            }
    }

    var isDone: Bool {
        switch rest {
        case .bytes(let count): count == 0
        case .chunks(let chunks): chunks.isDone
        }
    }

    /// - Returns: how many bytes were used; fewer than all only at the end of the body.
    mutating func read(
        _ bytes: Slice<UnsafeRawBufferPointer>, _ take: (Slice<UnsafeRawBufferPointer>) throws(Refusal) -> Void
    ) throws(Refusal) -> Int {
        switch rest {
        case .bytes(let left):
            let piece = unsafe bytes.prefix(left)
            unsafe try take(piece)
            rest = unsafe .bytes(left - piece.count)
            return unsafe piece.count
        case .chunks(var chunks):
            defer { rest = .chunks(chunks) }
            return unsafe try chunks.read(bytes, take)
        }
    }
}
