// Who wants to hear what happens in a host. Those that are gone are not told any more.
import EffectStore

final class Listeners: Sendable {
    private struct Weak {
        weak var listener: (any HostListening)?
    }

    private let all = Monitor<[Weak]>([])

    func add(_ listener: any HostListening) {
        all.withLock { all in
            all.removeAll { $0.listener == nil }
            all.append(Weak(listener: listener))
        }
    }

    func tell(_ event: HostEvent) {
        for listener in all.withLock({ $0.compactMap(\.listener) }) { listener.heard(event) }
    }
}
