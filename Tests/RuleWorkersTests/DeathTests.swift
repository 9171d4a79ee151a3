// A child that dies, hangs or lies costs the messages that it has in hand, and nobody else anything.
import Foundation
import RuleEngine
import Testing

@testable import RuleWorkers

@Suite("Children that end", .serialized) struct DeathTests {
    @Test("A hundred crashes in a row: every message is answered, the neighbour's rightly")
    func hundredCrashes() throws {
        let clock = TestClock()
        let pool = Scene.pool(clock: clock)
        let victim = try Scene.app("victim", in: pool)
        let neighbour = try Scene.app("neighbour", in: pool)
        let expected = Scene.json(neighbour.evaluate([try Scene.question("quiet")])[0])
        #expect(expected.contains("\"suppress\""))
        var ended: Set<Int32> = []
        for round in 0..<100 {
            // Out of each other's minute, and back to the others' process: that one is to crash each time.
            clock.advance(seconds: 61)
            pool.release("victim")
            let before = pool.processes
            let answers = victim.evaluate([try Scene.question("Hello"), try Scene.question("double:segfault"), try Scene.question("quiet")])
            #expect(answers.count == 3, "\(round)")
            #expect(answers[1].decision.errors.map(\.code) == ["worker_died"])
            #expect(answers[1].decision.errors.first?.message.contains("signal 11") == true)
            #expect(answers.allSatisfy { $0.decision.display?.action == .show || $0.decision.errors.isEmpty })
            #expect(Scene.json(neighbour.evaluate([try Scene.question("quiet")])[0]) == expected, "\(round)")
            for pid in before { if ended.insert(pid).inserted { #expect(kill(pid, 0) != 0, "\(pid) lives") } }
        }
        #expect(ended.count >= 100)
    }

    @Test(
        "What is in hand gets the answer for errors, and says why",
        arguments: [
            ("segfault", "worker_died"), ("abort", "worker_died"), ("leave", "worker_died"), ("close", "worker_died"),
            ("spin", "worker_hung"), ("wait", "worker_hung"),
            // It asks and asks, and does not take what it is given.
            ("zones", "worker_hung"),
            ("garbage", "worker_lied"), ("length", "worker_lied"), ("kind", "worker_lied"), ("out-of-turn", "worker_lied"),
            ("zone-name", "worker_lied"), ("early", "worker_lied"),
            ("other-recipient", "worker_lied"), ("other-app", "worker_lied"), ("other-event", "worker_lied"),
            ("short", "worker_lied"), ("long", "worker_lied"), ("not-utf8", "worker_lied"),
        ])
    func ends(deed: String, code: String) throws {
        for (onError, action) in [("show", Display.Action.show), ("suppress", .suppress)] {
            let pool = Scene.pool()
            let victim = try Scene.app(
                in: pool, app: "return { api = 1, on_error = \"\(onError)\", guards = { duplicate = false } }")
            let answer = victim.evaluate([try Scene.question("double:\(deed)")])[0]
            #expect(answer.decision.display?.action == action, "\(Scene.json(answer))")
            #expect(answer.decision.errors.map(\.code) == [code], "\(Scene.json(answer))")
            #expect(answer.decision.recipient == "u-1" && answer.decision.messageID == "m-1")
            #expect(answer.effects.contains { if case .sawMessage = $0 { true } else { false } })
            #expect(pool.standing(of: "victim") == .alone)
            // The next message is decided again.
            #expect(Scene.json(victim.evaluate([try Scene.question("quiet")])[0]).contains("as it says"))
        }
    }

    @Test("Guards look at the answer for errors as at any other")
    func guards() throws {
        let victim = try Scene.app(in: Scene.pool())
        let answer = try Scene.ask("double:segfault", device: #"{"recipient":"u-1","permission":"denied"}"#) { victim.evaluate($0) }
        #expect(answer.decision.display?.rule == "guard:permission")
        #expect(answer.decision.errors.map(\.code) == ["worker_died"])
    }

    @Test("A child that hangs is ended within twice the limit and a little")
    func hangs() throws {
        let victim = try Scene.app(in: Scene.pool())
        _ = victim.evaluate([try Scene.question()])
        for deed in ["spin", "wait"] {
            let question = try Scene.question("double:\(deed)")
            let start = Date()
            #expect(victim.evaluate([question])[0].decision.errors.map(\.code) == ["worker_hung"])
            #expect(Date().timeIntervalSince(start) < 1)
        }
    }

    @Test("What was answered before the crash counts")
    func before() throws {
        let victim = try Scene.app(in: Scene.pool())
        // Answers leave the child in pieces of 64 KiB or after two milliseconds, so the first of many are out.
        let questions = try (0..<63).map { _ in try Scene.question("quiet") } + [try Scene.question("double:spin")]
        let answers = victim.evaluate(questions)
        #expect(answers.count == 64)
        #expect(answers[63].decision.errors.map(\.code) == ["worker_hung"])
        for answer in answers.prefix(63) {
            #expect(
                answer.decision.errors.isEmpty ? answer.decision.display?.action == .suppress : answer.decision.display?.action == .show)
        }
    }

    @Test("An idle child that is killed is replaced within 100 ms, and costs nothing")
    func killedWhileIdle() throws {
        let pool = Scene.pool()
        let app = try Scene.app(in: pool)
        let expected = Scene.json(app.evaluate([try Scene.question("quiet")])[0])
        for _ in 0..<10 {
            let pid = try #require(pool.processes.first)
            kill(pid, SIGKILL)
            #expect(eventually(within: 1) { pool.processes.first.map { $0 != pid } ?? false })
            #expect(Scene.json(app.evaluate([try Scene.question("quiet")])[0]) == expected)
        }
        #expect(pool.standing(of: "victim") == .sharing)
    }

    @Test("A child that dies has its successor within 100 ms without anybody asking")
    func replaced() throws {
        let pool = Scene.pool()
        let app = try Scene.app(in: pool)
        _ = try Scene.app("neighbour", in: pool)
        let pid = try #require(pool.processes.first)
        _ = app.evaluate([try Scene.question("double:segfault")])
        #expect(eventually(within: 1) { pool.processes.contains { $0 != pid } })
    }

    @Test("A child does not outlive its parent, killed without a word")
    func parentKilled() throws {
        let parent = Process()
        parent.executableURL = URL(fileURLWithPath: Scene.double)
        parent.arguments = ["parent"]
        let output = Pipe()
        parent.standardOutput = output
        try parent.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let child = try #require(Int32(line.trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(kill(child, 0) == 0)
        kill(parent.processIdentifier, SIGKILL)
        parent.waitUntilExit()
        // Whoever takes in orphans may be slow to wait for them: a zombie is gone.
        #expect(eventually { kill(child, 0) != 0 || Self.state(of: child).map { "ZX".contains($0) } ?? true })
    }

    private static func state(of pid: Int32) -> Character? {
        guard let stat = FileManager.default.contents(atPath: "/proc/\(pid)/stat") else { return nil }
        return String(decoding: stat, as: UTF8.self).split(separator: ")").last?.dropFirst().first
    }
}
