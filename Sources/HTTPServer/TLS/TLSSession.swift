// One client's TLS: the handshake, and what is said on it afterwards. Owned by a connection's Wire, on the loop's thread; it never waits.
import CTLS

@safe final class TLSSession {
    enum Step {
        case done
        /// Again, when the client has sent, or taken, something.
        case waits
        case broken
    }

    private let session: OpaquePointer
    private(set) var isShaking = true
    /// What was tried goes on when the client takes bytes, whichever way it was about.
    private(set) var waitsToWrite = false
    /// Nothing more can be said or heard.
    private var isBroken = false
    private(set) var hasSaidEnd = false

    init(_ session: OpaquePointer) { unsafe self.session = session }

    deinit { unsafe tls_session_free(session) }

    func shake() -> Step {
        let answer = unsafe tls_handshake(session)
        waitsToWrite = answer == TLS_WAITS_TO_WRITE
        if answer == 1 {
            isShaking = false
            return .done
        }
        if answer != TLS_BROKEN { return .waits }
        isBroken = true
        return .broken
    }

    func take(_ room: UnsafeMutableRawBufferPointer) -> Wire.Outcome { unsafe outcome(tls_take(session, room.baseAddress, room.count)) }

    func send(_ bytes: UnsafeRawBufferPointer) -> Wire.Outcome {
        if unsafe bytes.isEmpty { return .count(0) }
        return unsafe outcome(tls_send(session, bytes.baseAddress, bytes.count))
    }

    private func outcome(_ count: Int) -> Wire.Outcome {
        waitsToWrite = false
        if count >= 0 { return .count(count) }
        if count == TLS_BROKEN {
            isBroken = true
            return .broken
        }
        waitsToWrite = count == TLS_WAITS_TO_WRITE
        return .later
    }

    /// Tells the client that this was all, so that it does not take the end for an attack.
    func sayEnd() {
        if hasSaidEnd || isShaking || isBroken { return }
        hasSaidEnd = true
        unsafe tls_say_end(session)
    }
}
