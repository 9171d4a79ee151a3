// Every app that we ship or test with, on all of its cases, under small budgets of each kind: each evaluation is the same as
// without, or it says which budget ended a rule, and changes nothing that the whole one would not have changed.
//
// `make test` draws a few budgets for each app; RULEHOST_WHOLE=1 takes all of them, for each evaluation.
import Foundation
import LuaSandbox
import RuleEngine
import RuleStore
import Testing

@testable import RuleLab

/// Answers as an app without limits, and asks the same of machines that have less.
private final class Rationed: RuleEvaluating {
    struct Ration {
        let name: String
        /// What an error beside the usual ones may be.
        let codes: Set<String>
        let evaluator: Evaluator
    }

    private let whole: Evaluator
    private let rations: [Ration]
    private let fresh: () -> Evaluator?
    private let takesAll: Bool
    private(set) var count = 0
    private(set) var stops = 0
    private(set) var differences: [String] = []

    init(_ whole: Evaluator, _ rations: [Ration], takesAll: Bool, fresh: @escaping () -> Evaluator?) {
        (self.whole, self.rations, self.takesAll, self.fresh) = (whole, rations, takesAll, fresh)
    }

    var ruleset: Ruleset { whole.ruleset }
    var warnings: [RuleWarning] { whole.warnings }

    func evaluate(_ request: consuming EvaluationRequest) -> Evaluation {
        let request = request
        let answer = whole.evaluate(request)
        // A machine that decides for the first time decides as one that has decided before.
        if takesAll || count % 7 == 0, let fresh = fresh() { compare(fresh.evaluate(request), answer, "a new machine", []) }
        let drawn = takesAll ? rations.count : min(2, rations.count)
        for turn in 0..<drawn {
            let ration = rations[(count &* 5 &+ turn &* 3) % rations.count]
            compare(ration.evaluator.evaluate(request), answer, ration.name, ration.codes)
        }
        count += 1
        return answer
    }

    private func compare(_ one: Evaluation, _ whole: Evaluation, _ name: String, _ codes: Set<String>) {
        let (text, other) = (DecisionWriter.bytes(of: one.decision), DecisionWriter.bytes(of: whole.decision))
        guard text != other || one.effects != whole.effects else { return }
        let usual = whole.decision.errors
        let more = one.decision.errors.filter { !usual.contains($0) }
        stops += 1
        if more.isEmpty || !more.allSatisfy({ codes.contains($0.code) }) {
            differences.append("\(name): \(String(decoding: text, as: UTF8.self)) in place of \(String(decoding: other, as: UTF8.self))")
        }
        let (written, all) = (Rationed.keys(one.effects), Rationed.keys(whole.effects))
        if !Set(written).isSubset(of: all) { differences.append("\(name): wrote \(written) in place of \(all)") }
    }

    /// What rules have written.
    private static func keys(_ effects: [Effect]) -> [String] {
        effects.compactMap { effect in
            switch effect {
            case .setValue(let scope, let key, _), .deleteValue(let scope, let key): "\(scope.rawValue) \(key)"
            case .setChannel(let code, _): "channel \(code)"
            case .resetChannels: "channels"
            default: nil
            }
        }
    }
}

@Suite("Apps under small budgets") struct RationedAppsTests {
    private static let isWhole = ProcessInfo.processInfo.environment["RULEHOST_WHOLE"] == "1"
    private static let folders = ["rules", "Tests/Cases/apps"].map { RulesFolder(path: "\(ShippedCasesTests.repository)/\($0)") }
    private static let apps: [(folder: Int, app: String)] = folders.indices.flatMap { place -> [(Int, String)] in
        do throws(StoreFault) { return try folders[place].apps().map { (place, $0) } } catch { return [] }
    }

    private static let rations: [(name: String, codes: Set<String>, set: @Sendable (inout ScriptLimits) -> Void)] = {
        var all: [(String, Set<String>, @Sendable (inout ScriptLimits) -> Void)] = []
        for fuel in [1, 60, 99, 100, 120, 150, 190, 230, 280, 340, 420, 600, 1_000, 3_000, 20_000] as [Int64] {
            all.append(("fuel \(fuel)", ["budget_fuel"], { $0.callFuel = fuel }))
        }
        for memory in [40_000, 48_000, 64_000, 96_000] { all.append(("memory \(memory)", ["budget_memory"], { $0.memory = memory })) }
        for text in [100, 400, 2_000] { all.append(("texts of \(text)", ["budget_memory"], { $0.string = text })) }
        for bytes in [16, 64, 200] { all.append(("values of \(bytes) bytes", ["bad_value", "rule_raised"], { $0.valueBytes = bytes })) }
        for nodes in [1, 3, 6] { all.append(("values of \(nodes) entries", ["bad_value", "rule_raised"], { $0.valueNodes = nodes })) }
        all.append(("values without depth", ["bad_value", "rule_raised"], { $0.valueDepth = 1 }))
        all.append(("no caught errors", ["budget_fuel"], { $0.caughtErrors = 0 }))
        return all
    }()

    private static func load(_ app: String, _ files: [SourceFile], _ set: (inout ScriptLimits) -> Void = { _ in }) -> LoadOutcome {
        var limits = LoadLimits()
        (limits.script.callMilliseconds, limits.script.loadMilliseconds) = (20_000, 20_000)
        set(&limits.script)
        return RulesetLoader.load(app: app, files: files, limits: limits)
    }

    @Test("Each evaluation is the same as without a budget, or a budget error", arguments: apps)
    func same(place: Int, app: String) throws {
        var made: [Rationed] = []
        _ = try AppCases.run(app, in: Self.folders[place]) { app, files in
            guard case .loaded(let whole) = Self.load(app, files) else { return .failed([]) }
            guard made.isEmpty else { return .ready(Evaluator(whole)) }
            // Loading an app for each takes longer than the asking.
            let drawn = Self.rations.indices.filter { Self.isWhole || $0 % 4 == app.utf8.count % 4 }
            let rations = drawn.compactMap { place -> Rationed.Ration? in
                let ration = Self.rations[place]
                guard case .loaded(let less) = Self.load(app, files, ration.set) else { return nil }
                return Rationed.Ration(name: ration.name, codes: ration.codes, evaluator: Evaluator(less))
            }
            #expect(rations.count > drawn.count / 3, "\(app)")
            let rationed = Rationed(Evaluator(whole), rations, takesAll: Self.isWhole) {
                if case .loaded(let again) = Self.load(app, files) { Evaluator(again) } else { nil }
            }
            made.append(rationed)
            return .ready(rationed)
        }
        for difference in made.flatMap(\.differences).prefix(3) { Issue.record("\(app): \(difference)") }
    }
}
