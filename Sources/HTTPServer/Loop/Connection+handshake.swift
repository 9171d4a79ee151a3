// The beginning of a connection that speaks TLS: no byte is looked at before it is done. Called by the loop when the client sends, or
// takes what it was told.
import Glibc

extension Connection {
    func shake() {
        guard let tls = wire.tls else { return }
        guard loop.mayShake() else { return waitForClient() }
        if !hasOpened {
            switch wire.opening() {
            case .tls: hasOpened = true
            case .later: return
            case .plain: return speakPlain()
            case .other: return failHandshake()
            }
        }
        switch tls.shake() {
        case .done: expect(.request)
        case .waits: waitForClient()
        case .broken: failHandshake()
        }
    }

    /// Reading is waited for anyhow.
    private func waitForClient() { if wire.waitsToWrite { armWriting() } }

    private func failHandshake() {
        loop.counts.handshakesFailedEver.count()
        close()
    }

    /// Whoever sends a request as it is gets an answer as it is, and nothing but this one.
    private func speakPlain() {
        loop.counts.handshakesFailedEver.count()
        wire.becomePlain()
        outgoing.wire = wire
        refuse(.plainHTTP)
        settleReading()
    }
}
