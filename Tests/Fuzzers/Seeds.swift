// What fuzzers begin with: of the files of cases what is an input, and, of what is not text, honest examples.
import Foundation
import JSONDocument
import PushMessage

@testable import RuleEngine
@testable import RuleStore
@testable import RuleWorkers

struct Seeds {
    private let fuzzer: FuzzerName
    private let folder: String

    init(of fuzzer: FuzzerName, in folder: String) {
        self.fuzzer = fuzzer
        self.folder = folder
    }

    func write(from files: ArraySlice<String>) throws {
        var count = 0
        func add(_ seed: [UInt8]) throws {
            count += 1
            try Data(seed).write(to: URL(fileURLWithPath: "\(folder)/seed-\(count)"))
        }
        for file in files {
            for part in parts(of: [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))) { try add(part) }
        }
        for example in try examples() { try add(example) }
    }

    private func parts(of file: [UInt8]) -> [[UInt8]] {
        // A file of rules stands behind its app.lua.
        if fuzzer == .app { return [text(file).contains("api") ? file : Array("return { api = 1 }\0".utf8) + file] }
        let document = JSONDocument()
        do { try document.read(file, limit: 1 << 20) } catch { return [file] }
        guard let root = document.root else { return [] }
        let names: [JSONText] =
            switch fuzzer {
            case .message: ["input", "message"]
            case .device: ["device"]
            case .state: ["state"]
            default: []
            }
        let found = names.compactMap { root[$0] }.filter { !$0.isNull }
        return found.isEmpty ? [file] : found.map { $0.text.map { Array($0.bytes) } ?? $0.json }
    }

    static let rules = """
        rule "Everything" {
          on = { "present", "send", "enrich", "receive", "due" }, cap = { 3, per = "day" },
          decide = function(msg)
            state.set("a", { 1, "two" }, { ttl = "1d" })
            state.app.set("b", 1)
            log("said")
            return {
              title = "T", body = "B", badge = "+1", route = { tab = "chat", path = { "r-1" }, mode = "push" },
              display = { "banner" }, topics = { subscribe = { "news" } }, labels = { kind = "x" }, inbox = { id = 1 }, reason = "because",
              attachments = { { url = "https://example.com/a.png" } }, relevance = 0.5,
            }
          end,
        }
        rule "Later" { on = "receive", decide = defer("2h", "later") }
        rule "Fails" { on = "open", decide = function(msg) return { badge = msg.data.nothing.at_all } end }
        """

    private func examples() throws -> [[UInt8]] {
        switch fuzzer {
        case .answer: try evaluations().map { [0] + $0.answer } + outlines() + [[7] + frames()]
        case .question:
            try evaluations().map(\.question)
                + [AppCrossing.bytes(app: "app", files: FuzzScene.files(rules: Array(Self.rules.utf8)), limits: LoadLimits())]
        case .state: try evaluations().map(\.state)
        case .device: [Array(FuzzScene.device.utf8)]
        case .message: [Array(FuzzScene.message.utf8)]
        case .app: [Array("return { api = 1 }\0\(Self.rules)".utf8)]
        case .decision: (0..<64).map { first in (0..<32).map { UInt8(truncatingIfNeeded: first &* 97 &+ $0 &* $0 &* 31 &+ first &* $0) } }
        }
    }

    /// One after the other, on the state that the one before has left.
    private func evaluations() throws -> [(question: [UInt8], answer: [UInt8], state: [UInt8])] {
        let scene = FuzzScene()
        let evaluator = load(FuzzScene.files(rules: Array(Self.rules.utf8)))
        var state = AppState()
        return ["present", "send", "receive", "open", "resume", "due", "settings", "account", "token"].map { name in
            let event =
                switch name {
                case "settings": #"{"name":"settings","changed":{"app_push":true,"channels":{"offers":false}}}"#
                case "account": #"{"name":"account","op":"login","account":"u-1"}"#
                case "token": #"{"name":"token","kind":"fcm","value":"abc"}"#
                default: "\"\(name)\""
                }
            let hasMessage = ["present", "send", "receive", "open"].contains(name)
            let message = FuzzScene.message.replacing("m-1", with: "m-\(name)")
            var request = scene.request(event: event, message: hasMessage ? message : nil, state: state)
            request.options.tracesRules = name == "send"
            request.options.payload = name == "send" ? .sent : .left
            let question = Question(request, windows: DedupeWindows())
            let evaluation = evaluator.evaluate(request)
            state.apply(evaluation.effects, recipient: evaluation.decision.recipient ?? "")
            return (question.bytes, evaluation.crossing, StateWriter.file(state))
        }
    }

    private func outlines() -> [[UInt8]] {
        let files = FuzzScene.files(rules: Array(Self.rules.utf8))
        var seeds: [[UInt8]] = []
        if case .loaded(let app) = RulesetLoader.load(app: "app", files: files, keepingManifest: true) {
            seeds.append([1] + AppCrossing.outline(of: app))
        }
        if case .failed(let faults) = RulesetLoader.load(app: "app", files: FuzzScene.files(rules: Array("rule 1".utf8))) {
            seeds.append([2] + AppCrossing.bytes(of: faults))
        }
        return seeds
    }

    private func frames() -> [UInt8] {
        var bytes: [UInt8] = []
        Frame.append(.sealed, to: &bytes) { _ in }
        Frame.append(.answer, to: &bytes) { $0 += [1, 2, 3] }
        Frame.append(.zoneWanted, to: &bytes) { $0 += Array("Europe/Berlin".utf8) }
        return bytes
    }
}
