// An example in words: what happened, and what each side decides, rule by rule.
import PushMessage
import RuleEngine
import RuleLab

struct ExampleText {
    /// What both sides said about one rule.
    struct RulePair {
        let rule: String
        let old: Trace.RuleLine?
        let new: Trace.RuleLine?

        /// Worth a look: it had a say on a side, or the sides tell different things about it.
        var isTelling: Bool {
            let outcomes = [old?.outcome, new?.outcome]
            return outcomes.contains { $0 == .matched || $0 == .error } || old?.outcome != new?.outcome || old?.because != new?.because
        }
    }

    let example: DiffExample
    let event: EventText

    init(_ example: DiffExample, _ manifest: Manifest) {
        self.example = example
        event = EventText(at: example.at, message: example.message, device: example.device, manifest)
    }

    /// Each decision's sentences. Empty: the message causes nothing.
    func lines(_ decisions: [Decision]) -> [(event: EventName, lines: [StepWords.Line])] {
        decisions.map { ($0.event, StepWords(decision: $0, badgeBefore: nil, state: event.state).lines) }
    }

    /// The events with the rules that were asked at them, in order.
    var rules: [(event: EventName, pairs: [RulePair])] {
        var events: [(event: EventName, pairs: [RulePair])] = []
        for decision in example.old + example.new where !events.contains(where: { $0.event == decision.event }) {
            let old = example.old.first { $0.event == decision.event }?.trace?.rules ?? []
            var new = example.new.first { $0.event == decision.event }?.trace?.rules ?? []
            var pairs: [RulePair] = []
            for line in old {
                let place = new.firstIndex { $0.rule == line.rule }
                pairs.append(RulePair(rule: line.rule, old: line, new: place.map { new.remove(at: $0) }))
            }
            pairs += new.map { RulePair(rule: $0.rule, old: nil, new: $0) }
            events.append((decision.event, pairs))
        }
        return events
    }

    /// What a rule did, in a few words.
    static func words(_ line: Trace.RuleLine?) -> String {
        guard let line else { return "there is no such rule" }
        let because = line.because.map { ": \($0)" } ?? ""
        switch line.outcome {
        case .matched:
            var words = line.set.isEmpty ? "matches" : "sets \(line.set.map(\.field).joined(separator: ", "))"
            if let lost = line.lost.first {
                words += line.set.isEmpty ? ", but “\(lost.winner)” counts" : "; for the rest “\(lost.winner)” counts"
            }
            return words + because
        case .noMatch: return "does not match\(because)"
        case .disabled: return "is switched off\(because)"
        case .notRun: return "is not asked\(because)"
        case .error: return "fails\(because)"
        }
    }
}
