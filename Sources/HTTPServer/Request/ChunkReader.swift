// Takes a chunked body apart (RFC 9112 section 7.1), wherever its pieces are cut. Used by BodyReader. Strict: each line ends
// with CR LF, sizes are hexadecimal digits alone, extensions and trailers are bounded and left out.

struct ChunkReader {
    private enum Place {
        case size
        case `extension`
        case sizeEnd
        case content
        case contentEnd
        case contentLineFeed
        case trailer
        case trailerLineFeed
        case done
    }

    private var place = Place.size
    private var size = 0
    private var digits = 0
    /// Bytes of the present line that are not content: of a chunk's extension, of all trailers.
    private var around = 0
    private var lineIsEmpty = true

    static let mostAround = 4 << 10

    var isDone: Bool { place == .done }

    /// - Parameter take: called with content, which is a part of `bytes`.
    /// - Returns: how many bytes were used; fewer than all only at the end of the body.
    mutating func read(
        _ bytes: Slice<UnsafeRawBufferPointer>, _ take: (Slice<UnsafeRawBufferPointer>) throws(Refusal) -> Void
    ) throws(Refusal) -> Int {
        var at = unsafe bytes.startIndex
        while unsafe at < bytes.endIndex, place != .done {
            if place == .content {
                let end = unsafe min(bytes.endIndex, at + size)
                unsafe try take(bytes[at..<end])
                size -= end - at
                at = end
                if size == 0 { place = .contentEnd }
            } else {
                unsafe try read(bytes[at])
                at += 1
            }
        }
        return unsafe at - bytes.startIndex
    }

    private mutating func read(_ byte: UInt8) throws(Refusal) {
        switch place {
        case .size: try readSize(byte)
        case .extension:
            around += 1
            guard around <= ChunkReader.mostAround, byte == 0x0d || FieldBytes.isValue(byte) else { throw .invalidChunk }
            if byte == 0x0d { place = .sizeEnd }
        case .sizeEnd:
            guard byte == 0x0a else { throw .invalidChunk }
            place = size == 0 ? .trailer : .content
            (around, lineIsEmpty) = (0, true)
        case .contentEnd:
            guard byte == 0x0d else { throw .invalidChunk }
            place = .contentLineFeed
        case .contentLineFeed:
            guard byte == 0x0a else { throw .invalidChunk }
            (place, digits) = (.size, 0)
        case .trailer:
            around += 1
            guard around <= ChunkReader.mostAround, byte == 0x0d || FieldBytes.isValue(byte) else { throw .invalidChunk }
            if byte == 0x0d { place = .trailerLineFeed } else { lineIsEmpty = false }
        case .trailerLineFeed:
            guard byte == 0x0a else { throw .invalidChunk }
            place = lineIsEmpty ? .done : .trailer
            lineIsEmpty = true
        case .content, .done: break
        }
    }

    private mutating func readSize(_ byte: UInt8) throws(Refusal) {
        let value: UInt8
        switch byte {
        case 0x30...0x39: value = byte - 0x30
        case 0x41...0x46: value = byte - 0x37
        case 0x61...0x66: value = byte - 0x57
        case 0x0d, UInt8(ascii: ";"):
            guard digits > 0 else { throw .invalidChunk }
            (place, around) = (byte == 0x0d ? .sizeEnd : .extension, 0)
            return
        default: throw .invalidChunk
        }
        if digits == 0 { size = 0 }
        digits += 1
        // As for Content-Length: more than any body has.
        guard digits <= 15 else { throw .invalidChunk }
        size = size << 4 | Int(value)
    }
}
