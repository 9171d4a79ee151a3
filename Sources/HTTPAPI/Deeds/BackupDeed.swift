// GET /v1/backup: a copy of the host's store as it is at one moment, looked through, as bytes. One at a time, made and sent by a thread of
// its own, because it takes as long as the disk does; the copy has no name by the time it is sent, so that nothing is left of it.
import EffectStore
import Glibc
import HTTPServer
import RuleHosting

/// Whether somebody makes a copy at this moment.
final class BackupDesk: Sendable {
    private let isBusy = Guarded(false)

    /// False: somebody does.
    func begin() -> Bool {
        isBusy.withLock { isBusy in
            defer { isBusy = true }
            return !isBusy
        }
    }

    func end() { isBusy.withLock { $0 = false } }
}

struct BackupDeed: RouteDeed, RequestTaking {
    let host: RuleHost
    let desk: BackupDesk

    func begin(_ head: RequestHead, _ exchange: Exchange) -> Intake { .whole(upTo: 0, self) }

    func take(_ request: Request) {
        let exchange = request.exchange
        guard let path = host.storePath else {
            return exchange.answer(
                Answer(
                    HostProblem(
                        code: EffectStoreFault.Code.missing.rawValue, status: 404, detail: "this host has no store: it keeps nothing",
                        hint: "serve --store sqlite:PATH keeps what apps remember")))
        }
        guard desk.begin() else { return exchange.answer(Answer(HostProblem.tooMany)) }
        let thread = HostThread.start { [desk] in
            defer { desk.end() }
            BackupDeed.send(path, to: exchange)
        }
        guard let thread else {
            desk.end()
            return exchange.answer(Answer(HostProblem.tooMany))
        }
        pthread_detach(thread)
    }

    private static func send(_ path: String, to exchange: Exchange) {
        let copy = "\(path).download"
        // Of a host that was killed meanwhile.
        unlink(copy)
        do throws(EffectStoreFault) {
            try Backup.make(of: path, to: copy)
        } catch {
            unlink(copy)
            return exchange.answer(
                Answer(HostProblem(code: error.code.rawValue, status: 503, detail: error.message, hint: error.hint, retryAfter: 5)))
        }
        let file = open(copy, O_RDONLY | O_CLOEXEC)
        unlink(copy)
        guard file >= 0 else { return exchange.answer(Answer(HostProblem.tooMany)) }
        defer { close(file) }
        BackupStream().send(file, to: exchange)
    }
}

/// The pieces of a copy on their way: as many as the client takes.
private final class BackupStream: ExchangeStream {
    private struct State {
        var isFull = false
        var isGone = false
    }

    private let state = Monitor(State())
    private static let piece = 128 << 10

    func send(_ file: Int32, to exchange: Exchange) {
        let answer = exchange.open(200, AnswerFields(contentType: "application/vnd.sqlite3"), self)
        var buffer = [UInt8](repeating: 0, count: BackupStream.piece)
        while true {
            let count = read(file, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            // A copy that is cut off is found out by whoever looks it through.
            if count <= 0 { return answer.end() }
            state.change { $0.isFull = true }
            if answer.send(Array(buffer[..<count])) { continue }
            let isGone = state.wait { state in state.isGone ? true : state.isFull ? nil : false }
            if isGone { return }
        }
    }

    func receive(_ bytes: [UInt8]) -> Bool { true }
    func received() {}
    func wanted() { state.change { $0.isFull = false } }
    func draining() {}
    func gone() { state.change { $0.isGone = true } }
}
