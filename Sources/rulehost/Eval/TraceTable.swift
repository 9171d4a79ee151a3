// The trace of one event as a table: every rule in the order in which it was looked at, then the guards.
import RuleEngine

struct TraceTable {
    let trace: Trace

    func text(_ ink: Ink) -> String {
        var text = ""
        if !trace.rules.isEmpty { text += row(ink.paint("rules, in the order in which they are asked", .faint)) }
        for line in trace.rules {
            text += row("\(mark(line.outcome, ink)) \(line.rule.printable)  \(ink.paint("\(line.file):\(line.line)", .faint))")
            text += row("  " + ink.paint(words(line), .faint))
        }
        if !trace.guards.isEmpty { text += row(ink.paint("guards", .faint)) }
        for line in trace.guards { text += row("\(ink.paint("▸", .caution)) \(line.guard.rawValue): \(line.effect.printable)") }
        for note in trace.notes { text += row("\(ink.paint("▸", .faint)) \(note.printable)") }
        for note in trace.log { text += row("\(ink.paint("log", .faint)) \(note.printable)") }
        return text
    }

    private func row(_ text: String) -> String { "             \(text)\n" }

    private func mark(_ outcome: Trace.Outcome, _ ink: Ink) -> String {
        switch outcome {
        case .matched: ink.paint("✓", .good)
        case .noMatch, .disabled: ink.paint("·", .faint)
        case .notRun: ink.paint("–", .caution)
        case .error: ink.paint("✗", .bad)
        }
    }

    private func words(_ line: Trace.RuleLine) -> String {
        let because = line.because.map { ": \($0)" } ?? ""
        let text: String
        switch line.outcome {
        case .matched:
            let set = line.set.map(\.field)
            let lost = line.lost.map { "\($0.field) lost to “\($0.winner)”" }
            let parts = (set.isEmpty ? [] : ["sets \(set.joined(separator: ", "))"]) + lost
            text = (parts.isEmpty ? "matches, sets nothing" : parts.joined(separator: "; ")) + because
        case .noMatch: text = "does not match\(because)"
        case .disabled: text = "disabled\(because)"
        case .notRun: text = "not asked\(because)"
        case .error: text = "failed\(because)"
        }
        return text.printable
    }
}
