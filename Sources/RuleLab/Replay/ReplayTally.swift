// Counts of a replay while it runs. What it holds does not grow with the traffic: hours, rules and channels are few - of
// channels that nobody listed no more than so many by name - days are those of the traffic, and people those of the state.
public import PushMessage
import RuleEngine

struct ReplayTally {
    /// Beyond it channels, days and errors are counted together.
    private static let most = 500

    private(set) var all = ReplayCounts()
    private(set) var hours = [ReplayCounts](repeating: ReplayCounts(), count: 24)
    /// In UTC.
    private(set) var days: [String: ReplayCounts] = [:]
    private(set) var channels: [ExactText: ReplayCounts] = [:]
    private(set) var otherChannels = ReplayCounts()
    /// Who decided whether something is displayed; "" for nobody.
    private(set) var rules: [ExactText: ReplayCounts] = [:]
    private(set) var caps: [ExactText: Reached] = [:]
    private(set) var quiet: [ExactText: Reached] = [:]
    private(set) var people: [ExactText: ReplayPerson] = [:]
    private(set) var due = Due()
    private(set) var duplicates = 0
    private(set) var taps = 0
    private(set) var handedOver = 0
    private(set) var heldForResume = 0
    private(set) var errors: [ExactText: Int] = [:]
    private(set) var otherErrors = 0
    private(set) var span: (from: Instant, to: Instant)?

    /// How often the cap or the quiet hours of a rule have decided, and for whom.
    struct Reached {
        var events = 0
        var people: Set<ExactText> = []
    }

    /// What became of messages whose time had come.
    struct Due {
        var shown = 0
        var notShown = 0
        var again = 0
        var gone = 0
    }

    mutating func count(_ line: PlayedLine, badge: Int?) {
        span = span.map { (min($0.from, line.at), max($0.to, line.at)) } ?? (line.at, line.at)
        let outcome = ReplayOutcome(line.decisions)
        all.count(outcome)
        hours[line.hour].count(outcome)
        let day = String(line.at.text.prefix(10))
        days[days[day] == nil && days.count >= ReplayTally.most ? "other days" : day, default: ReplayCounts()].count(outcome)
        count(outcome, channel: line.channel ?? "")
        if line.decisions.contains(where: \.isDuplicate) { duplicates += 1 }
        if line.decisions.contains(where: { $0.event == .open }) { taps += 1 }
        for decision in line.decisions {
            count(decision, of: line.recipient)
            handedOver += decision.deferred.count
            for handed in decision.deferred { count(handed, of: line.recipient) }
            if decision.display?.until == .resume { heldForResume += 1 }
        }
        people[ExactText(line.recipient), default: ReplayPerson(line.recipient)].count(outcome, at: line.at, badge: badge)
    }

    mutating func count(_ answer: DueAnswer, badge: Int?) {
        guard let decision = answer.decision else {
            due.gone += 1
            return
        }
        count(decision, of: answer.recipient)
        let isShown = decision.display?.action == .show
        if answer.waitsAgain { due.again += 1 } else if isShown { due.shown += 1 } else { due.notShown += 1 }
        people[ExactText(answer.recipient), default: ReplayPerson(answer.recipient)].countDue(
            isShown: isShown, at: answer.at, badge: badge)
    }

    private mutating func count(_ outcome: ReplayOutcome, channel: String) {
        let key = ExactText(channel)
        if channels[key] != nil || channels.count < ReplayTally.most {
            channels[key, default: ReplayCounts()].count(outcome)
        } else {
            otherChannels.count(outcome)
        }
    }

    private mutating func count(_ decision: Decision, of recipient: String) {
        if let display = decision.display {
            let rule = ExactText(display.rule ?? "")
            rules[rule, default: ReplayCounts()].count(ReplayOutcome([decision]))
            switch display.cause {
            case .cap: ReplayTally.add(recipient, to: &caps[rule, default: Reached()])
            case .quietHours: ReplayTally.add(recipient, to: &quiet[rule, default: Reached()])
            case .guard, .rule, .nobody: break
            }
        }
        for error in decision.errors {
            let words = ExactText("\(error.file):\(error.line): \(error.rule.map { "“\($0)” " } ?? "")\(error.message) [\(error.code)]")
            if errors[words] != nil || errors.count < ReplayTally.most { errors[words, default: 0] += 1 } else { otherErrors += 1 }
        }
    }

    private static func add(_ recipient: String, to reached: inout Reached) {
        reached.events += 1
        reached.people.insert(ExactText(recipient))
    }
}

/// What one person saw, in numbers.
public struct ReplayPerson: Sendable, Equatable {
    public let recipient: String
    public private(set) var counts = ReplayCounts()
    /// Of what was held back, when its time had come.
    public private(set) var shownLater = 0
    public private(set) var notShownLater = 0
    /// On the icon in the end; nil: never counted.
    public private(set) var badge: Int?
    public private(set) var last = Instant(milliseconds: .min)

    init(_ recipient: String) { self.recipient = recipient }

    mutating func count(_ outcome: ReplayOutcome, at instant: Instant, badge: Int?) {
        counts.count(outcome)
        last = max(last, instant)
        self.badge = badge
    }

    mutating func countDue(isShown: Bool, at instant: Instant, badge: Int?) {
        if isShown { shownLater += 1 } else { notShownLater += 1 }
        last = max(last, instant)
        self.badge = badge
    }
}
