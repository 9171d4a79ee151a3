// What waits for the one thread that asks the disk: so many things, and so many bytes.
import EffectStore
import HTTPClient
import Testing

@testable import HTTPAPI

struct ClerkTests {
    @Test("Bodies that wait for the clerk are bounded together, until they are done; what holds none is taken beside them")
    func bytes() throws {
        let clerk = Clerk()
        defer { clerk.end() }
        let gate = Monitor(false)
        let done = Kept(0)
        let half = Clerk.mostBytes / 2
        let isBegun = clerk.perform(holding: half) {
            _ = gate.wait { $0 ? true : nil }
            done.change { $0 += 1 }
        }
        #expect(isBegun)
        #expect(clerk.perform(holding: half) { done.change { $0 += 1 } })
        #expect(!clerk.perform(holding: 1) {})
        #expect(clerk.perform { done.change { $0 += 1 } })
        gate.change { $0 = true }
        #expect(try done.wait { $0 == 3 } == 3)
        try eventually { clerk.perform(holding: Clerk.mostBytes) {} }
    }
}
