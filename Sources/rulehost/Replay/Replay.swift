// A replay with the names of what was replayed: what every form of the answer is made from, and its words.
import JSONDocument
import PushMessage
import RuleEngine
import RuleLab

struct Replay {
    let report: ReplayReport
    let ruleset: Ruleset
    /// The folder of the rules, as it was written.
    let rules: String
    let traffic: String
    let recipient: String?

    var title: String { ruleset.manifest.title ?? ruleset.app }

    /// The person that was asked for.
    var person: ReplayPerson? {
        recipient.flatMap { name in report.people.first { $0.recipient.isExactly(name) } }
    }

    /// One sentence that says it all.
    var headline: String {
        let counts = report.counts
        guard counts.events > 0 else { return "There was no event to decide." }
        let messages = counts.shown + counts.notShown + counts.held
        guard messages > 0 else { return "No event had anything to show." }
        let later = report.due.shown > 0 ? ", and \(Figures.grouped(report.due.shown)) that had been held back later" : ""
        return
            "\(Figures.grouped(counts.shown)) of \(Counted.of(messages, "message", "messages")) \(counts.shown == 1 ? "was" : "were") shown at once (\(Counted.percent(counts.shown, of: messages)))\(later)."
    }

    /// What became of what was held back.
    var waits: [String] {
        let due = report.due
        var sentences: [String] = []
        let came = due.shown + due.notShown + due.again
        if came > 0 {
            let parts = [(due.shown, "shown"), (due.notShown, "not shown"), (due.again, "held back again")].filter { $0.0 > 0 }
            sentences.append(
                "\(Counted.of(came, "message was", "messages were")) looked at again when the time had come: "
                    + parts.map { "\(Figures.grouped($0.0)) \($0.1)" }.joined(separator: ", ") + ".")
        }
        if due.gone > 0 { sentences.append("\(Counted.of(due.gone, "message", "messages")) had been answered by something else before.") }
        if report.heldForResume > 0 || report.handedOver > 0 {
            sentences.append(
                "\(Counted.of(report.heldForResume, "message", "messages")) waited for the app to come to the front; decided then: \(Figures.grouped(report.handedOver))."
            )
        }
        if report.waiting.moment + report.waiting.resume > 0 {
            sentences.append(
                "Still waiting when the traffic ends: \(Figures.grouped(report.waiting.moment)) for a moment, \(Figures.grouped(report.waiting.resume)) for the app."
            )
        }
        return sentences
    }

    /// "2026-03-02 00:00 to 23:59 UTC"
    var span: String? { report.span.map { TrafficSpan.words($0.from, $0.to) } }

    func writeHead(into writer: inout JSONWriter) {
        for (key, text) in [("app", ruleset.app), ("ruleset", ruleset.hash)] {
            writer.key(key)
            writer.string(text)
        }
    }
}

enum TrafficSpan {
    /// "2026-03-02 00:00 to 23:59 UTC"
    static func words(_ from: Instant, _ to: Instant) -> String {
        let (first, last) = (from.text, to.text)
        let day = first.prefix(10)
        let start = "\(day) \(first.dropFirst(11).prefix(5))"
        if last.hasPrefix(start.replacing(" ", with: "T")) { return "\(start) UTC" }
        return last.hasPrefix(day)
            ? "\(start) to \(last.dropFirst(11).prefix(5)) UTC" : "\(start) to \(last.prefix(10)) \(last.dropFirst(11).prefix(5)) UTC"
    }
}
