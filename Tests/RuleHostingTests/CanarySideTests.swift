// What whoever watches is told of the sides of a canary when a message is decided by rules that are on neither.
import Foundation
import PushMessage
import RuleEngine
import Testing

@testable import EffectStore
@testable import RuleHosting

struct CanarySideTests {
    private static let mina = Deed(who: "mina", at: Scene.noon)

    @Test("A message that is decided by the rules that held it back does not look as if there were no canary")
    func pinned() throws {
        let scene = try Scene()
        let clock = TestClock()
        let watch = Refusals()
        try scene.write("chat", DueTests.rules("v1", pin: true))
        let host = try scene.host(.durable(try scene.store()), clock: clock, watch: watch)
        defer { host.close() }
        #expect(host.ask("chat", Scene.body("u", id: "m-1")).text.contains("\"defer\""))
        var hashes: [String] = []
        for version in ["v2", "v3"] {
            let before = host.known["chat"]?.ruleset
            try scene.write("chat", DueTests.rules(version))
            while host.known["chat"]?.ruleset == before { usleep(2_000) }
            hashes.append(try #require(host.known["chat"]?.ruleset))
        }
        let done = Monitor<Result<AppInfo, HostProblem>?>(nil)
        host.promote(app: "chat", hash: hashes[0], to: nil, percent: 50, Self.mina) { result in done.change { $0 = result } }
        _ = try done.wait { $0 }.get()
        // It is held back as well, and by nobody's rules in particular.
        #expect(host.ask("chat", Scene.body("v", id: "m-2")).status == 200)
        #expect(watch.desk.sides.withLock { $0.last?.side?.canary } == hashes[0])
        let before = watch.desk.sides.withLock { $0.count }
        clock.turn(minutes: 61)
        let sides = watch.desk.sides.wait { $0.count >= before + 2 ? $0.dropFirst(before).map(\.side) : nil }
        #expect(sides.allSatisfy { $0?.canary == hashes[0] } && sides.count { $0?.isPinned == true } == 1)
    }
}
