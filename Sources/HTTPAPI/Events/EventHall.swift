// Who listens to which app. The host tells the hall what happens, the log of decisions what was decided; the hall tells its listeners. Made
// by the API; asked on any thread.
import HTTPServer
import JSONDocument
import PushMessage
import RuleHosting

/// All who listen, by app.
final class EventHall: HostListening {
    private let listeners = Guarded<[String: [EventListener]]>([:])
    static let fields = AnswerFields(contentType: "text/event-stream").adding("Cache-Control", "no-store")
    /// Sent into the silence: no event, but word that the line stands.
    private static let pause = Array(": \n\n".utf8)
    /// Bytes that a listener may be behind.
    private static let most = 1 << 20

    func enter(_ listener: EventListener, _ exchange: Exchange) {
        // Before it can be told that the client has gone.
        listeners.withLock { $0[listener.app, default: []].append(listener) }
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
