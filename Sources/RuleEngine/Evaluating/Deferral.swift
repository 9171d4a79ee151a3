// Holding messages back: until when, what is kept of them, and when they stop waiting. A message waits once, whatever
// number of its events was answered with "defer".
import CivilTime
import JSONDocument
import PushMessage

extension Situation {
    /// Wall times are read, and the answer is told, in the zone of the rule that decided, else where the person is.
    func until(_ hold: HoldUntil, of rule: Int) -> Until {
        var zone = (rule >= 0 ? plan.ruleset.rules[rule].quiet?.zone : nil) ?? self.zone
        let instant: Instant
        switch hold {
        case .resume: return .resume
        case .duration(let milliseconds): instant = Instant(milliseconds: request.now.milliseconds &+ milliseconds)
        case .instant(let given): instant = given
        case .zoned(let given, let other): (instant, zone) = (given, other)
        case .wall(let text):
            // Its shape was checked when it was read.
            guard let wall = WallTime(text) else { return .resume }
            instant = wall.instant(in: zone, after: request.now)
        }
        return .at(instant, local: zone.civil(at: instant).text, zone: zone.name)
    }

    /// The event needs details that it does not have.
    var isIncomplete: Bool {
        guard event.needsDetails, waiting == nil, case .none = request.event.meaning else { return false }
        return true
    }

    /// Of a wall time that the message names, where the person is; nil for what is none.
    func moment(_ text: JSONText?) -> Instant? {
        text.flatMap { WallTime($0) }.map { $0.instant(in: zone, after: request.now) }
    }

    /// In words: `2026-03-01 09:00 in Asia/Seoul`.
    func local(_ instant: Instant) -> String { "\(zone.civil(at: instant).text) in \(zone.name)" }

    /// Something is displayed even when no rule speaks: also what was held back, whose time has come.
    var displaysByDefault: Bool {
        // Nothing is due, and there is no message: only rules can have something to show.
        if event == .due, waiting == nil, message == nil { return false }
        return waiting != nil || occasion.displaysByDefault || (occasion == .receive && message?.isCarrier == true)
    }
}

extension JSONText {
    /// A rule's way to say that there is to be none.
    var isNoSound: Bool { isEmpty || self == "none" }
}

extension DeferredMessage {
    /// A rule that has held a message back as often as this does not hold it back any longer.
    static let mostAttempts = 100
}

extension Situation {
    /// The same message, held back at an earlier event.
    var waitsAlready: DeferredMessage? {
        guard let message, !stored.deferred.isEmpty else { return nil }
        if !message.idGenerated, let kept = stored.deferred.message(message.id.string) { return kept }
        if let seen {
            // One of two copies may have had no id.
            if !seen.isIDGenerated, let kept = stored.deferred.message(seen.id) { return kept }
            let id = DeferredMessage.id(seen.content.text, first: seen.first)
            if seen.content != .unknown, let kept = stored.deferred.message(id) { return kept }
        }
        guard message.idGenerated, let kept = stored.deferred.newest(withoutID: message.id.string), let first = kept.first,
            request.now.milliseconds &- first.milliseconds <= plan.contentWindow
        else { return nil }
        return kept
    }

    /// One more message can be kept. One that waits already has its place.
    var hasRoomToWait: Bool {
        waiting != nil || stored.deferred.hasRoom(for: held.count + request.device.lasting.count) || waitsAlready != nil
    }
}

extension DecisionMaking {
    /// A message of the console that has hours of its own, on the wall clock of whoever gets it, waits until they begin,
    /// also when a rule shows it. The notification that the app has made of it is none of their business.
    func awaitHours(_ decision: inout Decision) {
        guard decision.display?.action == .show, situation.event.hasGuardedDisplay, let message = situation.message,
            message.isCarrier, !situation.request.device.isLocalCopy, let start = situation.moment(message.scheduled.from),
            situation.request.now < start
        else { return }
        let reason = "it is to be shown from \(situation.local(start)) on"
        note(&decision, "held back by default: \(reason)")
        decision.display = Display(
            action: .defer, options: [], reason: reason, rule: nil,
            until: .at(start, local: situation.zone.civil(at: start).text, zone: situation.zone.name))
    }

    /// After the guards: whatever is still to be held back is kept, with everything that is needed to decide it again.
    func keepDeferred(_ decision: inout Decision, _ effects: inout [Effect]) {
        let isDeferred = decision.display?.action == .defer
        if let kept = situation.waiting?.kept {
            guard isDeferred, let until = decision.display?.until else {
                effects.append(.dropDeferred(id: kept.id))
                return
            }
            decision.warnings.append(.heldBackAgain(kept, by: decision.display?.rule))
            var again = kept
            again.until = until
            again.rule = decision.display?.rule
            again.attempt = min(kept.attempt + 1, Int(Int32.max))
            again.ruleset = isPinned ? decision.ruleset : nil
            effects.append(.keepDeferred(again))
        } else if isDeferred {
            keep(&decision, &effects)
        } else {
            stopWaiting(decision, &effects)
        }
    }

    private func keep(_ decision: inout Decision, _ effects: inout [Effect]) {
        guard situation.event.canDefer, let message = situation.message, let until = decision.display?.until else {
            decision.warnings.append(.deferralNotKept(situation.event))
            return
        }
        let before = situation.waitsAlready
        // What the app does with a message that wakes it counts less than whether it is displayed.
        if let before, situation.event == .receive, before.event != .receive { return }
        // The hash alone would not do for an id: the same text may come again.
        let id = message.idGenerated ? DeferredMessage.id(message.id.string, first: situation.seen?.first ?? situation.request.now) : nil
        effects.append(
            .keepDeferred(
                DeferredMessage(
                    id: before?.id ?? id ?? message.id.string, event: situation.event,
                    message: situation.held, format: message.format, device: situation.request.device.lasting, until: until,
                    rule: decision.display?.rule, ruleset: isPinned ? decision.ruleset : nil)))
    }

    /// A later event of the journey has decided what the person sees.
    private func stopWaiting(_ decision: borrowing Decision, _ effects: inout [Effect]) {
        guard !situation.stored.deferred.isEmpty, situation.event.canDefer, situation.event != .receive,
            decision.display != nil, !situation.request.device.isLocalCopy, let before = situation.waitsAlready
        else { return }
        effects.append(.dropDeferred(id: before.id))
    }

    /// Before the guards: what cannot be kept is shown rather than lost.
    func showWhatCannotWait(_ decision: inout Decision) {
        guard decision.display?.action == .defer, situation.event.canDefer, !situation.hasRoomToWait else { return }
        decision.display = Display(
            action: .show, options: defaultOptions(), reason: "it was to be held back, but too many messages are held back already",
            rule: nil, until: nil)
        decision.warnings.append(.deferredFull)
    }

    private var isPinned: Bool { rules.merge.values.fields.contains(.pin) && rules.merge.values.pin }
}

extension Decision {
    /// On `resume`: the decisions of what waited for it, and what went wrong in them.
    mutating func handOver(_ answers: [Decision]) {
        for answer in answers {
            errors += answer.errors
            usage.fuel += answer.usage.fuel
            usage.strains += answer.usage.strains
        }
        deferred = answers
    }
}
