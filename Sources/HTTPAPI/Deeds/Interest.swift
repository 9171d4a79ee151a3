// Whether anybody still wants an answer that takes long to find: until the client goes, or the server is about to end. Told by the loop,
// asked on other threads. Of DiffDeed. It says nothing to the client.
import HTTPServer
import Synchronization

final class Interest: ExchangeStream {
    private let isLost = Atomic(false)

    var lasts: Bool { !isLost.load(ordering: .relaxed) }
    func draining() { isLost.store(true, ordering: .relaxed) }
    func gone() { isLost.store(true, ordering: .relaxed) }
}
