// Turns what a run has noted into the lines of a trace. Called only when a trace was asked for.
import CivilTime
import JSONDocument
import PushMessage

enum TraceMaker {
    static func trace(of run: borrowing RuleRun) -> Trace {
        var trace = Trace()
        var lines = LineTraceMaker(run.situation.plan.ruleset.files)
        for look in run.looks ?? [] {
            var line = line(of: look, run)
            line.branches = RuleBranches(of: look, run)
            if !look.calls.isEmpty { lines.add(look.calls, to: &line) }
            trace.rules.append(line)
        }
        trace.log = run.log
        for note in [unlistedChannel(in: run.situation), unlistedTab(in: run.situation)] { if let note { trace.notes.append(note) } }
        return trace
    }

    /// A message of a channel that app.lua does not list, where it lists any: the rules for its channels pass it over.
    private static func unlistedChannel(in situation: Situation) -> String? {
        guard let channel = situation.message?.channel?.string, let channels = situation.plan.ruleset.manifest.channels,
            !channels.isEmpty, !channels.contains(where: { $0.code == channel })
        else { return nil }
        return "app.lua lists no channel \"\(channel)\"; \(UnlistedName.hint(for: channel, among: channels.map(\.code)))"
    }

    /// A phone that shows a tab which app.lua does not list, where it lists any: most likely misspelt, by whoever asks.
    private static func unlistedTab(in situation: Situation) -> String? {
        let tabs = situation.plan.ruleset.manifest.tabs
        guard let tab = situation.request.device.screenTab?.string, !tabs.isEmpty, !tabs.contains(tab) else { return nil }
        return "app.lua lists no tab \"\(tab.shortened)\"; \(UnlistedName.hint(for: tab, among: tabs))"
    }

    private static func line(of look: RuleLook, _ run: borrowing RuleRun) -> Trace.RuleLine {
        let rule = look.rule
        let rules = run.situation.plan.ruleset.rules
        var line = Trace.RuleLine(
            rule: rule.name, file: rule.file, line: rule.line, outcome: look.outcome,
            because: nil)
        if let reason = look.because { line.because = sentence(reason, of: rule, in: run.situation) }
        guard let contribution = look.contribution, let winners = run.merge.winners else { return line }
        for (place, entry) in ContributionFields.named.enumerated() where contribution.fields.contains(entry.field) {
            if winners[place] == rule.place {
                line.set.append(("\(entry.name)", ContributionText.json(entry.field, of: contribution)))
            } else {
                // A reason or an end that lost with its display has no winner of its own.
                let winner = winners[place] >= 0 ? winners[place] : run.merge.displayRule
                line.lost.append(("\(entry.name)", winner >= 0 ? rules[winner].name : rule.name))
            }
        }
        return line
    }

    private static func sentence(_ reason: Trace.Reason, of rule: PlannedRule, in situation: Situation) -> String {
        switch reason {
        case .enabled: "enabled = false"
        case .condition(let place): rule.conditions[place].mismatch(in: situation)
        case .starts: boundary("starts", rule.starts, in: situation)
        case .expires: boundary("expires", rule.expires, in: situation)
        case .quiet: "its quiet hours: otherwise = \"\(rule.quiet?.otherwise.rawValue ?? "")\""
        case .cap: "cap: \(rule.cap?.sentence ?? "")"
        case .rollout: share("rollout", rule.rollout, in: situation, "beyond")
        case .holdout: share("holdout", rule.holdout, in: situation, "within")
        case .nobody: "\(rule.rollout == nil ? "holdout" : "rollout"): nobody knows whose phone this is"
        case .share:
            [
                rule.rollout.map { share("rollout", $0, in: situation, "within") },
                rule.holdout.map { share("holdout", $0, in: situation, "beyond") },
            ].compactMap { $0 }.joined(separator: "; ")
        case .hasWaited: "it has waited for that already"
        case .when: "`when` said no"
        case .failed(let message): message
        case .afterFinal(let name): "the rule \"\(name)\" is final"
        case .afterStop: "the evaluation had been stopped"
        }
    }
}

extension TraceMaker {
    fileprivate static func share(_ name: String, _ share: PlannedShare?, in situation: Situation, _ where: String) -> String {
        guard let share, let recipient = situation.recipient else { return name }
        return "\(name): bucket \(share.bucket(of: recipient)) is \(`where`) \(share.percent) percent"
    }

    /// The boundary and the present on one clock.
    fileprivate static func boundary(_ name: String, _ boundary: RuleBoundary?, in situation: Situation) -> String {
        guard let boundary else { return name }
        let zone =
            switch boundary {
            case .instant: situation.zone
            case .wall(_, let zone): zone ?? situation.zone
            }
        let (edge, now) = (boundary.instant(for: situation.zone), situation.request.now)
        return "\(name): \(zone.civil(at: edge).text) in \(zone.name), and it is \(zone.civil(at: now).text)"
    }
}

extension Condition {
    /// What was wanted and what was there.
    func mismatch(in situation: Situation) -> String {
        let message = situation.message
        let device = situation.request.device
        return switch self {
        case .channel(let values): Condition.sentence("channel", values, message?.channel)
        case .topic(let values): Condition.sentence("topic", values, message?.topic)
        case .category(let values): Condition.sentence("category", values, message?.category)
        case .tab(let values): Condition.sentence("tab", values, device.screenTab)
        case .locale(let values): Condition.sentence("locale", values, device.locale)
        case .os(let values): Condition.sentence("os", values, device.osName)
        case .urgency(let values):
            "urgency: wanted \(Condition.list(values.map(\.rawValue))), but it is \(Condition.quoted(message?.priority?.rawValue))"
        case .states: "state: it is \"\(device.state.rawValue)\""
        case .minOS: "min_os: the system is \(Condition.quoted(device.osVersion?.string))"
        case .appVersion: "app_version: the app is \(Condition.quoted(device.appVersion?.string))"
        case .silent(let value): "silent: wanted \(value), but \(message.map { "it is \($0.silent)" } ?? "there is no message")"
        case .never(let field): "\(field.rawValue): no value can match"
        }
    }

    private static func sentence(_ name: String, _ values: [String], _ text: JSONText?) -> String {
        "\(name): wanted \(list(values)), but it is \(quoted(text?.string))"
    }

    private static func list(_ values: [String]) -> String { values.map { "\"\($0)\"" }.joined(separator: " or ") }
    private static func quoted(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "not known" }
}
