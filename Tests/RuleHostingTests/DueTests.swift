// Messages that are held back come again when their time has come, once.
import EffectStore
import Foundation
import RuleEngine
import Testing

@testable import RuleHosting

struct DueTests {
    /// Held back for an hour; says by which rules it was decided.
    static func rules(_ version: String, pin: Bool = false) -> String {
        """
        rule "Later" {
          on = "present",
          when = function(msg, device, event) return event.name ~= "due" end,
          decide = function() return { display = "defer", hold_until = "1h", pin = \(pin) } end,
        }
        rule "Count" { on = "due", decide = function() return { badge = "+1", labels = { by = "\(version)" } } end }
        """
    }

    private func due(_ event: HostEvent) -> DueDecision? { if case .due(let due) = event.kind { due } else { nil } }

    @Test("What is due is decided and told once, also when hosts come and go", arguments: [true, false])
    func once(_ isDurable: Bool) throws {
        let scene = try Scene()
        try scene.write("chat", Self.rules("v1"))
        let clock = TestClock()
        let store = isDurable ? try scene.store() : nil
        var host = try scene.host(store.map { .durable($0) } ?? .memory, clock: clock)
        var ear = Ear()
        host.listen(ear)
        for number in 0..<40 {
            let answer = host.ask("chat", Scene.body("u-\(number % 7)", id: "m-\(number)"))
            #expect(answer.text.contains("\"defer\""), "\(answer.text)")
        }
        #expect(try host.deferred(of: "chat", first: 100).count == 40)
        if isDurable {
            host.close()
            host = try scene.host(store.map { .durable($0) } ?? .memory, clock: clock)
            ear = Ear()
            host.listen(ear)
        }
        clock.turn(minutes: 61)
        let told = ear.events.wait { [self] events in
            let all = events.compactMap(due)
            return all.count >= 40 ? all : nil
        }
        #expect(Set(told.map(\.id)).count == 40 && told.count == 40)
        for decision in told { #expect(String(decoding: decision.decision, as: UTF8.self).contains(#""event":"due""#)) }
        #expect(try host.deferred(of: "chat", first: 100).isEmpty)
        let answer = host.ask("chat", Scene.body("u-0", id: "m-0"))
        #expect(answer.json["duplicate"] as? Bool == true)
        host.close()
        if let store {
            #expect(try (0..<7).map { try store.view.recipient(app: "chat", "u-\($0)").badge ?? 0 }.reduce(0, +) == 40)
            let next = try scene.host(.durable(store), clock: clock)
            let second = Ear()
            next.listen(second)
            #expect(next.ask("chat", Scene.body("other", id: "x")).status == 200)
            next.close()
            #expect(second.events.withLock { $0.compactMap(due) }.isEmpty)
        }
    }

    @Test("What falls due while the app's folder is away is decided when it is back")
    func awayForAWhile() throws {
        let scene = try Scene()
        try scene.write("chat", Self.rules("v1"))
        let clock = TestClock()
        let host = try scene.host(.memory, clock: clock)
        defer { host.close() }
        let ear = Ear()
        host.listen(ear)
        for number in 0..<3 { #expect(host.ask("chat", Scene.body("u-\(number)", id: "m")).text.contains("\"defer\"")) }
        let (here, there) = ("\(scene.rules)/chat", "\(scene.rules)/../chat-away")
        try FileManager.default.moveItem(atPath: here, toPath: there)
        ear.events.wait { events in events.contains { if case .gone = $0.kind { true } else { false } } ? () : nil }
        clock.turn(minutes: 61)
        // It has been tried, and there is no such app.
        #expect(host.ask("chat", Scene.body("u-9", id: "m")).status == 404)
        usleep(1_500_000)
        #expect(ear.events.withLock { $0.compactMap(due) }.isEmpty)
        try FileManager.default.moveItem(atPath: there, toPath: here)
        let told = ear.events.wait { [self] events in
            let all = events.compactMap(due)
            return all.count >= 3 ? all : nil
        }
        #expect(told.count == 3)
    }

    @Test("What is due is decided by the newest rules, and what is pinned by those that held it back")
    func pinned() throws {
        for pin in [false, true] {
            let scene = try Scene()
            try scene.write("chat", Self.rules("v1", pin: pin))
            let clock = TestClock()
            let host = try scene.host(.durable(try scene.store()), clock: clock)
            let ear = Ear()
            host.listen(ear)
            _ = host.ask("chat", Scene.body("u", id: "m-1"))
            try scene.write("chat", Self.rules("v2", pin: pin))
            _ = ear.events.wait { $0.count { if case .reload = $0.kind { true } else { false } } >= 2 ? true : nil }
            clock.turn(minutes: 61)
            let told = ear.events.wait { [self] in $0.compactMap(due).first }
            #expect(String(decoding: told.decision, as: UTF8.self).contains(pin ? #""by":"v1""# : #""by":"v2""#))
            host.close()
        }
    }
}
