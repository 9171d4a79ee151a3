// Whoever counts or traces lines gets the answers that everybody gets: to the byte, with the same effects and the same fuel.
import JSONDocument
import LuaSandbox
import RuleEngine
import RuleStore
import Testing

@testable import RuleLab

struct RecordingTests {
    /// Answers plainly, and asks one that records the same.
    private final class Twin: RuleEvaluating {
        private let plain, recording: Evaluator
        let counts: LineCounts
        private(set) var count = 0
        private(set) var lines = 0
        private(set) var differences: [String] = []

        init?(_ app: String, _ files: [SourceFile]) throws {
            counts = try LineCounts(files.map { ($0.path, $0.bytes) })
            guard case .loaded(let plain) = RulesetLoader.load(app: app, files: files),
                case .loaded(let recording) = RulesetLoader.load(app: app, files: files, countingInto: counts)
            else { return nil }
            (self.plain, self.recording) = (Evaluator(plain), Evaluator(recording))
        }

        var ruleset: Ruleset { plain.ruleset }
        var warnings: [RuleWarning] { plain.warnings }

        func evaluate(_ request: consuming EvaluationRequest) -> Evaluation {
            let isTraced = request.options.tracesRules
            var other = copy request
            other.options = EvaluationOptions(tracesLines: true, payload: request.options.payload)
            var recorded = recording.evaluate(other)
            let answer = plain.evaluate(request)
            count += 1
            lines += recorded.decision.trace?.rules.reduce(0) { $0 + $1.lines.count } ?? 0
            recorded.decision.withoutLines(keepingTrace: isTraced)
            let (a, b) = (DecisionWriter.bytes(of: answer.decision), DecisionWriter.bytes(of: recorded.decision))
            if a != b { differences.append("\(String(decoding: a, as: UTF8.self)) but \(String(decoding: b, as: UTF8.self))") }
            if answer.effects != recorded.effects { differences.append("\(answer.effects) but \(recorded.effects)") }
            return answer
        }
    }

    private static let house = ShippedCasesTests.repository
    private static let folders = ["\(house)/rules", "\(house)/Tests/Cases/apps"].map { RulesFolder(path: $0) }
    private static let apps: [(Int, String)] = {
        var apps: [(Int, String)] = []
        for place in folders.indices {
            do throws(StoreFault) { apps += try folders[place].apps().map { (place, $0) } } catch { return [] }
        }
        return apps
    }()

    @Test("All cases of all apps are answered alike with and without a record", arguments: apps)
    func alike(place: Int, app: String) throws {
        var twins: [Twin] = []
        _ = try AppCases.run(app, in: Self.folders[place]) { app, files in
            do {
                guard let twin = try Twin(app, files) else { return .failed([]) }
                twins.append(twin)
                return .ready(twin)
            } catch {
                Issue.record("\(error)")
                return .failed([])
            }
        }
        #expect(twins.map(\.count).reduce(0, +) > 0)
        for difference in twins.flatMap(\.differences).prefix(3) { Issue.record("\(app): \(difference)") }
        guard app == "chat" else { return }
        #expect(twins.map(\.lines).reduce(0, +) > 100 && (1...40).contains { twins[0].counts.hits(of: "lib/room.lua", line: $0) > 0 })
    }
}

extension Decision {
    fileprivate mutating func withoutLines(keepingTrace: Bool) {
        if !keepingTrace { trace = nil }
        for place in trace?.rules.indices ?? 0..<0 {
            trace?.rules[place].lines = []
            trace?.rules[place].linesLeftOut = 0
        }
        for place in deferred.indices { deferred[place].withoutLines(keepingTrace: keepingTrace) }
    }
}
