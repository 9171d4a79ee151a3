// GET /v1/apps/{app}/events: what happens to an app, told to whoever listens, for as long as he does. The host tells the hall, the
// hall tells its listeners; who does not keep up is sent away.
import HTTPServer
import JSONDocument
import PushMessage
import RuleHosting

struct EventsDeed: RouteDeed, RequestTaking {
    let host: RuleHost
    let clerk: Clerk
    let hall: EventHall
    /// Decisions are told as the log gets them, masked as they are there.
    let isLogged: Bool

    static let query = [QueryParameter(name: "decisions", kind: .flag, summary: "Tell of decisions too, as far as they are logged")]

    func begin(_ head: RequestHead, _ exchange: Exchange) -> Intake { .whole(upTo: 0, self) }

    func take(_ request: Request) {
        clerk.perform(for: request) {
            let app = request.head.path[2]
            do throws(HostProblem) {
                try host.check(app)
                let wantsDecisions = request.head.has("decisions")
                guard isLogged || !wantsDecisions else { throw DecisionsDeed.notLogged }
                // Who asks for the head alone does not listen.
                if request.head.method == .head { return request.exchange.answer(Answer(status: 200, EventHall.fields)) }
                hall.enter(request.exchange, app: app, wantsDecisions: wantsDecisions)
            } catch {
                request.exchange.answer(Answer(error))
            }
        }
    }
}

/// All who listen, by app.
final class EventHall: HostListening {
    private let listeners = Guarded<[String: [EventListener]]>([:])
    static let fields = AnswerFields(contentType: "text/event-stream").adding("Cache-Control", "no-store")
    /// Sent into the silence: no event, but word that the line stands.
    private static let pause = Array(": \n\n".utf8)
    /// Bytes that a listener may be behind.
    private static let most = 1 << 20

    func enter(_ exchange: Exchange, app: String, wantsDecisions: Bool) {
        let listener = EventListener(self, app: app, wantsDecisions: wantsDecisions)
        // Before it can be told that the client has gone.
        listeners.withLock { $0[app, default: []].append(listener) }
        let answer = exchange.open(200, EventHall.fields, listener, idle: EventHall.pause)
        // So that a client knows that it is in.
        answer.send(EventHall.pause)
        listener.begin(answer)
    }

    func leave(_ listener: EventListener) {
        listeners.withLock { listeners in
            listeners[listener.app]?.removeAll { $0 === listener }
            if listeners[listener.app]?.isEmpty == true { listeners[listener.app] = nil }
        }
    }

    func heard(_ event: HostEvent) {
        let here = listeners.withLock { $0[event.app] ?? [] }
        if here.isEmpty { return }
        let bytes = EventHall.bytes(of: event)
        for listener in here { listener.tell(bytes, most: EventHall.most) }
    }

    /// A line of the log, with its end. On the log's thread.
    func decided(_ app: String, _ line: [UInt8]) {
        let here = listeners.withLock { $0[app]?.filter(\.wantsDecisions) ?? [] }
        if here.isEmpty { return }
        let bytes = Array("event: decision\ndata: ".utf8) + line + [0x0A]
        for listener in here { listener.tellDecision(bytes) }
    }

    private static func bytes(of event: HostEvent) -> [UInt8] {
        var writer = JSONWriter(reserving: 512)
        writer.beginObject()
        writer.key("at")
        writer.string(event.at.text)
        let name: String
        switch event.kind {
        case .reload: name = "reload"
        case .fault: name = "fault"
        case .gone: name = "gone"
        case .due(let due):
            name = "due"
            writer.key("recipient")
            writer.string(due.recipient)
            writer.key("id")
            writer.string(due.id)
            writer.key("decision")
            writer.raw(due.decision)
        }
        if let info = event.info { info.write(into: &writer) }
        writer.endObject()
        return Array("event: \(name)\ndata: ".utf8) + writer.bytes + Array("\n\n".utf8)
    }
}

/// One client who listens.
final class EventListener: ExchangeStream {
    let app: String
    let wantsDecisions: Bool
    private let hall: EventHall
    private let answer = Guarded<AnswerStream?>(nil)
    /// Decisions that were left out because he does not keep up.
    private let missed = Guarded(0)

    init(_ hall: EventHall, app: String, wantsDecisions: Bool) {
        self.hall = hall
        self.app = app
        self.wantsDecisions = wantsDecisions
    }

    /// Left out while too much waits for him; then he hears how many there were.
    func tellDecision(_ bytes: [UInt8]) {
        guard let answer = answer.withLock({ $0 }) else { return }
        missed.withLock { missed in
            guard answer.waitingBytes < AnswerStream.highWater else { return missed += 1 }
            tellMissed(&missed, answer)
            answer.send(bytes)
        }
    }

    func wanted() {
        guard let answer = answer.withLock({ $0 }) else { return }
        missed.withLock { tellMissed(&$0, answer) }
    }

    private func tellMissed(_ missed: inout Int, _ answer: AnswerStream) {
        guard missed > 0 else { return }
        answer.send(Array("event: missed\ndata: {\"count\":\(missed)}\n\n".utf8))
        missed = 0
    }

    func begin(_ answer: AnswerStream) { self.answer.withLock { $0 = answer } }

    func tell(_ bytes: [UInt8], most: Int) {
        guard let answer = answer.withLock({ $0 }) else { return }
        if answer.waitingBytes > most { return leave() }
        answer.send(bytes)
    }

    func draining() { leave() }

    func gone() { hall.leave(self) }

    private func leave() {
        hall.leave(self)
        answer.withLock { $0 }?.end()
    }
}
