// What becomes of the number on the app's icon. A difference counts once for each message and only when the message is
// shown; a value that a rule names counts at every event; the message's own value counts once.
import JSONDocument
import PushMessage

struct BadgeQuestion {
    let situation: Situation
    /// What the rules want; nil: nothing.
    let change: BadgeChange?
    /// After the guards.
    let display: Display.Action?

    enum Answer: Equatable {
        case nothing
        /// A change was wanted and does not count: a sentence.
        case untouched(String)
        case set(value: Int, change: Int, Badge.Cause)
    }

    func answer() -> Answer {
        switch change {
        case .absolute(let value): absolute(value, value == 0 ? .cleared : .rule)
        case .relative(let difference, let evenIfSuppressed): relative(difference, evenIfSuppressed)
        case nil: ownBadge()
        }
    }

    private func absolute(_ value: Int, _ cause: Badge.Cause) -> Answer {
        if situation.request.device.isLocalCopy { return .untouched(BadgeQuestion.localCopy) }
        return .set(value: value, change: value - base, cause)
    }

    private func relative(_ difference: Int, _ evenIfSuppressed: Bool) -> Answer {
        if situation.request.device.isLocalCopy { return .untouched(BadgeQuestion.localCopy) }
        if isCounted { return .untouched("the badge was counted at an earlier event of this message") }
        guard evenIfSuppressed || display == .show else {
            return .untouched("the badge is not counted: the message is not shown")
        }
        let (sum, overflow) = base.addingReportingOverflow(difference)
        let value = overflow ? base : max(0, min(sum, Int(Int32.max)))
        return .set(
            value: value, change: value - base,
            display == .show ? .shown(wanted: difference) : .evenIfSuppressed(wanted: difference))
    }

    private func ownBadge() -> Answer {
        guard let own = situation.message?.badge, situation.event.deliversMessage else { return .nothing }
        // A message that is held has not reached the phone yet.
        if display == .defer { return .untouched("the message's badge comes with it later") }
        if isCounted { return .untouched("the message's badge was applied at an earlier event") }
        return absolute(own, .message)
    }

    /// What the phone shows, when it says so; else what was counted here.
    private var base: Int { situation.request.device.badge ?? situation.stored.badge ?? 0 }

    private var isCounted: Bool { situation.seen?.hasCountedBadge ?? false }

    private static let localCopy = "the badge is not counted: the notification is a copy of the app's own"
}

extension EventName {
    /// The message itself reaches the phone or the app; a tap or a return to the app does not bring it again.
    fileprivate var deliversMessage: Bool {
        switch self {
        case .send, .enrich, .present, .receive, .due: true
        case .open, .resume, .token, .account, .settings: false
        }
    }
}
