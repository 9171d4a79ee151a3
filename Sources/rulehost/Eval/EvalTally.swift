// What came out of a number of messages: the counts of the summary.
import RuleEngine

struct EvalTally {
    var shown = 0
    var suppressed = 0
    var deferred = 0
    /// Nothing to display: silent messages, and those that cause nothing.
    var silent = 0
    var unreadable = 0
    var withErrors = 0

    var count: Int { shown + suppressed + deferred + silent + unreadable }

    mutating func count(_ evaluations: [Evaluation]) {
        switch evaluations.last(where: { $0.decision.display != nil })?.decision.display?.action {
        case .show: shown += 1
        case .suppress: suppressed += 1
        case .defer: deferred += 1
        case nil: silent += 1
        }
        if evaluations.contains(where: { !$0.decision.errors.isEmpty }) { withErrors += 1 }
    }

    /// One line for people.
    func summary(seconds: Double, _ ink: Ink) -> String {
        let rate = Int(Double(count) / max(seconds, 1e-6))
        var parts = [
            ink.paint("\(Figures.grouped(shown)) shown", .good), ink.paint("\(Figures.grouped(suppressed)) suppressed", .caution),
        ]
        if deferred > 0 { parts.append("\(Figures.grouped(deferred)) deferred") }
        if silent > 0 { parts.append("\(Figures.grouped(silent)) without display") }
        if withErrors > 0 { parts.append(ink.paint("\(Figures.grouped(withErrors)) with rule errors", .bad)) }
        if unreadable > 0 { parts.append(ink.paint("\(Figures.grouped(unreadable)) unreadable", .bad)) }
        return "\(Counted.of(count, "message", "messages")) in \(Figures.duration(seconds)) (\(Figures.grouped(rate))/s): "
            + parts.joined(separator: ", ") + "\n"
    }
}
