// Any bytes as app.lua and, behind a NUL, as a file of rules: everything that is wrong has a place and words, or the app
// loads, the same twice, is told to another process, and answers.
import JSONDocument
import PushMessage

@testable import RuleEngine

final class AppFuzzer: Fuzzer {
    private let scene = FuzzScene()

    func run(_ bytes: UnsafeRawBufferPointer) {
        let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false).map { Array($0) }
        let files = FuzzScene.files(app: parts[0], rules: parts.count > 1 ? parts[1] : Self.rules)
        switch (load(files), load(files)) {
        case (.failed(let faults), .failed(let again)):
            demand(faults == again, "the same faults twice: \(faults), \(again)")
            demand(!faults.isEmpty, "it fails for a reason")
            for fault in faults { look(at: fault, in: files) }
            let back = must("faults are told to another process") { try AppCrossing.bytes(of: faults).withUnsafeBytes(AppCrossing.faults) }
            demand(back == faults, "faults cross whole: \(faults)")
        case (.loaded(let app), .loaded(let again)):
            outline(app, files)
            ask(Evaluator(app), Evaluator(again))
        default: demand(false, "it loads twice or never")
        }
    }

    private static let rules = Array(#"rule "R" { on = { "present", "open" }, decide = { badge = "+1", route = "shop://cart" } }"#.utf8)

    private func load(_ files: [SourceFile]) -> LoadOutcome {
        RulesetLoader.load(app: "app", files: files, limits: FuzzScene.limits, keepingManifest: true)
    }

    private func look(at fault: RuleFault, in files: [SourceFile]) {
        demand(files.contains { $0.path == fault.file }, "a fault names a file: \(fault)")
        demand(fault.line >= 0 && fault.column >= 0 && !fault.message.isEmpty && fault.hint != "", "a fault says what is wrong: \(fault)")
        let lines = files.first { $0.path == fault.file }?.bytes.count { $0 == 10 || $0 == 13 } ?? 0
        demand(fault.line <= lines + 1, "a fault lies inside its file: \(fault)")
        demand(!(fault.message + (fault.hint ?? "")).utf8.contains { $0 < 32 }, "a fault is one line: \(fault)")
    }

    private func outline(_ app: LoadedApp, _ files: [SourceFile]) {
        let told = AppCrossing.outline(of: app)
        let (ruleset, warnings) = must("an app is told to another process: \(text(app.manifest))") {
            try told.withUnsafeBytes { try AppCrossing.outline($0, app: "app", files: files, limits: FuzzScene.limits) }
        }
        demand(ruleset.hash == app.ruleset.hash && ruleset.rules.count == app.ruleset.rules.count, "an app crosses whole")
        demand(warnings.map(\.message) == app.warnings.map(\.message), "warnings cross whole")
    }

    private func ask(_ one: Evaluator, _ other: Evaluator) {
        demand(one.ruleset.hash == other.ruleset.hash, "the same hash twice")
        for event in ["present", "open", "send"] {
            var answers: [[UInt8]] = []
            for evaluator in [one, other] {
                let request = scene.request(event: "\"\(event)\"")
                let question = Question(request, windows: DedupeWindows())
                let evaluation = evaluator.evaluate(request)
                scene.demandWhole(evaluation, to: question, of: evaluator.ruleset)
                answers.append(DecisionWriter.bytes(of: evaluation.decision))
            }
            demand(answers[0] == answers[1], "the same decision twice: \(text(answers[0])), \(text(answers[1]))")
        }
    }
}
