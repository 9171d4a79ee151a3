// Runs the rules of one event in order: looks at matchers, asks `when`, calls `decide`, merges what comes back. A rule
// that fails loses its contribution and its writes and the others go on; a stop of the machine ends the run.
import JSONDocument
import LuaSandbox
import PushMessage

struct RuleRun {
    private(set) var merge: Merge
    private(set) var errors: [RuleError] = []
    /// A rule's matchers and `when` held, and its `decide` returned well.
    private(set) var hasMatched = false
    private(set) var usage = ScriptUsage()
    /// What rules have written and logged; nil when no script ran.
    private(set) var written: (writes: StateLayer, log: [String])?
    /// Every rule that was looked at; nil unless the run is traced.
    private(set) var looks: [RuleLook]?

    let request: EvaluationRequest
    private let plan: Plan
    private let scripts: Scripts
    private var scriptsHaveBegun = false

    init(_ request: EvaluationRequest, plan: Plan, scripts: Scripts) {
        self.request = request
        self.plan = plan
        self.scripts = scripts
        self.merge = Merge(tracing: request.options.tracesRules)
        if request.options.tracesRules { looks = [] }
    }

    /// How one rule came out.
    private enum Outcome {
        case disabled
        case noMatch(Trace.Reason)
        case matched(Contribution?)
        case failed(RuleError, isFinal: Bool)
    }

    mutating func run(stored: RecipientState) {
        let rules = plan.rules[request.event.name.place]
        var ended: Trace.Reason?
        for place in rules.indices {
            if let reason = ended {
                guard looks != nil else { break }
                looks?.append(RuleLook(rule: rules[place].place, outcome: .notRun, because: reason))
                continue
            }
            let outcome = outcome(of: rules[place], stored: stored)
            settle(outcome, of: rules[place], ended: &ended)
        }
        if scriptsHaveBegun {
            usage = scripts.machine.end()
            written = scripts.host.end()
        }
    }

    private mutating func outcome(of rule: PlannedRule, stored: RecipientState) -> Outcome {
        guard rule.isEnabled else { return .disabled }
        for condition in rule.conditions where !condition.holds(for: request.message, on: request.device) {
            return .noMatch(.condition(condition))
        }
        if let when = rule.when {
            switch call(when, expecting: .truth, stored: stored) {
            case .truth(true), .value: break
            case .truth(false), .nothing: return .noMatch(.when)
            case .failed(let fault): return .failed(error(fault, of: rule), isFinal: fault.isFinal)
            }
        }
        switch rule.decide {
        case nil: return .matched(nil)
        case .table(let contribution): return .matched(contribution)
        case .function(let function): return decide(function, of: rule, stored: stored)
        }
    }

    private mutating func decide(_ function: Int64, of rule: PlannedRule, stored: RecipientState) -> Outcome {
        switch call(function, expecting: .table, stored: stored) {
        case .nothing, .truth: return .matched(nil)
        case .failed(let fault): return .failed(error(fault, of: rule), isFinal: fault.isFinal)
        case .value(let table):
            do throws(ContributionFault) {
                return .matched(try ContributionReader.read(table))
            } catch {
                return .failed(self.error(error, of: rule), isFinal: false)
            }
        }
    }

    private mutating func settle(_ outcome: Outcome, of rule: PlannedRule, ended: inout Trace.Reason?) {
        switch outcome {
        case .disabled: looks?.append(RuleLook(rule: rule.place, outcome: .disabled, because: .enabled))
        case .noMatch(let reason):
            // A `when` may not write; whatever it tried is gone.
            if rule.when != nil { dropWrites() }
            looks?.append(RuleLook(rule: rule.place, outcome: .noMatch, because: reason))
        case .matched(let contribution):
            hasMatched = true
            if let contribution { merge.add(contribution, of: rule.place, overriding: rule.overrides) }
            if scriptsHaveBegun { scripts.host.keepLayer() }
            looks?.append(RuleLook(rule: rule.place, outcome: .matched, because: nil, contribution: contribution))
            if rule.isFinal { ended = .afterFinal(rule.place) }
        case .failed(let error, let isFinal):
            errors.append(error)
            dropWrites()
            looks?.append(RuleLook(rule: rule.place, outcome: .error, because: .failed(error.message)))
            if isFinal { ended = .afterStop }
        }
    }

    private func dropWrites() {
        if scriptsHaveBegun { scripts.host.dropLayer() }
    }

    private mutating func call(_ function: Int64, expecting: Expected, stored: RecipientState) -> CallOutcome {
        if !scriptsHaveBegun {
            scriptsHaveBegun = true
            scripts.begin(request, plan: plan, stored: stored)
        }
        return scripts.machine.call(function, expecting: expecting)
    }

    // MARK: errors

    private func error(_ fault: ScriptFault, of rule: PlannedRule) -> RuleError {
        let rule = plan.ruleset.rules[rule.place]
        let isPlaced = !fault.file.isEmpty && fault.line > 0
        return RuleError(
            code: fault.code.rawValue, rule: rule.name, file: isPlaced ? fault.file : rule.file,
            line: isPlaced ? fault.line : rule.line, message: fault.message)
    }

    private func error(_ fault: ContributionFault, of rule: PlannedRule) -> RuleError {
        let rule = plan.ruleset.rules[rule.place]
        // What a function returned may hold parts of the message, which must not get into answers' errors and logs.
        let message = fault.hint.map { "\(fault.discreet); \($0)" } ?? fault.discreet
        return RuleError(
            code: FaultCode.badValue.rawValue, rule: rule.name, file: rule.file, line: rule.line, message: message)
    }
}

/// What came of one rule, in views; made into a line of the trace at the end.
struct RuleLook {
    let rule: Int
    let outcome: Trace.Outcome
    let because: Trace.Reason?
    var contribution: Contribution?
}

extension Trace {
    /// Why a rule did not match or did not run, before it is a sentence.
    enum Reason {
        case enabled
        case condition(Condition)
        case when
        case failed(String)
        /// The place of the rule that was final.
        case afterFinal(Int)
        case afterStop
    }
}
