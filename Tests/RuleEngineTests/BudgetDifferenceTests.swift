// Under whatever budget: a message is decided as without one, or with a budget error - never a third way. What the rules
// before the error did stays, of the one that ran out nothing is left, and the machine made anew decides as a fresh one.
//
// `make test` looks at a few seeds; RULEHOST_WHOLE=1 at thousands.
import Foundation
import LuaSandbox
import PushMessage
import Testing

@testable import RuleEngine

@Suite("Budgets change nothing but the end") struct BudgetDifferenceTests {
    private static let isWhole = ProcessInfo.processInfo.environment["RULEHOST_WHOLE"] == "1"
    static let seeds = Array(UInt64(1)...(isWhole ? 2_000 : 24))

    /// Time enough that only what is tested ends a rule.
    private func scene(_ rules: String, _ change: (inout ScriptLimits) -> Void = { _ in }) -> Scene {
        var scene = Scene(rules: rules, app: Scene.forgetful)
        scene.options.tracesRules = true
        scene.limits.script.callMilliseconds = 20_000
        scene.limits.script.loadMilliseconds = 20_000
        change(&scene.limits.script)
        return scene
    }

    /// The answer, or nil when the app does not even load within the limits.
    private func evaluator(_ scene: Scene, mayFail: Bool = false) throws -> Evaluator? {
        do { return Evaluator(try scene.load()) } catch {
            if !mayFail { throw error }
            return nil
        }
    }

    /// Bodies of the generated rules that must not be told apart from `whole` but by their end.
    private func expect(
        _ answer: Scene.Answer, toBe whole: Scene.Answer, orEndWith code: String, _ generated: GeneratedRules, _ note: String
    ) throws {
        guard answer.json != whole.json || answer.effects != whole.effects else { return }
        let errors = answer.decision.errors
        let error = try #require(errors.last, "a third answer, \(note): \(answer.json) in place of \(whole.json)")
        #expect(error.code == code && errors.dropLast().elementsEqual(whole.decision.errors.prefix(errors.count - 1)), "\(note): \(errors)")
        let place = try #require(Int((error.rule ?? "").dropFirst()), "\(note): \(error)")
        let before = try scene(generated.text(of: place - 1)).answer()
        #expect(answer.effects == before.effects, "\(note): effects of a rule that failed, or lost ones")
        #expect(answer.decision.content == before.decision.content, "\(note)")
        #expect(answer.decision.labels.elementsEqual(before.decision.labels) { $0 == $1 }, "\(note)")
        let outcomes = try #require(answer.decision.trace?.rules.map(\.outcome))
        #expect(outcomes[place - 1] == .error && outcomes[place...].allSatisfy { $0 == .notRun }, "\(note)")
    }

    @Test("Fuel: the same answer or budget_fuel, again and on a new machine the same", arguments: seeds)
    func fuel(seed: UInt64) throws {
        let generated = GeneratedRules(seed: seed)
        let text = generated.text(of: .max)
        let warm = try #require(try evaluator(scene(text)))
        let whole = try scene(text).answer(from: warm)
        #expect(whole.decision.errors.isEmpty, "\(whole.decision.errors) \(text)")
        for _ in 0..<3 { #expect(try scene(text).answer(from: warm).json == whole.json, "warm and fresh differ: seed \(seed)") }
        let used = whole.decision.usage.fuel
        var random = SeededNumbers(seed: seed &+ 77)
        var budgets = [1, used - 1, used, used + 100]
        for _ in 0..<(Self.isWhole ? 40 : 4) { budgets.append(1 + random.below(used + 1)) }
        for budget in budgets where budget > 0 {
            let scene = scene(text) { $0.callFuel = Int64(budget) }
            let note = "seed \(seed), fuel \(budget) of \(used)"
            let rationed = try #require(try evaluator(scene))
            let answer = try scene.answer(from: rationed)
            try expect(answer, toBe: whole, orEndWith: "budget_fuel", generated, note)
            if budget >= used { #expect(answer.json == whole.json, "\(note)") }
            let again = try scene.answer(from: rationed)
            #expect(again.json == answer.json && again.effects == answer.effects, "\(note): another answer after the stop")
        }
    }

    @Test("Memory, one text and one table: the same answer or budget_memory", arguments: seeds)
    func memory(seed: UInt64) throws {
        let generated = GeneratedRules(seed: seed)
        let text = generated.text(of: .max)
        let whole = try scene(text).answer()
        var random = SeededNumbers(seed: seed &+ 99)
        for turn in 0..<(Self.isWhole ? 20 : 5) {
            let scene = scene(text) { limits in
                switch turn % 3 {
                case 0: limits.memory = 24_000 + random.below(60_000)
                case 1: limits.string = 64 + random.below(400)
                default: limits.block = 2_048 + random.below(8_000)
                }
            }
            guard let rationed = try evaluator(scene, mayFail: true) else { continue }
            let note =
                "seed \(seed), memory \(scene.limits.script.memory), text \(scene.limits.script.string), block \(scene.limits.script.block)"
            for _ in 0..<3 {
                try expect(try scene.answer(from: rationed), toBe: whole, orEndWith: "budget_memory", generated, note)
            }
        }
    }

    @Test("The fuel of a load: the same rules, or one fault that says so", arguments: seeds)
    func load(seed: UInt64) throws {
        let text = GeneratedRules(seed: seed).text(of: .max)
        let whole = try scene(text).load()
        var random = SeededNumbers(seed: seed &+ 11)
        for _ in 0..<(Self.isWhole ? 20 : 4) {
            let scene = scene(text) { $0.loadFuel = 1 + Int64(random.below(12_000)) }
            let files = [SourceFile(path: "app.lua", bytes: Array(scene.app.utf8)), SourceFile(path: "rules.lua", bytes: Array(text.utf8))]
            switch RulesetLoader.load(app: "test", files: files, limits: scene.limits) {
            case .loaded(let app):
                #expect(app.ruleset.hash == whole.ruleset.hash && app.ruleset.rules.map(\.name) == whole.ruleset.rules.map(\.name))
            case .failed(let faults): #expect(faults.map(\.code) == [.budgetFuel], "seed \(seed): \(faults)")
            }
        }
    }
}
