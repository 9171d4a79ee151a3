// An app made of the text of its rules, for tests of what lives through traffic.
import JSONDocument
import PushMessage
import RuleEngine
import Testing

@testable import RuleLab

enum LoadedRules {
    struct DoesNotLoad: Error { let faults: [RuleFault] }

    static func evaluator(_ rules: String, manifest: String = "return { api = 1 }", app: String = "app") throws -> Evaluator {
        let files = [SourceFile(path: "app.lua", bytes: Array(manifest.utf8)), SourceFile(path: "rules.lua", bytes: Array(rules.utf8))]
        switch RulesetLoader.load(app: app, files: files) {
        case .loaded(let app): return Evaluator(app)
        case .failed(let faults): throw DoesNotLoad(faults: faults)
        }
    }

    /// A line of traffic: `message` is the text of a JSON object, or nil.
    static func line(
        _ at: String, _ id: String? = "m-1", alert: String = "Hello", data: String = "", event: String? = nil, device: String = "",
        app: String = "app"
    ) -> String {
        var members = [#""at":"2026-03-02T\#(at)Z""#, #""app":"\#(app)""#]
        if let event { members.append(#""event":\#(event)"#) }
        if let id { members.append(#""message":{"aps":{"alert":"\#(alert)"},"message_id":"\#(id)"\#(data)}"#) }
        members.append(#""device":{"recipient":"u-1"\#(device)}"#)
        return "{" + members.joined(separator: ",") + "}"
    }

    static func batches(_ lines: [String], of size: Int = 3) -> [TrafficBatch] {
        stride(from: 0, to: lines.count, by: size).map { start in
            var batch = TrafficBatch()
            for place in start..<min(start + size, lines.count) {
                Array(lines[place].utf8).withUnsafeBytes { batch.add($0, number: place + 1) }
            }
            return batch
        }
    }
}
