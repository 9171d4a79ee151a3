// Who listens to which app. The host tells the hall what happens, the log of decisions what was decided; the hall tells its listeners. Made
// by the API; asked on any thread.
import HTTPServer
import JSONDocument
import PushMessage
import RuleHosting

/// All who listen, by app.
final class EventHall: HostListening {
    private let desks = Guarded<[String: EventDesk]>([:])
    static let fields = AnswerFields(contentType: "text/event-stream").adding("Cache-Control", "no-store")
    /// Sent into the silence: no event, but word that the line stands.
    private static let pause = Array(": \n\n".utf8)
    /// Bytes that a listener may be behind.
    private static let most = 1 << 20
    /// Apps to which nobody listens any more, of which what happens is kept for who comes back.
    private static let mostAlone = 256

    /// He hears of decisions from now on, and of everything else from `begin` on.
    func enter(_ listener: EventListener, _ exchange: Exchange, after id: String?) {
        desks.withLock { desks in
            var desk = desks[listener.app] ?? EventDesk()
            let heard: EventListener.Place.Heard? = id.map { id in desk.number(of: id).map { .until($0) } ?? .others }
            let place = EventListener.Place(before: desk.number, heard: heard)
            desk.listeners.append(listener)
            desks[listener.app] = desk
            // With the lock: before he can be told that his client has gone.
            listener.enter(exchange.open(200, EventHall.fields, listener, idle: EventHall.pause), place, EventHall.pause)
        }
        listener.leaveIfTurnedOut()
    }

    /// - Parameter info: of the app, as it is; nil: there is none any more.
    func begin(_ listener: EventListener, _ info: AppInfo?) {
        let at = HostClock.now()
        desks.withLock { desks in
            guard let desk = desks[listener.app], desk.listeners.contains(where: { $0 === listener }) else { return }
            listener.begin(in: desk, info) { info in EventHall.bytes("state", at: at.text, of: listener.app, info) { _ in } }
        }
    }

    func leave(_ listener: EventListener) {
        desks.withLock { desks in
            guard var desk = desks[listener.app] else { return }
            let before = desk.listeners.count
            desk.listeners.removeAll { $0 === listener }
            if desk.listeners.count == before { return }
            if desk.listeners.isEmpty { desk.alone = (desks.values.map(\.alone).max() ?? 0) + 1 }
            desks[listener.app] = desk
            let alone = desks.filter { $0.value.listeners.isEmpty }
            guard alone.count > EventHall.mostAlone, let first = alone.min(by: { $0.value.alone < $1.value.alone }) else { return }
            desks[first.key] = nil
        }
    }

    func heard(_ event: HostEvent) {
        guard desks.withLock({ $0[event.app] != nil }) else { return }
        let body = EventHall.bytes(of: event)
        let late = desks.withLock { desks in
            guard let bytes = desks[event.app]?.add(event, body) else { return [EventListener]() }
            return desks[event.app]?.listeners.filter { !$0.tell(bytes, most: EventHall.most) } ?? []
        }
        for listener in late { listener.leave() }
    }

    /// A line of the log, with its end. On the log's thread.
    func decided(_ app: String, _ line: [UInt8]) {
        let here = desks.withLock { $0[app]?.listeners.filter(\.wantsDecisions) ?? [] }
        if here.isEmpty { return }
        let bytes = Array("event: decision\ndata: ".utf8) + line + [0x0A]
        for listener in here { listener.tellDecision(bytes) }
    }

    private static func bytes(of event: HostEvent) -> [UInt8] {
        let name =
            switch event.kind {
            case .reload: "reload"
            case .fault, .draftFault: "fault"
            case .state: "state"
            case .gone: "gone"
            case .due: "due"
            }
        return bytes(name, at: event.at.text, of: event.app, event.info) { writer in
            guard case .due(let due) = event.kind else { return }
            writer.key("recipient")
            writer.string(due.recipient)
            writer.key("id")
            writer.string(due.id)
            writer.key("decision")
            writer.raw(due.decision)
        }
    }

    /// Without its number and its end.
    private static func bytes(
        _ name: String, at moment: String, of app: String, _ info: AppInfo?, _ more: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var writer = JSONWriter(reserving: 512)
        writer.beginObject()
        writer.key("at")
        writer.string(moment)
        more(&writer)
        if let info {
            info.write(into: &writer)
        } else {
            writer.key("app")
            writer.string(app)
        }
        writer.endObject()
        return Array("event: \(name)\ndata: ".utf8) + writer.bytes + [0x0a]
    }
}
