// What an app notices of others beside it: nothing of what they decide, and of their work no more than a moment.
import Foundation
import RuleEngine
import RuleLab
import Synchronization
import Testing

@testable import RuleWorkers

@Suite("Neighbours", .serialized) struct NeighbourTests {
    private static let program = "\(Scene.programs)/rulehost"
    private let clock = TestClock()

    private func pool() -> WorkerPool { WorkerPool(program: Self.program, workers: 1) { [clock] in clock.now } }

    private static let endless = #"rule "Endless" { on = "present", decide = function() while true do end end }"#
    /// SCHED_IDLE of linux/sched.h, which Swift does not get to see.
    private static let idleClass: Int32 = 5
    /// Some 30,000 units of fuel.
    private static let busy = #"rule "Busy" { on = "present", decide = function() for i = 1, 15000 do local a = i + i end end }"#

    @Test("Answers under attack are those without one, byte for byte, and none fails")
    func attacked() throws {
        let benchmark = try Benchmark(program: Self.program)
        let scripts = try AttackTests.names.map { name in
            SourceFile(
                path: name,
                bytes: [UInt8](try #require(FileManager.default.contents(atPath: "\(Scene.house)/Tests/Cases/attacks/\(name)"))))
        }
        for attackers in [1, 3] {
            // Any error in an answer of the neighbour's throws.
            let result = try benchmark.measureNeighbour(scripts: scripts, attackers: attackers, rounds: 1)
            #expect(result.isSame && result.messages == 1_000 && result.attackers == attackers)
            #expect(result.attacks > 0 && result.alone.p99 > 0 && result.attacked.longest >= result.attacked.median)
        }
    }

    @Test("An app that a limit stops leaves the process that it shares, and gives way from then on")
    func stopped() throws {
        let pool = pool()
        let neighbour = try Scene.app("neighbour", in: pool)
        let endless = try Scene.app("endless", in: pool, rules: Self.endless)
        #expect(pool.standing(of: "endless") == .sharing)
        let shared = pool.processes
        // The first question goes alone: the others do not stand before the neighbour.
        let answers = endless.evaluate(try (0..<3).map { try Scene.question(id: "m-\($0)") })
        #expect(answers.allSatisfy { $0.decision.errors.map(\.code).allSatisfy { $0.hasPrefix("budget_") } })
        #expect(pool.standing(of: "endless") == .alone && pool.standing(of: "neighbour") == .sharing)
        let own = try #require(pool.processes.first { !shared.contains($0) })
        #expect(sched_getscheduler(own) == Self.idleClass && shared.allSatisfy { sched_getscheduler($0) == SCHED_OTHER })
        #expect(Scene.json(neighbour.evaluate([try Scene.question("quiet")])[0]).contains("as it says"))
        #expect(pool.processes.contains(shared[0]))
        // Other rules of the same app do not bring it back.
        _ = try Scene.app("endless", in: pool)
        #expect(pool.standing(of: "endless") == .alone)
        pool.release("endless")
        _ = try Scene.app("endless", in: pool)
        #expect(pool.standing(of: "endless") == .sharing)
    }

    @Test("Rules whose load is stopped leave it as well")
    func stoppedAtLoad() throws {
        let pool = pool()
        _ = try Scene.app("neighbour", in: pool)
        let shared = try #require(pool.processes.first)
        var before = ""
        #expect(
            eventually {
                defer { before = processorTime(shared) }
                return before == processorTime(shared)
            })
        guard case .failed(let faults) = pool.load(app: "endless", files: Scene.files("while true do end")) else {
            Issue.record("it cannot have loaded")
            return
        }
        // Nobody had to wait for it: the process that the neighbour is in has slept.
        #expect(processorTime(shared) == before && before != "")
        #expect(faults.allSatisfy { $0.code.rawValue.hasPrefix("budget_") })
        #expect(pool.standing(of: "endless") == .alone)
    }

    /// Nanoseconds that a process has run.
    private func processorTime(_ pid: Int32) -> String {
        let line = FileManager.default.contents(atPath: "/proc/\(pid)/schedstat") ?? Data()
        return String(decoding: line, as: UTF8.self).split(separator: " ").first.map(String.init) ?? ""
    }

    @Test("An app that takes more than its share of the time leaves, too; one that takes its time does not")
    func share() throws {
        for (seconds, standing) in [(Int64(0), AppStanding.alone), (1, .sharing)] {
            let pool = pool()
            _ = try Scene.app("neighbour", in: pool)
            let busy = try Scene.app("busy", in: pool, rules: Self.busy)
            let questions = try (0..<10).map { try Scene.question(id: "m-\($0)") }
            var fuel = 0
            for _ in 0..<60 {
                for answer in busy.evaluate(questions) {
                    #expect(answer.decision.errors.isEmpty)
                    fuel += answer.decision.usage.fuel
                }
                clock.advance(seconds: seconds)
            }
            #expect(fuel > 12_000_000, "\(fuel)")
            #expect(pool.standing(of: "busy") == standing)
        }
    }

    @Test("Who shares with nobody stays")
    func onlyOne() throws {
        let pool = pool()
        let endless = try Scene.app("endless", in: pool, rules: Self.endless)
        let before = pool.processes
        _ = endless.evaluate([try Scene.question()])
        #expect(pool.standing(of: "endless") == .sharing && pool.processes == before)
    }
}
