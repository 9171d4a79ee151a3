// The hostile scripts of Tests/Cases/attacks in a process of their own: at load and inside decide they end as they do here,
// the process lives, and the app beside them in it notices nothing.
import Foundation
import RuleEngine
import Testing

@testable import RuleWorkers

@Suite("Attacks in a process", .serialized) struct AttackTests {
    private static let folder = "\(Scene.house)/Tests/Cases/attacks"
    static let names: [String] = {
        do { return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".lua") }.sorted() } catch {
            return []
        }
    }()
    /// The real program: one child for all of them.
    private static let pool = WorkerPool(program: "\(Scene.programs)/rulehost", workers: 1)

    @Test("The scripts are all here") func complete() { #expect(Self.names.count == 286) }

    private func source(_ name: String) throws -> String {
        String(decoding: try #require(FileManager.default.contents(atPath: "\(Self.folder)/\(name)")), as: UTF8.self)
    }

    private func isBad(_ text: String) -> Bool { text.contains("ESCAPE") || text.contains("WRONG") || text.contains("CORRUPT") }

    @Test("At load", arguments: names)
    func atLoad(_ name: String) throws {
        try attack(name, Scene.files(try source(name)))
    }

    @Test("Inside decide", arguments: names)
    func insideDecide(_ name: String) throws {
        let rules = """
            rule "attack" { on = "present", decide = function(msg, device) local HOST = { state_set = state.set, \
            state_get = state.get, ud_a = msg, ud_b = device, readonly = string }
            \(try source(name))
            end }
            """
        try attack(name, Scene.files(rules))
    }

    private func attack(_ name: String, _ files: [SourceFile]) throws {
        let neighbour = try Scene.app("neighbour", in: Self.pool)
        let before = Self.pool.processes
        switch (RulesetLoader.load(app: "attack", files: files), Self.pool.load(app: "attack", files: files)) {
        case (.failed(let here), .failed(let there)):
            #expect(there.allSatisfy { !isBad($0.message) })
            // The clock is only a net: where it spoke, another moment may let fuel or memory speak.
            if !(here + there).contains(where: { $0.code == .budgetTime }) { #expect(here == there) }
        case (.loaded(let here), .loaded(let there)):
            let evaluator = Evaluator(here)
            for _ in 0..<2 {
                let answer = there.evaluate([try Scene.question()])[0]
                #expect(!isBad(Scene.json(answer)))
                #expect(answer.decision.errors.count <= 1)
                let expected = try Scene.ask { evaluator.evaluate($0) }
                if !(answer.decision.errors + expected.decision.errors).contains(where: { $0.code == "budget_time" }) {
                    #expect(Scene.json(answer) == Scene.json(expected))
                }
            }
        case (_, .failed(let faults)): #expect(faults.allSatisfy { $0.code == .budgetTime }, "\(faults)")
        case (.failed(let faults), _): #expect(faults.allSatisfy { $0.code == .budgetTime }, "\(faults)")
        }
        #expect(neighbour.evaluate([try Scene.question("quiet")])[0].decision.display?.action == .suppress)
        // One that was stopped by a limit has left the neighbour's process; none has ended.
        #expect(Set(before).isSubset(of: Self.pool.processes))
        #expect(Self.pool.standing(of: "attack") != .quarantined && Self.pool.standing(of: "neighbour") == .sharing)
    }
}
