// The question and the answer of an evaluation. Whoever asks - dry run, tests, comparison, server - builds a request,
// gets a decision with its effects, and commits both together or drops both.
public import PushMessage

public struct EvaluationRequest {
    /// nil: an event without a message. A view into its reader.
    public var message: Message?
    public var device: Device
    public var event: Event
    /// The only clock there is.
    public var now: Instant
    public var state: AppState
    public var options: EvaluationOptions

    public init(
        message: Message?, device: Device, event: Event, now: Instant, state: AppState = AppState(),
        options: EvaluationOptions = EvaluationOptions()
    ) {
        self.message = message
        self.device = device
        self.event = event
        self.now = now
        self.state = state
        self.options = options
    }
}

public struct EvaluationOptions: Sendable, Equatable {
    public var tracesRules = false
    /// Beside the rules, what each of their functions did, line by line; only with `tracesRules`.
    public var tracesLines = false
    public var payload = PayloadEmission.left
    /// Usage tells the memory that scripts needed as well.
    public var measuresMemory = false

    public init(
        tracesRules: Bool = false, tracesLines: Bool = false, payload: PayloadEmission = .left, measuresMemory: Bool = false
    ) {
        self.tracesRules = tracesRules || tracesLines
        self.tracesLines = tracesLines
        self.payload = payload
        self.measuresMemory = measuresMemory
    }
}

public struct Evaluation: Sendable {
    public var decision: Decision
    /// For the recipient that the decision names ("" when none), in order: `AppState.apply(_:recipient:)`.
    public var effects: [Effect]
}
