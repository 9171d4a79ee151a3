// What happened when on the phones of some people, for a timeline: of those that come first, and of each no more than a
// bounded number of events. The busiest of them are drawn.
public import PushMessage
import RuleEngine

public struct ReplayMark: Sendable, Equatable {
    public let at: Instant
    public let outcome: ReplayOutcome
    /// It had been held back, and its time had come.
    public let wasHeld: Bool
    /// In the display's words; nil: nothing to say.
    public let reason: String?
    public let channel: String?
}

/// From when to when a message was held back.
public struct ReplayWait: Sendable, Equatable {
    public let from: Instant
    public let to: Instant
}

struct ReplayMarks {
    static let mostPeople = 500
    static let mostEach = 400

    struct Row {
        var marks: [ReplayMark] = []
        var waits: [ReplayWait] = []
        var isCut = false
        /// Since when a message has been held back, by its id.
        fileprivate var held: [ExactText: Instant] = [:]

        fileprivate mutating func add(_ mark: ReplayMark) {
            if marks.count < ReplayMarks.mostEach { marks.append(mark) } else { isCut = true }
        }
    }

    /// nil: everybody.
    let only: String?
    private(set) var rows: [ExactText: Row] = [:]

    init(only: String?) { self.only = only }

    private func wants(_ recipient: String) -> Bool {
        if let only { return only.isExactly(recipient) }
        return rows.count < ReplayMarks.mostPeople || rows[ExactText(recipient)] != nil
    }

    mutating func add(_ line: PlayedLine) {
        guard wants(line.recipient) else { return }
        let key = ExactText(line.recipient)
        let display = line.decisions.last { $0.display != nil }?.display
        rows[key, default: Row()].add(
            ReplayMark(
                at: line.at, outcome: ReplayOutcome(line.decisions), wasHeld: false, reason: display?.detail ?? display?.reason,
                channel: line.channel))
        for id in line.held { rows[key]?.held[ExactText(id)] = line.at }
    }

    mutating func add(_ answer: DueAnswer) {
        guard wants(answer.recipient) else { return }
        let key = ExactText(answer.recipient)
        let from = rows[key]?.held[ExactText(answer.id)]
        if !answer.waitsAgain { rows[key]?.held[ExactText(answer.id)] = nil }
        guard let decision = answer.decision else { return }
        var row = rows[key, default: Row()]
        row.add(
            ReplayMark(
                at: answer.at, outcome: ReplayOutcome([decision]), wasHeld: true,
                reason: decision.display?.detail ?? decision.display?.reason, channel: nil))
        if let from, !answer.waitsAgain, row.waits.count < ReplayMarks.mostEach { row.waits.append(ReplayWait(from: from, to: answer.at)) }
        rows[key] = row
    }
}
