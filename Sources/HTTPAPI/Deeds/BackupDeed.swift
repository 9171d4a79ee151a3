// GET /v1/backup: a copy of the host's store as it is at one moment, looked through, as bytes. One at a time, made and sent by a thread of
// its own, because it takes as long as the disk does; the copy has no name by the time it is sent, so that nothing is left of it.
import EffectStore
import Glibc
import HTTPServer
import RuleHosting

struct BackupDeed: RouteDeed, RequestTaking {
    let host: RuleHost
    let thread: LoneThread

    func begin(_ head: RequestHead, _ exchange: Exchange) -> Intake { .bodiless(self) }

    func take(_ request: Request) {
        let exchange = request.exchange
        guard let path = host.storePath else {
            return exchange.answer(
                Answer(
                    HostProblem(
                        code: EffectStoreFault.Code.missing.rawValue, status: 404, detail: "this host has no store: it keeps nothing",
                        hint: "serve --store sqlite:PATH keeps what apps remember")))
        }
        if !thread.begin({ BackupDeed.send(path, to: exchange) }) { exchange.answer(Answer(HostProblem.tooMany)) }
    }

    /// - Returns: the end of the answer.
    private static func send(_ path: String, to exchange: Exchange) -> @Sendable () -> Void {
        let copy = Backup.download(of: path)
        // Of a host that was killed meanwhile.
        unlink(copy)
        do throws(EffectStoreFault) {
            try Backup.make(of: path, to: copy)
        } catch {
            unlink(copy)
            let problem = HostProblem(code: error.code.rawValue, status: 503, detail: error.message, hint: error.hint, retryAfter: 5)
            return { exchange.answer(Answer(problem)) }
        }
        let file = open(copy, O_RDONLY | O_CLOEXEC)
        let code = errno
        unlink(copy)
        guard file >= 0 else {
            let words = String(cString: strerror(code))
            let problem = HostProblem(
                code: EffectStoreFault.Code.backupNotWritten.rawValue, status: 503, detail: "the copy cannot be read: \(words)",
                hint: "try again in a moment", retryAfter: 5)
            return { exchange.answer(Answer(problem)) }
        }
        defer { close(file) }
        return BackupStream().send(file, to: exchange)
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

    func send(_ file: Int32, to exchange: Exchange) -> @Sendable () -> Void {
        let answer = exchange.open(200, AnswerFields(contentType: "application/vnd.sqlite3"), self)
        var buffer = [UInt8](repeating: 0, count: BackupStream.piece)
        while true {
            let count = read(file, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count < 0 { return { answer.breakOff() } }
            if count == 0 { return { answer.end() } }
            state.change { $0.isFull = true }
            if answer.send(Array(buffer[..<count])) { continue }
            let isGone = state.wait { state in state.isGone ? true : state.isFull ? nil : false }
            if isGone { return {} }
        }
    }

    func wanted() { state.change { $0.isFull = false } }
    func gone() { state.change { $0.isGone = true } }
}
