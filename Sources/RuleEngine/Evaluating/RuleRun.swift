// Runs the rules of one event in order: looks at matchers, asks `when`, calls `decide`, merges what comes back. A rule
// that fails loses its contribution and its writes and the others go on; a stop of the machine ends the run.
import CivilTime
import JSONDocument
import LuaSandbox
import PushMessage

struct RuleRun: ~Copyable {
    let situation: Situation
    private(set) var merge: Merge
    private(set) var errors: [RuleError] = []
    /// A rule's matchers and `when` held, and its `decide` returned well.
    private(set) var hasMatched = false
    private(set) var usage = ScriptUsage()
    private(set) var stateEffects: [Effect] = []
    private(set) var log: [String] = []
    /// Every rule that was looked at; nil unless the run is traced.
    private(set) var looks: [RuleLook]?

    private let scripts: Scripts
    private var scriptsHaveBegun = false
    /// What the rule at hand wants.
    private var contribution = Contribution()
    /// What `contribution` and `merge` say in sentences of ours; nil: nothing.
    private var sentences: Sentences?

    init(_ situation: Situation, scripts: Scripts) {
        self.situation = situation
        self.scripts = scripts
        merge = Merge(tracing: situation.isTraced)
        if situation.isTraced { looks = [] }
    }

    /// How one rule came out.
    private enum Outcome {
        case disabled
        case noMatch(Trace.Reason)
        /// `contribution` holds what it wants.
        case matched
        case matchedWithoutWish
        /// `contribution` holds what happens in its quiet hours.
        case quiet
        case failed(RuleError, isFinal: Bool)
    }

    mutating func run() {
        let rules = situation.plan.rules[situation.event.place]
        var ended: Trace.Reason?
        for rule in rules {
            if let reason = ended {
                guard looks != nil else { break }
                looks?.append(RuleLook(rule: rule, outcome: .notRun, because: reason))
                continue
            }
            let outcome = outcome(of: rule)
            settle(outcome, of: rule, ended: &ended)
        }
        guard scriptsHaveBegun else { return }
        usage = scripts.machine.end()
        scripts.host.end(addingTo: &stateEffects, log: &log)
    }

    private mutating func outcome(of rule: PlannedRule) -> Outcome {
        guard rule.isEnabled else { return .disabled }
        if let starts = rule.starts, situation.request.now < starts.instant(for: situation.zone) { return .noMatch(.starts) }
        if let expires = rule.expires, situation.request.now >= expires.instant(for: situation.zone) {
            return .noMatch(.expires)
        }
        for place in rule.conditions.indices where !rule.conditions[place].holds(in: situation) {
            return .noMatch(.condition(place))
        }
        if let when = rule.when {
            switch call(when, expecting: .truth) {
            case .truth(true), .value: break
            case .truth(false), .nothing: return .noMatch(.when)
            case .failed(let fault): return .failed(error(fault, of: rule), isFinal: fault.isFinal)
            }
        }
        if let quiet = rule.quiet, keepsQuiet(quiet) { return .quiet }
        switch rule.decide {
        case .nothing: return .matchedWithoutWish
        case .function(let function): return decide(function, of: rule)
        case .table:
            contribution = rule.table
            return .matched
        }
    }

    /// Within quiet hours `contribution` becomes what the rule wants there. Messages of critical channels know none.
    private mutating func keepsQuiet(_ quiet: RuleQuiet) -> Bool {
        guard situation.event.hasQuietHours else { return false }
        let zone = quiet.zone ?? situation.zone
        guard let end = quiet.hours.end(after: situation.request.now, in: zone), !situation.isCritical else { return false }
        contribution = Contribution()
        contribution.fields = [.display, .reason]
        let sentences = self.sentences ?? Sentences()
        self.sentences = sentences
        contribution.reason = sentences.keep("quiet from \(quiet.hours.from.text) to \(quiet.hours.to.text) in \(zone.name)")
        switch quiet.otherwise {
        case .suppress: contribution.action = .suppress
        case .list: contribution.options = .list
        case .defer:
            contribution.action = .defer
            contribution.fields.insert(.holdUntil)
            contribution.holdUntil = .zoned(end, zone)
        }
        return true
    }

    private mutating func decide(_ function: Int64, of rule: PlannedRule) -> Outcome {
        switch call(function, expecting: .table) {
        case .nothing, .truth: return .matchedWithoutWish
        case .failed(let fault): return .failed(error(fault, of: rule), isFinal: fault.isFinal)
        case .value(let table):
            do throws(ContributionFault) {
                contribution = try ContributionReader.read(table)
                return .matched
            } catch {
                return .failed(self.error(error, of: rule), isFinal: false)
            }
        }
    }

    private mutating func settle(_ outcome: Outcome, of rule: PlannedRule, ended: inout Trace.Reason?) {
        switch outcome {
        case .disabled: looks?.append(RuleLook(rule: rule, outcome: .disabled, because: .enabled))
        case .noMatch(let reason):
            // What a `when` that said no has written is gone.
            if rule.when != nil { dropWrites() }
            looks?.append(RuleLook(rule: rule, outcome: .noMatch, because: reason))
        case .matched, .matchedWithoutWish, .quiet:
            hasMatched = true
            if scriptsHaveBegun { scripts.host.keepLayer() }
            var hasWish = true
            if case .matchedWithoutWish = outcome { hasWish = false }
            if hasWish { merge.add(contribution, of: rule.place, overriding: rule.overrides) }
            if looks != nil {
                var look = RuleLook(rule: rule, outcome: .matched, because: nil)
                if case .quiet = outcome { look.because = .quiet }
                if hasWish { look.contribution = contribution }
                looks?.append(look)
            }
            if rule.isFinal { ended = .afterFinal(rule.name) }
        case .failed(let error, let isFinal):
            errors.append(error)
            dropWrites()
            looks?.append(RuleLook(rule: rule, outcome: .error, because: .failed(error.message)))
            if isFinal { ended = .afterStop }
        }
    }

    private func dropWrites() {
        if scriptsHaveBegun { scripts.host.dropLayer() }
    }

    private mutating func call(_ function: Int64, expecting: Expected) -> CallOutcome {
        if !scriptsHaveBegun {
            scriptsHaveBegun = true
            scripts.begin(situation)
        }
        return scripts.machine.call(function, expecting: expecting)
    }

    // MARK: errors

    private func error(_ fault: ScriptFault, of rule: PlannedRule) -> RuleError {
        let isPlaced = !fault.file.isEmpty && fault.line > 0
        return RuleError(
            code: fault.code.rawValue, rule: rule.name, file: isPlaced ? fault.file : rule.file,
            line: isPlaced ? fault.line : rule.line, message: fault.message)
    }

    private func error(_ fault: ContributionFault, of rule: PlannedRule) -> RuleError {
        // What a function returned may hold parts of the message, which must not get into answers' errors and logs.
        let message = fault.hint.map { "\(fault.discreet); \($0)" } ?? fault.discreet
        return RuleError(
            code: FaultCode.badValue.rawValue, rule: rule.name, file: rule.file, line: rule.line, message: message)
    }
}

/// What came of one rule, in views; made into a line of the trace at the end.
struct RuleLook {
    let rule: PlannedRule
    let outcome: Trace.Outcome
    var because: Trace.Reason?
    var contribution: Contribution?
}

extension Trace {
    /// Why a rule did not match or did not run, before it is a sentence.
    enum Reason {
        case enabled
        case starts
        case expires
        case quiet
        /// The place of the rule's condition that did not hold.
        case condition(Int)
        case when
        case failed(String)
        /// The name of the rule that was final.
        case afterFinal(String)
        case afterStop
    }
}
