// An app that ends processes is given one of its own, then none; a new ruleset or an operator lets it out.
import RuleEngine
import Testing

@testable import RuleWorkers

@Suite("Quarantine", .serialized) struct QuarantineTests {
    private let clock = TestClock()

    private func crash(_ app: WorkerApp, _ times: Int) throws {
        for _ in 0..<times { _ = app.evaluate([try Scene.question("double:segfault")]) }
    }

    @Test("Own process after the first death, quarantine after the third within a minute")
    func stages() throws {
        let pool = Scene.pool(clock: clock)
        let victim = try Scene.app("victim", in: pool)
        let neighbour = try Scene.app("neighbour", in: pool)
        #expect(pool.standing(of: "victim") == .sharing)
        try crash(victim, 1)
        #expect(pool.standing(of: "victim") == .alone)
        _ = neighbour.evaluate([try Scene.question()])
        let shared = pool.processes
        try crash(victim, 1)
        #expect(pool.standing(of: "victim") == .alone)
        // The neighbour's process lives on.
        #expect(pool.processes.contains(shared[0]))
        try crash(victim, 1)
        #expect(pool.standing(of: "victim") == .quarantined)
        let answer = victim.evaluate([try Scene.question("quiet")])[0]
        #expect(answer.decision.errors.map(\.code) == ["app_quarantined"])
        #expect(answer.decision.display?.action == .show)
        #expect(pool.processes == shared)
        #expect(neighbour.evaluate([try Scene.question("quiet")])[0].decision.display?.action == .suppress)
        #expect(pool.standing(of: "neighbour") == .sharing)
    }

    @Test("Deaths that lie further apart do not add up")
    func apart() throws {
        let pool = Scene.pool(clock: clock)
        let victim = try Scene.app("victim", in: pool)
        for _ in 0..<4 {
            try crash(victim, 2)
            clock.advance(seconds: 61)
        }
        #expect(pool.standing(of: "victim") == .alone)
    }

    @Test("The same files do not help; other files do, and so does an operator")
    func release() throws {
        let pool = Scene.pool(clock: clock)
        let victim = try Scene.app("victim", in: pool)
        try crash(victim, 3)
        guard case .failed(let faults) = pool.load(app: "victim", files: Scene.files()) else {
            Issue.record("the app is in quarantine")
            return
        }
        #expect(faults.map(\.code) == [.appQuarantined])
        let repaired = try Scene.app("victim", in: pool, rules: Scene.rules + "\n-- repaired")
        // It is asked, but others are safe from it until somebody has looked.
        #expect(pool.standing(of: "victim") == .alone)
        #expect(repaired.evaluate([try Scene.question("quiet")])[0].decision.errors.isEmpty)
        try crash(repaired, 3)
        #expect(pool.standing(of: "victim") == .quarantined)
        pool.release("victim")
        #expect(repaired.evaluate([try Scene.question("quiet")])[0].decision.display?.action == .suppress)
        #expect(pool.standing(of: "victim") == .sharing)
    }

    @Test("Two rulesets of an app that are asked in turns have their own deaths")
    func inTurns() throws {
        let pool = Scene.pool(clock: clock)
        let good = try Scene.app("victim", in: pool)
        let bad = try Scene.app("victim", in: pool, rules: Scene.rules + "\n-- bad")
        for _ in 0..<3 {
            try crash(bad, 1)
            #expect(good.evaluate([try Scene.question("quiet")])[0].decision.errors.isEmpty)
        }
        #expect(bad.evaluate([try Scene.question()])[0].decision.errors.map(\.code) == ["app_quarantined"])
        #expect(good.evaluate([try Scene.question("quiet")])[0].decision.display?.action == .suppress)
        #expect(pool.standing(of: "victim") == .quarantined)
    }

    @Test("A program that is no worker is no crash of the app's")
    func noProgram() throws {
        let pool = WorkerPool(program: "/nonexistent/program", workers: 1)
        guard case .failed(let faults) = pool.load(app: "victim", files: Scene.files()) else {
            Issue.record("nothing can have loaded it")
            return
        }
        #expect(faults.map(\.code) == [.workerDied])
        #expect(faults[0].message.contains("is not found"))
        #expect(pool.standing(of: "victim") == .sharing)
    }

    @Test("A program that ends before it is shut in is no crash of the app's either")
    func notAWorker() throws {
        let pool = WorkerPool(program: "/bin/true", workers: 1, spare: true)
        for _ in 0..<5 {
            guard case .failed(let faults) = pool.load(app: "victim", files: Scene.files()) else {
                Issue.record("nothing can have loaded it")
                return
            }
            #expect(faults.map(\.code) == [.workerDied])
            #expect(faults[0].message.contains("could be shut in"), "\(faults[0].message)")
        }
        #expect(pool.standing(of: "victim") == .sharing)
    }
}
