// One phone, one message and one app, about which fuzzers ask. It owns the readers that a request is a view into.
import JSONDocument
import LuaSandbox
import PushMessage

@testable import RuleEngine
@testable import RuleStore

final class FuzzScene {
    let devices = DeviceReader()
    let messages = MessageReader()
    private let deviceText = JSONDocument()
    private let eventText = JSONDocument()

    static let message = """
        {"message_id":"m-1","aps":{"alert":{"title":"Mina","body":"Hello"},"sound":"default","badge":3},"chat_id":"r-1"}
        """
    static let device = """
        {"recipient":"u-1","state":"foreground","timezone":"Europe/Berlin","screen":{"tab":"chat","path":["r-1"]},"badge":2,
         "channels":{"chat":true},"topics":["news"],"accounts":["a-1"],"locale":"de-DE","app_version":"1.2.3"}
        """
    static let now = Instant("2026-01-01T12:00:00Z") ?? Instant(milliseconds: 0)

    /// Valid until the next one.
    func request(
        event: String = #""present""#, message: String? = FuzzScene.message, state: AppState = AppState()
    ) -> EvaluationRequest {
        must("the scene is read") {
            try deviceText.read(Self.device)
            let device = try devices.read(deviceText.root)
            try eventText.read(event)
            let read = try message.map { try messages.read(Array($0.utf8), for: device.messageContext) }
            guard let root = eventText.root else { throw CrossingFault("an event") }
            return EvaluationRequest(message: read, device: device, event: try Event.read(root), now: Self.now, state: state)
        }
    }

    static func files(app: [UInt8] = Array("return { api = 1 }".utf8), rules: [UInt8]) -> [SourceFile] {
        [SourceFile(path: "app.lua", bytes: app), SourceFile(path: "rules.lua", bytes: rules)]
    }

    /// Fuel ends what does not end: the clock differs from run to run.
    static var limits: LoadLimits {
        var limits = LoadLimits()
        limits.script.loadFuel = 500_000
        limits.script.callFuel = 100_000
        limits.script.loadMilliseconds = 20_000
        limits.script.callMilliseconds = 20_000
        return limits
    }

    /// What must hold of every evaluation: its decision is JSON, it crosses to another process and back, and the state that
    /// it leaves can be written and read.
    func demandWhole(_ evaluation: Evaluation, to question: Question, of ruleset: Ruleset, from state: AppState = AppState()) {
        let json = DecisionWriter.bytes(of: evaluation.decision)
        demandJSON(json, "a decision")
        let back = must("an honest answer counts: \(text(json))") {
            try evaluation.crossing.withUnsafeBytes { try Evaluation(crossing: $0, to: question, of: ruleset) }
        }
        demand(DecisionWriter.bytes(of: back.decision) == json, "a decision crosses whole: \(text(json))")
        demand(back.effects == evaluation.effects, "effects cross whole: \(evaluation.effects)")
        for error in evaluation.decision.errors {
            demand(!error.code.isEmpty && !error.message.isEmpty && error.line >= 0, "an error says what is wrong: \(error)")
        }
        demandKept(evaluation, from: state)
    }

    func demandKept(_ evaluation: Evaluation, from state: AppState) {
        var state = state
        state.apply(evaluation.effects, recipient: evaluation.decision.recipient ?? "")
        let file = StateWriter.file(state)
        let again = must("a state that was written is read: \(text(file))") { try StateFile.parse(file, path: "state.json") }
        demand(StateWriter.file(again) == file, "a state that was read is written the same: \(text(file))")
    }
}
