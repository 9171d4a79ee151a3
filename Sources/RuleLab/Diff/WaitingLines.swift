// Lines whose message was held back by one side or by both. The event is not over with the line: what becomes of the
// message belongs to it, is compared once both sides have answered, and counts for the line - each kind once. Holds one
// record for each message that waits, as the states do.
import PushMessage
import RuleEngine

struct WaitingLines {
    struct Record {
        let line: Int
        let place: DiffTally.Place
        /// What has been counted for the line.
        let counted: ChangeKinds
        var old: Answer
        var new: Answer
    }

    enum Answer {
        /// At once, with this action.
        case atOnce(Display.Action?)
        case waiting
        case due(DueAnswer)
        /// Something else has answered the message meanwhile.
        case gone

        var isWaiting: Bool { if case .waiting = self { true } else { false } }
        var due: DueAnswer? { if case .due(let answer) = self { answer } else { nil } }
    }

    /// What became of a message that waited on one side only.
    struct Fate {
        var shown = 0
        var notShown = 0
    }

    enum Side { case old, new }

    private struct Key: Hashable {
        let recipient: ExactText
        let id: ExactText
    }

    private var records: [Key: Record] = [:]
    /// Of messages that only the new rules hold back.
    private(set) var fate = Fate()

    /// Messages that wait, on either side.
    var stillWaiting: (old: Int, new: Int) {
        records.values.reduce(into: (0, 0)) { counts, record in
            if record.old.isWaiting { counts.0 += 1 }
            if record.new.isWaiting { counts.1 += 1 }
        }
    }

    mutating func hold(_ id: String, _ record: Record) {
        records[Key(recipient: ExactText(record.place.recipient), id: ExactText(id))] = record
    }

    /// - Returns: the record, once nothing is waited for any more.
    mutating func settle(_ answer: DueAnswer, of side: Side) -> Record? {
        let key = Key(recipient: ExactText(answer.recipient), id: ExactText(answer.id))
        guard var record = records[key], !answer.waitsAgain else { return nil }
        let result: Answer = answer.decision == nil ? .gone : .due(answer)
        switch side {
        case .old where record.old.isWaiting: record.old = result
        case .new where record.new.isWaiting: record.new = result
        case .old, .new: return nil
        }
        guard !record.old.isWaiting, !record.new.isWaiting else {
            records[key] = record
            return nil
        }
        records[key] = nil
        if case .atOnce = record.old, case .due(let answer) = record.new {
            if answer.decision?.display?.action == .show { fate.shown += 1 } else { fate.notShown += 1 }
        }
        return record
    }
}

extension WaitingLines.Record {
    /// What is different in the end, beside what the line itself has shown.
    var change: DecisionChange {
        switch (old, new) {
        case (.due(let old), .due(let new)): DecisionChange(old.decision, new.decision)
        // One has shown it at once, the other never.
        case (.atOnce(.show), .due(let answer)) where answer.decision?.display?.action != .show:
            DecisionChange(.newlySuppressed, before: nil, after: answer.decision?.display?.rule)
        case (.due(let answer), .atOnce(.show)) where answer.decision?.display?.action != .show:
            DecisionChange(.newlyShown, before: answer.decision?.display?.rule, after: nil)
        default: DecisionChange(nil, nil)
        }
    }
}
