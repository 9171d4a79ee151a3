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
    /// Limits that the run came near.
    private(set) var strains: [Strain] = []
    private(set) var stateEffects: [Effect] = []
    private(set) var log: [String] = []
    /// What caps have to do with the message.
    private(set) var caps: CapWatch
    /// A rule that is for a part of all people was passed over, because nobody knows whose phone it is.
    private(set) var lacksRecipient = false
    /// What scripts have asked for and got only in part.
    private(set) var warnings: [Warning] = []
    /// Every rule that was looked at; nil unless the run is traced.
    private(set) var looks: [RuleLook]?
    /// What the functions of the rule at hand did; empty unless lines are traced.
    private var calls: [(call: Trace.RanLine.Call, what: TracedCall)] = []

    private let scripts: Scripts
    private var scriptsHaveBegun = false
    private var watch = StrainWatch()
    /// What the rule at hand wants.
    private var contribution = Contribution()
    /// The cap of the rule at hand.
    private var capUse: CapUse?
    /// What `contribution` and `merge` say in sentences of ours; nil: nothing.
    private var sentences: Sentences?

    init(_ situation: Situation, scripts: Scripts) {
        self.situation = situation
        self.scripts = scripts
        merge = Merge(tracing: situation.isTraced)
        caps = CapWatch(situation)
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
        /// `contribution` holds what happens when its cap is full.
        case full
        case failed(RuleError, isFinal: Bool)
    }

    /// In place of `run`.
    mutating func leaveOut(because error: RuleError) { errors.append(error) }

    mutating func run() {
        let rules =
            situation.waiting.map { situation.plan.rulesWhenDue($0.kept.event) } ?? situation.plan.rules[situation.event.place]
        var ended: Trace.Reason?
        for rule in rules {
            if let reason = ended {
                guard looks != nil else { break }
                looks?.append(RuleLook(rule: rule, outcome: .notRun, because: reason))
                continue
            }
            let outcome = outcome(of: rule)
            if scriptsHaveBegun { watch.look(scripts.machine.spent, after: rule.place) }
            settle(outcome, of: rule, ended: &ended)
            if situation.request.options.tracesLines { giveCalls() }
        }
        guard scriptsHaveBegun else { return }
        usage = scripts.machine.end()
        // One that was stopped has an error that says more.
        if !scripts.machine.isDead { strains = watch.strains(within: scripts.machine.limits, of: situation.plan.ruleset.rules) }
        scripts.host.end(addingTo: &stateEffects, log: &log, warnings: &warnings)
    }

    private mutating func outcome(of rule: PlannedRule) -> Outcome {
        capUse = nil
        guard rule.isEnabled else { return .disabled }
        if let starts = rule.starts, situation.request.now < starts.instant(for: situation.zone) { return .noMatch(.starts) }
        if let expires = rule.expires, situation.request.now >= expires.instant(for: situation.zone) {
            return .noMatch(.expires)
        }
        for place in rule.conditions.indices where !rule.conditions[place].holds(in: situation) {
            return .noMatch(.condition(place))
        }
        if rule.rollout != nil || rule.holdout != nil, let reason = share(of: rule) { return .noMatch(reason) }
        if let when = rule.when {
            switch call(when, expecting: .truth) {
            case .truth(true), .value: break
            case .truth(false), .nothing: return .noMatch(.when)
            case .failed(let fault): return .failed(error(fault, of: rule), isFinal: fault.isFinal)
            }
        }
        var fullUntil: Instant?
        if let cap = rule.cap, caps.limitsEvent {
            switch look(at: cap, of: rule) {
            case .free: break
            case .full(let until): fullUntil = until
            case .failed(let error, let isFinal): return .failed(error, isFinal: isFinal)
            }
        }
        if let quiet = rule.quiet, keepsQuiet(quiet) {
            // What is only listed at night is shown, and so the cap has a word.
            guard quiet.otherwise == .list, fullUntil != nil else { return .quiet }
        }
        if let until = fullUntil, let cap = rule.cap {
            fill(cap, until: until)
            return .full
        }
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
        contribution.reason = sentences.keep("\(Display.quietReason)\(quiet.hours.from.text) to \(quiet.hours.to.text) in \(zone.name)")
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

    // MARK: parts of all people

    /// Why the rule is not for this person; nil: it is.
    private mutating func share(of rule: PlannedRule) -> Trace.Reason? {
        guard let recipient = situation.recipient, !recipient.isEmpty else {
            lacksRecipient = true
            return .nobody
        }
        if let rollout = rule.rollout, rollout.bucket(of: recipient) >= rollout.percent { return .rollout }
        if let holdout = rule.holdout, holdout.bucket(of: recipient) < holdout.percent { return .holdout }
        return nil
    }

    // MARK: caps

    private enum CapLook {
        case free
        /// Until there is room for one more.
        case full(Instant)
        case failed(RuleError, isFinal: Bool)
    }

    /// Sets `capUse`, whether there is room or not.
    private mutating func look(at cap: PlannedCap, of rule: PlannedRule) -> CapLook {
        var key = cap.key ?? cap.rule
        if let function = cap.function {
            switch call(function, expecting: .text) {
            case .value(let text): if let text = text.text, !text.isEmpty { key = text.string }
            case .nothing, .truth: break
            case .failed(let fault): return .failed(error(fault, of: rule), isFinal: fault.isFinal)
            }
        }
        let use = caps.use(of: cap, key)
        switch caps.room(for: use, in: cap) {
        case .refused(let message):
            let code = FaultCode.badValue.rawValue
            let error = RuleError(code: code, rule: rule.name, file: rule.file, line: rule.line, message: message)
            return .failed(error, isFinal: false)
        case .full(let until):
            capUse = use
            return .full(until)
        case .free:
            capUse = use
            return .free
        }
    }

    /// `contribution` becomes what the rule wants while there is no room.
    private mutating func fill(_ cap: PlannedCap, until: Instant) {
        let sentences = self.sentences ?? Sentences()
        self.sentences = sentences
        contribution = cap.contribution(until: until, in: situation.zone, sentences)
        // Otherwise those that are only listed would keep the window full, and the next event of this one would pass.
        if cap.otherwise == .list { capUse = nil }
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
                scripts.machine.chargeForRefusal()
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
        case .matched, .matchedWithoutWish, .quiet, .full:
            hasMatched = true
            if scriptsHaveBegun { scripts.host.keepLayer() }
            if let capUse { caps.count(capUse) }
            var hasWish = true
            if case .matchedWithoutWish = outcome { hasWish = false }
            var isDecided = false
            if case .matched = outcome { isDecided = true }
            let hasWaited = hasWish && dropFulfilledWait(of: rule, isDecided: isDecided)
            if hasWish { merge.add(contribution, of: rule.place, overriding: rule.overrides) }
            if looks != nil {
                var look = RuleLook(rule: rule, outcome: .matched, because: nil)
                switch outcome {
                case .quiet: look.because = .quiet
                case .full: look.because = .cap
                default: if rule.rollout != nil || rule.holdout != nil { look.because = .share }
                }
                if hasWaited { look.because = .hasWaited }
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

    /// A message that has waited until then is not made to wait for the same moment again; nor by a rule that says the
    /// same of every message and has had its way.
    ///
    /// - Parameter isDecided: `decide` says so, not quiet hours or a full cap, which are over when they are over.
    private mutating func dropFulfilledWait(of rule: PlannedRule, isDecided: Bool) -> Bool {
        guard let waiting = situation.waiting, contribution.fields.contains(.display), contribution.action == .defer else {
            return false
        }
        let hold = contribution.fields.contains(.holdUntil) ? contribution.holdUntil : .resume
        var isOver =
            switch situation.until(hold, of: rule.place) {
            case .resume: waiting.isResuming
            case .at(let instant, _, _): instant <= situation.request.now
            }
        if isDecided, rule.alwaysSaysTheSame, waiting.kept.rule == rule.name { isOver = true }
        if isOver { contribution.fields.subtract(.ofDisplay) }
        return isOver
    }

    private func dropWrites() {
        if scriptsHaveBegun { scripts.host.dropLayer() }
    }

    private mutating func call(_ function: Int64, expecting: Expected) -> CallOutcome {
        if !scriptsHaveBegun {
            scriptsHaveBegun = true
            scripts.begin(situation)
            watch.begin(scripts.machine.spent)
        }
        let outcome = scripts.machine.call(function, expecting: expecting)
        if situation.request.options.tracesLines { calls.append((Trace.RanLine.Call(expecting), scripts.machine.tracedCall)) }
        return outcome
    }

    /// What the rule at hand did belongs to its line of the trace.
    private mutating func giveCalls() {
        defer { calls = [] }
        guard let last = looks.map({ $0.count - 1 }), last >= 0 else { return }
        looks?[last].calls = calls
    }

    // MARK: errors

    private func error(_ fault: ScriptFault, of rule: PlannedRule) -> RuleError {
        let isPlaced = !fault.file.isEmpty && fault.line > 0
        return RuleError(
            code: fault.code.rawValue, rule: rule.name, file: isPlaced ? fault.file : rule.file,
            line: isPlaced ? fault.line : rule.line, message: fault.message,
            hint: NilAdvice.hint(for: fault, in: situation.plan.ruleset.files))
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
    var calls: [(call: Trace.RanLine.Call, what: TracedCall)] = []
}

extension Trace {
    /// Why a rule did not match or did not run, before it is a sentence.
    enum Reason {
        case enabled
        case starts
        case expires
        case quiet
        case cap
        /// The recipient's bucket is beyond the rollout, or within the holdout.
        case rollout
        case holdout
        /// The rule is for a part of all people, and nobody is named.
        case nobody
        /// The rule is for this person.
        case share
        /// What the rule wanted it to wait for has come.
        case hasWaited
        /// The place of the rule's condition that did not hold.
        case condition(Int)
        case when
        case failed(String)
        /// The name of the rule that was final.
        case afterFinal(String)
        case afterStop
    }
}
