// What a client has not taken yet. Bytes go straight to the system; only what it does not take is kept, in a buffer of
// libevent that exists while it is needed. Belongs to one connection.
import CEvent
import Glibc

@safe struct Outgoing {
    enum Outcome {
        case fine
        /// The client is gone.
        case broken
    }

    var wire: Wire
    private var buffer: OpaquePointer?
    /// Since the connection was there.
    private var written = 0
    /// So much has to be written by the deadline.
    private(set) var mark = 0

    init(_ wire: Wire) { self.wire = wire }

    var count: Int { unsafe buffer.map { unsafe evbuffer_get_length($0) } ?? 0 }

    var isEmpty: Bool { unsafe buffer == nil }

    /// Whether as much is gone as had to go.
    var isMarkReached: Bool { written >= mark }

    /// A client may take long for much, if it takes steadily.
    mutating func setMark() { mark = written + min(count, Outgoing.stretch) }

    /// Bytes that have to go in the time that there is for writing.
    private static let stretch = 256 << 10

    mutating func send(_ bytes: [UInt8]) -> Outcome {
        var done = 0
        if isEmpty {
            switch unsafe bytes.withUnsafeBytes({ unsafe wire.send($0) }) {
            case .count(let count): done = count
            case .later: break
            case .broken: return .broken
            }
            written += done
            if done == bytes.count { return .fine }
            unsafe buffer = evbuffer_new()
        }
        guard let buffer = unsafe buffer else { return .broken }
        let isKept = unsafe bytes.withUnsafeBytes {
            unsafe evbuffer_add(buffer, $0.baseAddress.map { unsafe $0 + done }, $0.count - done) == 0
        }
        return isKept ? .fine : .broken
    }

    /// The system takes bytes again.
    mutating func write() -> Outcome {
        guard let buffer = unsafe buffer else { return .fine }
        // Not evbuffer_write: a client that has gone would end the process by a signal, which is not this room's to ignore.
        var piece = unsafe iovec()
        guard unsafe evbuffer_peek(buffer, -1, nil, &piece, 1) > 0 else { return .fine }
        switch unsafe wire.send(UnsafeRawBufferPointer(start: piece.iov_base, count: piece.iov_len)) {
        case .count(let count):
            unsafe evbuffer_drain(buffer, count)
            written += count
        case .later: return .fine
        case .broken: return .broken
        }
        if unsafe evbuffer_get_length(buffer) == 0 { free() }
        return .fine
    }

    mutating func free() {
        if let buffer = unsafe buffer { unsafe evbuffer_free(buffer) }
        unsafe buffer = nil
    }
}
