// Which way a rule went at each thing that it declares, read from what came of it. Made by TraceMaker, so that a run that is
// not traced notes nothing for it.

extension RuleBranches {
    init(of look: RuleLook, _ run: borrowing RuleRun) {
        self = []
        insertWays(look, run)
    }

    private mutating func insertWays(_ look: RuleLook, _ run: borrowing RuleRun) {
        let rule = look.rule
        guard look.outcome != .disabled, look.outcome != .notRun else { return }
        // Why it did not match; things behind that were not looked at.
        var reason: Trace.Reason?
        if look.outcome == .noMatch { reason = look.because }
        if rule.starts != nil {
            if case .starts? = reason { return insert(.notStarted) }
            insert(.started)
        }
        if rule.expires != nil {
            if case .expires? = reason { return insert(.expired) }
            insert(.notExpired)
        }
        if !rule.conditions.isEmpty {
            if case .condition? = reason { return insert(.conditionsFail) }
            insert(.conditionsHold)
        }
        if rule.rollout != nil {
            switch reason {
            case .rollout?, .nobody?: return insert(.outsideRollout)
            default: insert(.insideRollout)
            }
        }
        if rule.holdout != nil {
            switch reason {
            case .holdout?: return insert(.insideHoldout)
            case .nobody?: return
            default: insert(.outsideHoldout)
            }
        }
        // Which of its functions has failed is not known here.
        guard look.outcome != .error else { return }
        if rule.when != nil {
            if case .when? = reason { return insert(.whenNo) }
            insert(.whenYes)
        }
        if look.outcome == .matched { insertLimits(look, run) }
    }

    private mutating func insertLimits(_ look: RuleLook, _ run: borrowing RuleRun) {
        let rule = look.rule
        switch look.because {
        case .quiet?: return insert(.insideQuiet)
        case .cap?:
            // One that is only listed at night may be full by day or by night.
            if let quiet = rule.quiet, quiet.otherwise != .list { insert(.outsideQuiet) }
            return insert(.capFull)
        case .hasWaited?: return
        default: break
        }
        if rule.quiet != nil, run.situation.event.hasQuietHours { insert(.outsideQuiet) }
        if rule.cap != nil, run.caps.limitsEvent { insert(.capFree) }
        if case .nothing = rule.decide { return }
        insert(.decided)
        guard let wish = look.contribution, wish.fields.contains(.display) else { return insert(.leavesDisplay) }
        switch wish.action {
        case .show: insert(.shows)
        case .suppress: insert(.suppresses)
        case .defer: insert(.defers)
        }
    }
}
