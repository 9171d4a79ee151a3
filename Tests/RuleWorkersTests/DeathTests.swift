// A child that dies, hangs or lies costs the messages that it has in hand, and nobody else anything.
import Foundation
import LuaSandbox
import RuleEngine
import Synchronization
import Testing

@testable import RuleWorkers

@Suite("Children that end", .serialized) struct DeathTests {
    @Test("A hundred crashes in a row: every message is answered, the neighbour's rightly, and another child is there at once")
    func hundredCrashes() throws {
        let clock = TestClock()
        let pool = WorkerPool(program: Scene.double, workers: 1, spare: true) { clock.now }
        let victim = try Scene.app("victim", in: pool)
        let neighbour = try Scene.app("neighbour", in: pool)
        let expected = Scene.json(neighbour.evaluate([try Scene.question("quiet")])[0])
        #expect(expected.contains("\"suppress\""))
        var ended: Set<Int32> = []
        for round in 0..<100 {
            // Out of each other's minute, and back to the others' process: that one is to crash each time.
            clock.advance(seconds: 61)
            pool.release("victim")
            // Where new rules are loaded nothing happens.
            let before = pool.processes.prefix(1)
            let answers = victim.evaluate([try Scene.question("Hello"), try Scene.question("double:segfault"), try Scene.question("quiet")])
            #expect(eventually(within: 5) { pool.processes.first.map { !before.contains($0) } ?? false }, "\(round)")
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
            ("segfault", "worker_died"), ("abort", "worker_died"), ("leave", "worker_died"), ("leave-well", "worker_died"),
            ("close", "worker_died"), ("half", "worker_died"),
            ("spin", "worker_hung"), ("wait", "worker_hung"),
            // It asks and asks, and does not take what it is given.
            ("zones", "worker_hung"),
            ("garbage", "worker_lied"), ("length", "worker_lied"), ("kind", "worker_lied"), ("out-of-turn", "worker_lied"),
            ("zone-name", "worker_lied"), ("early", "worker_lied"),
            ("other-recipient", "worker_lied"), ("other-app", "worker_lied"), ("other-event", "worker_lied"),
            ("other-message", "worker_lied"),
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

    @Test("An answer that comes twice is no answer to what is asked next")
    func twice() throws {
        let pool = Scene.pool()
        let victim = try Scene.app(in: pool)
        let neighbour = try Scene.app("neighbour", in: pool)
        for _ in 0..<5 {
            _ = victim.evaluate([try Scene.question("double:twice")])
            let answer = neighbour.evaluate([try Scene.question("quiet")])[0]
            #expect(answer.decision.errors.isEmpty && answer.decision.display?.reason == "as it says", "\(Scene.json(answer))")
            #expect(victim.evaluate([try Scene.question("quiet", id: "m-2")])[0].decision.messageID == "m-2")
        }
        #expect(pool.standing(of: "neighbour") == .sharing && pool.standing(of: "victim") != .sharing)
    }

    @Test("A child without memory costs no more than what it has in hand")
    func eats() throws {
        let pool = Scene.pool()
        let victim = try Scene.app(in: pool)
        let neighbour = try Scene.app("neighbour", in: pool)
        let answer = victim.evaluate([try Scene.question("double:eat")])[0]
        #expect(answer.decision.display?.action == .show)
        for _ in 0..<3 {
            #expect(neighbour.evaluate([try Scene.question("quiet")])[0].decision.recipient == "u-1")
        }
        let worn = pool.processes
        worn.forEach { kill($0, SIGKILL) }
        #expect(eventually { pool.processes.allSatisfy { !worn.contains($0) } })
        pool.release("neighbour")
        #expect(neighbour.evaluate([try Scene.question("quiet")])[0].decision.display?.action == .suppress)
    }

    @Test("A child that was stopped from outside is ended, and its place taken")
    func stopped() throws {
        let pool = Scene.pool()
        let app = try Scene.app(in: pool)
        let pid = try #require(pool.processes.first)
        kill(pid, SIGSTOP)
        #expect(app.evaluate([try Scene.question("quiet")])[0].decision.errors.map(\.code) == ["worker_hung"])
        #expect(kill(pid, 0) != 0)
        #expect(app.evaluate([try Scene.question("quiet")])[0].decision.display?.action == .suppress)
    }

    @Test("A child that is killed between batches, or while it loads, costs no answer")
    func killedBetween() throws {
        let pool = WorkerPool(program: Scene.double, spare: true)
        let app = try Scene.app(in: pool)
        let questions = try (0..<200).map { try Scene.question("quiet", id: "m-\($0)") }
        for _ in 0..<5 {
            kill(try #require(pool.processes.first), SIGKILL)
            let answers = app.evaluate(questions)
            #expect(answers.map(\.decision.messageID) == (0..<200).map { "m-\($0)" })
            // The signal may reach it when it has the first in hand.
            #expect(answers.filter { !$0.decision.errors.isEmpty }.count <= WorkerApp.batch)
            pool.release("victim")
        }
        let pid = try #require(pool.processes.first)
        let killer = Thread {
            usleep(10_000)
            kill(pid, SIGKILL)
        }
        killer.start()
        guard case .failed(let faults) = pool.load(app: "endless", files: Scene.files("while true do end")) else {
            Issue.record("it cannot have loaded")
            return
        }
        #expect(faults.allSatisfy { [.workerDied, .budgetFuel, .budgetTime].contains($0.code) }, "\(faults)")
        #expect(app.evaluate([try Scene.question("quiet")])[0].decision.display?.action == .suppress)
    }

    @Test("Many threads ask at once while one app crashes: every answer is there, and right")
    func manyThreads() throws {
        let clock = TestClock()
        let pool = WorkerPool(program: Scene.double, workers: 2, spare: true) { clock.now }
        let wrong = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { number in
            do {
                let app = try Scene.app(number == 0 ? "victim" : "app-\(number)", in: pool)
                for round in 0..<30 {
                    let title = number == 0 && round % 3 == 0 ? "double:segfault" : "quiet"
                    let questions = try (0..<5).map { try Scene.question($0 == 2 ? title : "quiet", id: "m-\($0)") }
                    let answers = app.evaluate(questions)
                    let isWhole = answers.map(\.decision.messageID) == (0..<5).map { "m-\($0)" }
                    // Apps that share the process with the first crash load again; they do not fail.
                    let isRight = answers.allSatisfy { $0.decision.errors.isEmpty && $0.decision.display?.reason == "as it says" }
                    if !isWhole || (number != 0 && !isRight) {
                        wrong.withLock { $0.append("\(number), \(round): \(answers.map(Scene.json))") }
                    }
                    if number == 0 { clock.advance(seconds: 61) }
                }
            } catch {
                wrong.withLock { $0.append("\(number): \(error)") }
            }
        }
        #expect(wrong.withLock { $0 } == [])
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
            #expect(Date().timeIntervalSince(start) < Double(ScriptLimits.slowness))
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
        for spare in [false, true] {
            let pool = WorkerPool(program: Scene.double, spare: spare)
            let app = try Scene.app(in: pool)
            let expected = Scene.json(app.evaluate([try Scene.question("quiet")])[0])
            var waits: [Double] = []
            for _ in 0..<40 {
                // Time for the next spare.
                usleep(50_000)
                let pid = try #require(pool.processes.first)
                let start = Date()
                kill(pid, SIGKILL)
                #expect(eventually(within: 5) { pool.processes.first.map { $0 != pid } ?? false })
                waits.append(Date().timeIntervalSince(start) * 1000)
                #expect(Scene.json(app.evaluate([try Scene.question("quiet")])[0]) == expected)
            }
            #expect(pool.standing(of: "victim") == .sharing)
            waits.sort()
            if getenv("RULEHOST_FIGURES") != nil {
                print("spare \(spare): replaced after \(waits[20]) ms (median), \(waits[39]) ms (worst)")
            }
            // The worst depends on who else uses the machine.
            #expect(waits[20] < 100)
        }
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
