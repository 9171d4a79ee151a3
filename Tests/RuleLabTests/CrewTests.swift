// Jobs on several threads, and cases that run on them: what comes out depends on neither.
import Foundation
import RuleEngine
import RuleStore
import RuleWorkers
import Testing

@testable import RuleLab

struct CrewTests {
    @Test("All jobs are done, also those that jobs bring forth, on any number of threads", arguments: [1, 2, 7, 64])
    func allAreDone(_ threads: Int) {
        let done = Guarded([Int]())
        let crew = Crew(of: threads)
        crew.add(
            (0..<20).map { first in
                { crew in
                    crew.add((0..<10).map { second in { _ in done.withLock { $0.append(first * 10 + second) } } })
                }
            })
        crew.work()
        #expect(done.withLock { $0.sorted() } == Array(0..<200))
    }

    @Test("On one thread jobs go in order, and what a job brings forth goes first")
    func order() {
        let done = Guarded([String]())
        let crew = Crew(of: 1)
        crew.add(
            ["a", "b"].map { name in
                { crew in
                    done.withLock { $0.append(name) }
                    crew.add(["1", "2"].map { number in { _ in done.withLock { $0.append(name + number) } } })
                }
            })
        crew.work()
        #expect(done.withLock { $0 } == ["a", "a1", "a2", "b", "b1", "b2"])
    }

    @Test("A crew without a job has nothing to wait for")
    func nothing() { Crew(of: 4).work() }

    private static let folder = RulesFolder(
        path: URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../rules").standardized.path)

    @Test("The shipped cases come to the same on one thread as on many", arguments: [2, 3, 16])
    func same(_ threads: Int) throws {
        let apps = try Self.folder.apps() + ["no-such-app"]
        let one = AppCases.run(apps, in: Self.folder, threads: 1)
        let many = AppCases.run(apps, in: Self.folder, threads: threads)
        #expect(one.map(\.app) == apps && many.map(\.app) == apps)
        #expect(one.map { String(describing: $0) } == many.map { String(describing: $0) })
        for (app, outcome) in zip(apps, one) {
            guard app != "no-such-app" else {
                #expect(throws: StoreFault.self) { try outcome.cases.get() }
                continue
            }
            guard case .ran(let results, let broken) = try outcome.cases.get() else {
                Issue.record("\(app) did not run")
                continue
            }
            #expect(!results.isEmpty && broken.isEmpty && results.allSatisfy { $0.outcome == .passed }, "\(app)")
        }
    }
}
