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

    private let descriptor: Int32
    private var buffer: OpaquePointer?
    /// Since the connection was there.
    private var written = 0
    /// So much has to be written by the deadline.
    private(set) var mark = 0

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    var count: Int { unsafe buffer.map { unsafe evbuffer_get_length($0) } ?? 0 }

    var isEmpty: Bool { unsafe buffer == nil }

    /// Whether everything is gone that waited when the mark was set.
    var isMarkReached: Bool { written >= mark }

    mutating func setMark() { mark = written + count }

    mutating func send(_ bytes: [UInt8]) -> Outcome {
        var done = 0
        if isEmpty {
            let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno != EAGAIN, errno != EINTR { return .broken }
            done = max(0, count)
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
        let count = unsafe Glibc.send(descriptor, piece.iov_base, piece.iov_len, Int32(MSG_NOSIGNAL))
        if count > 0 { unsafe evbuffer_drain(buffer, count) }
        if count < 0 { return errno == EAGAIN || errno == EINTR ? .fine : .broken }
        written += Int(count)
        if unsafe evbuffer_get_length(buffer) == 0 { free() }
        return .fine
    }

    mutating func free() {
        if let buffer = unsafe buffer { unsafe evbuffer_free(buffer) }
        unsafe buffer = nil
    }
}
