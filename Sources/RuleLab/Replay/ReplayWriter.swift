// A replay as JSON: the counts, or each decision by itself. The same replay gives the same bytes.
public import JSONDocument
import PushMessage
public import RuleEngine

public enum ReplayWriter {
    /// People in the JSON; the others are only counted.
    public static let mostPeople = 100

    /// One decision, in its place in the traffic.
    /// - Parameters:
    ///   - line: of the file, from 1; nil: of a message whose time had come.
    ///   - due: under which id it was held back.
    public static func write(
        _ decision: Decision, at: String, line: Int?, due: String?, recipient: String, channel: String?, into writer: inout JSONWriter
    ) {
        writer.beginObject()
        writer.member("at", at)
        if let line { writer.member("line", line) }
        writer.member("deferred_id", due)
        writer.member("recipient", recipient)
        writer.member("channel", channel)
        writer.key("decision")
        DecisionWriter.write(decision, into: &writer)
        writer.endObject()
    }

    /// - Parameter head: writes further keys in front: what has been replayed.
    public static func write(_ report: ReplayReport, into writer: inout JSONWriter, head: (inout JSONWriter) -> Void = { _ in }) {
        writer.beginObject()
        head(&writer)
        writer.member("events", report.counts.events)
        counts(report.counts, into: &writer)
        parts("by_hour", report.hours.filter { $0.counts.events > 0 }, unnamed: "", into: &writer)
        parts("by_day", report.days, unnamed: "", into: &writer)
        parts("by_channel", report.channels, unnamed: "(no channel)", into: &writer)
        parts("by_rule", report.rules, unnamed: "(no rule)", into: &writer)
        limits("caps", report.caps, into: &writer)
        limits("quiet_hours", report.quiet, into: &writer)
        writer.member(
            "held_back",
            [
                ("came_shown", report.due.shown), ("came_not_shown", report.due.notShown), ("came_held_again", report.due.again),
                ("answered_before", report.due.gone), ("for_resume", report.heldForResume), ("handed_over", report.handedOver),
                ("waiting_for_a_moment", report.waiting.moment), ("waiting_for_resume", report.waiting.resume),
            ])
        writer.member("duplicates", report.duplicates)
        writer.member("taps", report.taps)
        writer.member("people", report.people.count)
        writer.key("busiest")
        writer.beginArray()
        for person in report.people.prefix(mostPeople) { write(person, into: &writer) }
        writer.endArray()
        writer.key("errors")
        writer.beginArray()
        for error in report.errors {
            writer.beginObject()
            writer.member("message", error.words)
            writer.member("events", error.count)
            writer.endObject()
        }
        writer.endArray()
        writer.member("left_out", [("other_apps", report.otherApps), ("unreadable", report.unreadable)])
        writer.member("out_of_order", report.outOfOrder)
        writer.endObject()
    }

    private static func write(_ person: ReplayPerson, into writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("recipient", person.recipient)
        counts(person.counts, into: &writer)
        writer.member("shown_later", person.shownLater)
        writer.member("not_shown_later", person.notShownLater)
        if let badge = person.badge { writer.member("badge", badge) }
        writer.endObject()
    }

    private static func counts(_ counts: ReplayCounts, into writer: inout JSONWriter) {
        for outcome in ReplayOutcome.allCases {
            writer.member(outcome.rawValue, counts[outcome])
        }
    }

    private static func parts(_ key: StaticString, _ parts: [ReplayReport.Part], unnamed: String, into writer: inout JSONWriter) {
        writer.key(key)
        writer.beginObject()
        for part in parts {
            writer.key(part.name.isEmpty ? unnamed : part.name)
            writer.beginObject()
            counts(part.counts, into: &writer)
            writer.endObject()
        }
        writer.endObject()
    }

    private static func limits(_ key: StaticString, _ limits: [ReplayReport.Limit], into writer: inout JSONWriter) {
        writer.key(key)
        writer.beginArray()
        for limit in limits {
            writer.beginObject()
            writer.member("rule", limit.rule)
            writer.member("events", limit.events)
            writer.member("people", limit.people)
            writer.endObject()
        }
        writer.endArray()
    }
}
