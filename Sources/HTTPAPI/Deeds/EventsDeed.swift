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

    func begin(_ head: RequestHead, _ exchange: Exchange) -> Intake { .whole(upTo: 0, self) }

    func take(_ request: Request) {
        clerk.perform(for: request) {
            let app = request.head.path[2]
            do throws(HostProblem) {
                try host.check(app)
                hall.enter(request.exchange, app: app)
            } catch {
                request.exchange.answer(Answer(error))
            }
        }
    }
}

/// All who listen, by app.
final class EventHall: HostListening {
    private let listeners = Guarded<[String: [EventListener]]>([:])
    private static let fields = AnswerFields(contentType: "text/event-stream").adding("Cache-Control", "no-store")
    /// Sent into the silence: no event, but word that the line stands.
    private static let pause = Array(": \n\n".utf8)
    /// Bytes that a listener may be behind.
    private static let most = 1 << 20

    func enter(_ exchange: Exchange, app: String) {
        let listener = EventListener(self, app: app)
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
    private let hall: EventHall
    private let answer = Guarded<AnswerStream?>(nil)

    init(_ hall: EventHall, app: String) {
        self.hall = hall
        self.app = app
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
