// One pure function from message, device, event, time and state to a decision and its effects. Dry run, tests,
// comparison and servers all come here; nothing in here knows a clock, a file or the machine it runs on.
//
// The order in which a decision is made - each step is one file or one line below:
//
//   1. who            the recipient and what is stored for it
//   2. seen before    a message that was here already is answered without rules
//   3. rules          enabled, starts and expires, matchers, shares, `when`, quiet, cap, `decide` - then merged
//   4. handing over   on `resume`: what was kept for the app; rules may lead elsewhere
//   5. defaults       what a message does when no rule says anything
//   6. guards         in the order of GuardName
//   7. badge          knows whether the message is shown
//   8. route          waits for `resume` when the app has to start first
//   9. topics         operations that change something
//  10. inbox          the value kept for the app
//  11. payload        on `send` and `enrich`, the message as it goes out
//
// State changes of all steps are the evaluation's effects; none is applied here.

import JSONDocument
import LuaSandbox
import PushMessage

public final class Evaluator {
    private var app: LoadedApp
    private var plan: Plan
    private var scripts: Scripts
    /// Made when a message that was held back is looked at for the first time.
    private lazy var waitingReader = WaitingReader(app.ruleset.manifest)

    public init(_ app: LoadedApp) {
        self.app = app
        self.plan = Plan(app.ruleset)
        self.scripts = Scripts(machine: app.machine)
    }

    public var ruleset: Ruleset { app.ruleset }
    public var warnings: [RuleWarning] { app.warnings }

    /// Why no rule is asked; nil: rules are.
    private var outage: RuleError?

    func answer(_ request: consuming EvaluationRequest, withoutRules error: RuleError) -> Evaluation {
        outage = error
        defer { outage = nil }
        return evaluate(request)
    }

    /// Evaluates one event. The same request gives the same evaluation, whatever was evaluated before.
    ///
    /// Pass the request as a temporary when its state is changed afterwards: a request that is kept makes the change
    /// copy the state.
    public func evaluate(_ request: consuming EvaluationRequest) -> Evaluation {
        switch request.event.name {
        case .due: evaluateDue(request)
        case .resume: evaluateResume(request)
        case .send, .enrich, .receive, .present, .open, .token, .account, .settings: evaluate(request, waiting: nil)
        }
    }

    private func evaluate(_ request: consuming EvaluationRequest, waiting: WaitingMessage?) -> Evaluation {
        reviveAfterStop()
        let situation = Situation(request, plan: plan, waiting: waiting)
        var rules = RuleRun(situation, scripts: scripts)
        if plan.guardModes[.duplicate] == .on, situation.isSecondCopy { return DecisionMaking(rules).makeDuplicate() }
        if let outage { rules.leaveOut(because: outage) } else { rules.run() }
        return DecisionMaking(rules).make()
    }

    // MARK: messages that were held back

    /// A message is looked at again. One that is not waiting (any more) is not looked at: it has had its answer.
    private func evaluateDue(_ request: consuming EvaluationRequest) -> Evaluation {
        switch WaitingMessage.find(in: request) {
        case .waiting(let kept): look(at: kept, request, isResuming: false)
        case .notNamed: evaluate(request, waiting: nil)
        case .notWaiting(let why): refuse(why, request, dropping: nil)
        }
    }

    /// What waited for the app to come to the front comes first, oldest first; then the event itself.
    private func evaluateResume(_ request: consuming EvaluationRequest) -> Evaluation {
        let kept = WaitingMessage.forResume(in: request)
        guard !kept.isEmpty else { return evaluate(request, waiting: nil) }
        var request = request
        var effects: [Effect] = []
        var answers: [Decision] = []
        for message in kept {
            let evaluation = look(at: message, request, isResuming: true)
            request.state.apply(evaluation.effects, recipient: request.device.recipient?.string ?? "")
            effects += evaluation.effects
            answers.append(evaluation.decision)
            // The next one counts on from there, whatever the phone showed before.
            if let badge = evaluation.decision.badge, request.device.badge != nil { request.device.badge = badge.value }
        }
        if let badge = request.device.badge { request.device = waitingReader.device(request.device, badge: badge) }
        var evaluation = evaluate(request, waiting: nil)
        evaluation.decision.handOver(answers)
        evaluation.effects = effects + evaluation.effects
        return evaluation
    }

    private func look(at kept: DeferredMessage, _ request: EvaluationRequest, isResuming: Bool) -> Evaluation {
        guard let again = waitingReader.request(for: kept, in: request) else {
            return refuse("what is kept as \"\(kept.id)\" cannot be read as a message", request, dropping: kept)
        }
        return evaluate(again, waiting: WaitingMessage(kept: kept, isResuming: isResuming))
    }

    private func refuse(_ why: String, _ request: EvaluationRequest, dropping kept: DeferredMessage?) -> Evaluation {
        var decision = Decision(app: plan.ruleset.app, ruleset: plan.ruleset.hash, event: .due)
        decision.recipient = request.device.recipient?.string
        // Of an id that nobody waits under, a message that is given beside it says nothing.
        if case .none = request.event.meaning { decision.messageID = request.message?.id.string }
        decision.warnings.append(.notDeferred(why))
        return Evaluation(decision: decision, effects: kept.map { [.dropDeferred(id: $0.id)] } ?? [])
    }

    /// A machine that was stopped is made anew from the same files; until then its app has no scripts. So is one that
    /// holds too much memory in small pieces.
    private func reviveAfterStop() {
        guard app.machine.isDead || app.machine.isWorn else { return }
        guard
            case .loaded(let again) = RulesetLoader.load(
                app: app.ruleset.app, files: app.ruleset.files, limits: app.limits, countingInto: app.counts)
        else { return }
        app = again
        plan = Plan(again.ruleset)
        scripts = Scripts(machine: again.machine)
    }
}
