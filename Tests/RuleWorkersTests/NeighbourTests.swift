// What an app notices of others beside it: nothing of what they decide, and of their work no more than a moment.
import Foundation
import LuaSandbox
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
        let before = processorTime(shared)
        guard case .failed(let faults) = pool.load(app: "endless", files: Scene.files("while true do end")) else {
            Issue.record("it cannot have loaded")
            return
        }
        // Nobody had to wait for it: the process that the neighbour is in has slept, but for a moment.
        try #require(pool.processes.count == 2 && pool.processes[0] == shared)
        let other = processorTime(pool.processes[1])
        #expect(before > 0 && other > 0 && (processorTime(shared) - before) * 4 < other)
        #expect(faults.allSatisfy { $0.code.rawValue.hasPrefix("budget_") })
        #expect(pool.standing(of: "endless") == .alone)
    }

    /// Nanoseconds that a process has run.
    private func processorTime(_ pid: Int32) -> Int {
        let line = FileManager.default.contents(atPath: "/proc/\(pid)/schedstat") ?? Data()
        return String(decoding: line, as: UTF8.self).split(separator: " ").first.flatMap { Int($0) } ?? 0
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

    @Test(
        "What an app takes is what it may take, also where another has been before",
        .enabled(if: ScriptLimits.slowness == 1, "a sanitizer has memory of its own beside each block"))
    func memory() throws {
        let pool = pool()
        _ = try Scene.app("neighbour", in: pool)
        // New rules are loaded in a process of their own first, and leave it again.
        _ = try Scene.app("another", in: pool)
        try #require(pool.processes.count == 2)
        let pid = pool.processes[1]
        let before = peak(of: pid)
        let greedy = "local t = {}\nfor i = 1, 1e9 do t[i] = { i } end"
        guard case .failed(let faults) = pool.load(app: "greedy", files: Scene.files(greedy)) else {
            Issue.record("it cannot have loaded")
            return
        }
        #expect(faults.map(\.code) == [.budgetMemory])
        #expect(before > 0 && peak(of: pid) - before <= ScriptLimits().memory + 1 << 20)
    }

    /// Most bytes that a process has had in memory.
    private func peak(of pid: Int32) -> Int {
        let status = String(decoding: FileManager.default.contents(atPath: "/proc/\(pid)/status") ?? Data(), as: UTF8.self)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") }
        return (line?.split(whereSeparator: { !$0.isNumber }).first).flatMap { Int($0) }.map { $0 << 10 } ?? 0
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
