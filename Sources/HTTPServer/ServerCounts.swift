// What a server has done so far, for whoever watches it. Written by loops, read by any thread.
import Synchronization

/// Numbers since the server began, but for `open`.
public final class ServerCounts: Sendable {
    /// Connections that are there now.
    public var open: Int { openNow.load(ordering: .relaxed) }
    public var accepted: Int { acceptedEver.load(ordering: .relaxed) }
    public var requests: Int { requestsEver.load(ordering: .relaxed) }
    /// Requests that the server itself has answered with an error.
    public var refused: Int { refusedEver.load(ordering: .relaxed) }
    /// Connections that were ended because a client was slow.
    public var cut: Int { cutEver.load(ordering: .relaxed) }

    /// Of bodies that are collected and not complete at this moment.
    public var bodyBytes: Int { bodyBytesNow.load(ordering: .relaxed) }

    /// Connections that should have spoken TLS, and did not or could not.
    public var handshakesFailed: Int { handshakesFailedEver.load(ordering: .relaxed) }

    let openNow = Atomic(0)
    let acceptedEver = Atomic(0)
    let requestsEver = Atomic(0)
    let refusedEver = Atomic(0)
    let cutEver = Atomic(0)
    let handshakesFailedEver = Atomic(0)
    let bodyBytesNow = Atomic(0)
}

extension Atomic where Value == Int {
    func count(_ step: Int = 1) { wrappingAdd(step, ordering: .relaxed) }
}
