// One evaluation in the words of a test: rules as Lua text, message and device as JSON text. The app is loaded and the
// message read by the real loader and reader; nothing is made up.
import JSONDocument
import PushMessage
import Testing

@testable import RuleEngine

struct Scene {
    var rules = ""
    var app = "return { api = 1 }"
    var message: String? = Scene.alert
    var device = #"{"recipient":"u-1","state":"foreground"}"#
    var event = #""present""#
    var now = Instant("2026-01-01T12:00:00Z")!
    var state = AppState()
    var options = EvaluationOptions()
    var limits = LoadLimits()
    /// A message that is asked about with `due` is held back, as any that is due.
    var holdsWhatIsDue = true

    /// An app in which one message may come again and again.
    static let forgetful = "return { api = 1, guards = { duplicate = false } }"

    static let alert = #"{"message_id":"m-1","aps":{"alert":{"title":"Mina","body":"Hello"},"sound":"default"},"chat_id":"r-1"}"#

    /// What came of it, kept beyond the readers' lives.
    struct Answer {
        let decision: Decision
        /// Without what the host keeps of the message.
        let effects: [Effect]
        /// The state afterwards.
        let state: AppState
        let json: String
    }

    func load() throws -> LoadedApp {
        let files = [
            SourceFile(path: "app.lua", bytes: Array(app.utf8)), SourceFile(path: "rules.lua", bytes: Array(rules.utf8)),
        ]
        switch RulesetLoader.load(app: "test", files: files, limits: limits) {
        case .loaded(let app): return app
        case .failed(let faults): throw Unloadable(faults: faults.map { "\($0.file):\($0.line): \($0.message)" })
        }
    }

    func answer() throws -> Answer { try answer(from: Evaluator(load())) }

    func answer(from evaluator: Evaluator) throws -> Answer {
        try ask(evaluator) { request, state in
            let evaluation = evaluator.evaluate(request)
            state.apply(evaluation.effects, recipient: evaluation.decision.recipient ?? "")
            return Answer(
                decision: evaluation.decision,
                effects: evaluation.effects.filter { if case .sawMessage = $0 { false } else { true } }, state: state,
                json: String(decoding: DecisionWriter.bytes(of: evaluation.decision), as: UTF8.self))
        }
    }

    func journey() throws -> [Decision] {
        let evaluator = Evaluator(try load())
        return try ask(evaluator) { request, _ in evaluator.evaluateJourney(request).evaluations.map(\.decision) }
    }

    /// Hands the request itself over.
    func asked<T>(_ evaluator: Evaluator, _ body: (EvaluationRequest) throws -> T) throws -> T {
        try ask(evaluator) { request, _ in try body(request) }
    }

    private func ask<T>(_ evaluator: Evaluator, _ body: (EvaluationRequest, inout AppState) throws -> T) throws -> T {
        let deviceText = JSONDocument()
        try deviceText.read(device)
        let devices = DeviceReader()
        let device = try devices.read(deviceText.root)
        let eventText = JSONDocument()
        try eventText.read(event)
        let event = try Event.read(try #require(eventText.root))
        let messages = MessageReader(fields: evaluator.ruleset.manifest.fields, links: evaluator.ruleset.manifest.linkOrder)
        var read: Message?
        if let message {
            let bytes = Array(message.utf8)
            read = try bytes.withUnsafeBytes { raw in try messages.read(raw, for: device.messageContext) }
        }
        var state = state
        let recipient = device.recipient?.string ?? ""
        if holdsWhatIsDue, self.event == #""due""#, let read, let message, state.recipients[recipient]?.deferred.isEmpty ?? true {
            let id = read.id.string
            state.recipients[recipient, default: RecipientState()].deferred = [
                DeferredMessage(
                    id: read.idGenerated ? DeferredMessage.id(id, first: now) : id, event: .present, message: Array(message.utf8),
                    format: nil, device: Array("{}".utf8), until: .resume)
            ]
        }
        return try withExtendedLifetime((deviceText, eventText, devices, messages)) {
            try body(
                EvaluationRequest(
                    message: read, device: device, event: event, now: now, state: state, options: options), &state)
        }
    }
}

struct Unloadable: Error { let faults: [String] }

extension AppState {
    /// The recipient that scenes are about.
    var one: RecipientState {
        get { recipients["u-1"] ?? RecipientState() }
        set { recipients["u-1"] = newValue }
    }
}
