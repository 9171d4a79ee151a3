// One message of many, for people: one line.
import JSONDocument
import PushMessage
import RuleEngine

struct SentenceAnswer {
    let outcome: EvalOutcome
    let number: Int
    let state: DeviceState

    func text(_ ink: Ink) -> String {
        let id = outcome.message.map { TextWidth.prefix($0.id.string.printable, columns: 24) } ?? ""
        let gap = String(repeating: " ", count: max(1, 26 - TextWidth.of(id)))
        let places = String(number)
        var words: [String] = []
        for evaluation in outcome.evaluations {
            let decision = evaluation.decision
            let sentences = StepWords(decision: decision, event: outcome.event, held: outcome.held, badgeBefore: nil, state: state)
            guard let line = sentences.lines.first else { continue }
            let text = line.tone.map { ink.paint(line.text.printable, $0) } ?? line.text.printable
            words.append("\(ink.paint(decision.event.rawValue, .accent)) \(text)")
        }
        if words.isEmpty { words.append(ink.paint("causes nothing", .faint)) }
        return String(repeating: " ", count: max(0, 6 - places.count)) + ink.paint(places, .faint) + "  \(id)\(gap)"
            + words.joined(separator: "; ") + "\n"
    }
}
