// Runs an example of the reference as a case, on the same way as everything else that is evaluated.
import JSONDocument
import PushMessage
import RuleEngine
import RuleLab
import RuleReference

struct ExampleBench {
    let app: String
    let rules: String
    let scene: Example.Scene
    /// A part of the decision.
    let gives: String

    /// nil for an example that is no rule.
    init?(_ example: Example) {
        switch example {
        case .value(let expression, let gives, let scene):
            app = "return { api = 1 }"
            let events = EventName.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            rules = """
                rule "Example" {
                  on     = { \(events) },
                  decide = function(msg, device, event) return { inbox = { value = \(expression) } } end,
                }
                """
            self.scene = scene
            self.gives = "{\"inbox\": {\"value\": \(gives)}}"
        case .rules(let rules, let gives, let scene):
            (app, self.rules, self.gives, self.scene) = ("return { api = 1 }", rules, gives, scene)
        case .app(let app, let rules, let gives, let scene): (self.app, self.rules, self.gives, self.scene) = (app, rules, gives, scene)
        case .message, .json, .journey, .page, .none: return nil
        }
    }

    private var files: [SourceFile] {
        var files = [SourceFile(path: "app.lua", bytes: Array(app.utf8)), SourceFile(path: "rules.lua", bytes: Array(rules.utf8))]
        if let strings = scene.strings { files.append(SourceFile(path: "lib/strings/en.lua", bytes: Array(strings.utf8))) }
        if let module = scene.module { files.append(SourceFile(path: "lib/room.lua", bytes: Array(module.utf8))) }
        return files
    }

    private var oneCase: String {
        let event = scene.event.hasPrefix("{") ? scene.event : "\"\(scene.event)\""
        let state = scene.state.map { ", \"state\": \($0)" } ?? ""
        return """
            [{"name": "example", "message": \(scene.message ?? "null"), "device": \(scene.device), "event": \(event),
              "now": "\(scene.now)"\(state), "expect": \(gives)}]
            """
    }

    /// What is wrong; empty when the example is right.
    func faults() throws -> [String] {
        let files = files
        let load = { () -> (any RuleEvaluating)? in
            if case .loaded(let app) = RulesetLoader.load(app: "example", files: files) { Evaluator(app) } else { nil }
        }
        switch RulesetLoader.load(app: "example", files: files) {
        case .failed(let faults): return faults.map { "\($0.file):\($0.line): \($0.message) \($0.hint ?? "")" }
        case .loaded(let app):
            guard app.warnings.isEmpty else { return app.warnings.map(\.message) }
            let file = try CaseFile(path: "cases/example.json", source: Array(oneCase.utf8)) { name throws(CaseFault) in
                throw CaseFault(code: .caseFileMissing, message: name)
            }
            return CaseRunner(Evaluator(app), reload: load).run(file).compactMap { result in
                result.outcome == .passed ? nil : "\(result.outcome)"
            }
        }
    }
}
