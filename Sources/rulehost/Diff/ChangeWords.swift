// The kinds of change in words, the same in the terminal and on the page.
import PushMessage
import ReportPage
import RuleLab

extension ChangeKind {
    /// A few words for a table.
    var label: String {
        switch self {
        case .newlyShown: "newly shown"
        case .newlySuppressed: "newly suppressed"
        case .newlyDeferred: "newly held back"
        case .route: "other way after a tap"
        case .badge: "other badge"
        case .content: "other content"
        case .options: "shown in another way"
        case .topics: "other topics"
        case .other: "something else"
        case .error: "rule errors"
        }
    }

    /// What it means for whoever holds the phone.
    var meaning: String {
        switch self {
        case .newlyShown: "was not displayed, now is"
        case .newlySuppressed: "was displayed, now is not"
        case .newlyDeferred: "comes later than before"
        case .route: "a tap leads elsewhere"
        case .badge: "another number on the icon"
        case .content: "another text, sound or picture"
        case .options: "banner, list or sound differ"
        case .topics: "joins or leaves other topics"
        case .other: "another end of waiting, other labels, or something else for the app"
        case .error: "a rule fails, or fails no longer"
        }
    }

    var ink: Ink.Tone {
        switch self {
        case .newlyShown: .good
        case .newlySuppressed: .caution
        case .error: .bad
        case .newlyDeferred, .route, .badge, .content, .options, .topics, .other: .accent
        }
    }

    var tone: Tone {
        switch self {
        case .newlyShown: .good
        case .newlySuppressed: .caution
        case .newlyDeferred: .later
        case .error: .bad
        case .route, .badge, .content, .options, .topics, .other: .plain
        }
    }
}

extension Comparison {
    /// One sentence that says it all.
    var headline: String {
        guard report.events > 0 else { return "There was no event to decide." }
        guard report.changed > 0 else {
            return report.events == 1
                ? "Nothing would be different: both decide the one event alike."
                : "Nothing would be different: both decide the \(Counted.events(report.events)) alike."
        }
        let people =
            report.people == report.allPeople && report.people == 1
            ? "" : ", for \(Figures.grouped(report.people)) of \(Counted.people(report.allPeople))"
        return
            "\(Figures.grouped(report.changed)) of \(Counted.events(report.events)) would be different (\(Counted.percent(report.changed, of: report.events)))\(people)."
    }

    /// What the table of kinds does not say.
    var remarks: [String] {
        var remarks: [String] = []
        if report.carriedBadges > 0 {
            remarks.append(
                report.carriedBadges == report.count(.badge)
                    ? "The badge: only the number before is another one, because of an earlier change."
                    : "The badge: of \(Figures.grouped(report.count(.badge))), \(Figures.grouped(report.carriedBadges)) only carry on an earlier change."
            )
        }
        if report.heldShown + report.heldNotShown > 0 {
            remarks.append(
                "Of what only the new rules hold back, \(Figures.grouped(report.heldShown)) \(report.heldShown == 1 ? "was" : "were") shown when the time came, \(Figures.grouped(report.heldNotShown)) not."
            )
        }
        if report.waitingBefore + report.waitingAfter > 0 {
            remarks.append(
                "When the traffic ends, \(Counted.of(report.waitingBefore, "message waits", "messages wait")) by the old rules, \(Figures.grouped(report.waitingAfter)) by the new ones."
            )
        }
        if report.otherReasons > 0 {
            remarks.append(
                "\(Counted.of(report.otherReasons, "further event has", "further events have")) the same outcome, but another rule or another reason behind it."
            )
        }
        return remarks
    }

    /// "2026-03-02 00:00 to 23:59 UTC"
    var span: String? { report.span.map { TrafficSpan.words($0.from, $0.to) } }
}

enum RuleWords {
    /// A rule as a table names it; "" is nobody.
    static func name(_ name: String) -> String {
        if name.isEmpty { return "no rule: as the message came" }
        return name.hasPrefix("guard:") ? "the built-in guard \(name.dropFirst(6))" : name
    }
}
