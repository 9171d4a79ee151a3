// Bytes to a client and from it: as they are, or by TLS. Used by Connection and its Outgoing; nothing here waits. Closing the
// descriptor is the connection's.
import CEvent
import Glibc

struct Wire {
    enum Outcome {
        /// Of bytes that came or went; none came: the client says nothing more.
        case count(Int)
        /// Not now.
        case later
        /// The client is gone.
        case broken
    }

    let descriptor: Int32
    /// nil: bytes go as they are.
    private(set) var tls: TLSSession?

    /// What the first byte of a client that should speak TLS says it speaks.
    enum Opening { case tls, plain, other, later }

    init(_ descriptor: Int32, _ tls: TLSSession?) {
        self.descriptor = descriptor
        self.tls = tls
    }

    func receive(_ room: UnsafeMutableRawBufferPointer) -> Outcome {
        // After the farewell it is only waited for the client to go.
        if let tls, !tls.hasSaidEnd { return unsafe tls.take(room) }
        let count = unsafe recv(descriptor, room.baseAddress, room.count, 0)
        if count >= 0 { return .count(count) }
        return errno == EAGAIN || errno == EINTR ? .later : .broken
    }

    func send(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        if let tls { return unsafe tls.send(bytes) }
        let count = unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        if count >= 0 { return .count(count) }
        return errno == EAGAIN || errno == EINTR ? .later : .broken
    }

    // MARK: TLS

    var isShaking: Bool { tls?.isShaking ?? false }

    /// What was tried goes on when the client takes bytes.
    var waitsToWrite: Bool { tls?.waitsToWrite ?? false }

    /// Looks at the first byte, and leaves it there.
    func opening() -> Opening {
        var first: UInt8 = 0
        let count = unsafe recv(descriptor, &first, 1, Int32(MSG_PEEK))
        if count < 0, errno == EAGAIN || errno == EINTR { return .later }
        guard count == 1 else { return .other }
        // The type of a record with a handshake (RFC 8446, section 5.1); a method begins with a letter.
        return first == 0x16 ? .tls : (0x41...0x5a).contains(first) ? .plain : .other
    }

    /// What is said from now on can be read by anybody.
    mutating func becomePlain() { tls = nil }

    func sayEnd() { tls?.sayEnd() }
}
