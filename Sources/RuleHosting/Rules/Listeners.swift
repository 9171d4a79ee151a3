// Who hears what happens in a host, for as long as there is one. None of them holds the host.
import EffectStore

final class Listeners: Sendable {
    private let all = Monitor<[any HostListening]>([])

    func add(_ listener: any HostListening) { all.withLock { $0.append(listener) } }

    func tell(_ event: HostEvent) {
        for listener in all.withLock({ $0 }) { listener.heard(event) }
    }
}
