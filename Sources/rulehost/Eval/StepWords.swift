// One event of a journey in words: what happened, and who said so.
import JSONDocument
import PushMessage
import RuleEngine

struct StepWords {
    let decision: Decision
    /// As it was asked, where its details are of interest.
    var event: Event?
    /// What waited for the app, in the order of `decision.deferred`.
    var held: [HeldText] = []
    /// The badge on the icon before, when it is known.
    let badgeBefore: Int?
    let state: DeviceState

    struct Line {
        let text: String
        let tone: Ink.Tone?
        /// The name of a rule or "guard:<name>"; nil: nobody in particular.
        let speaker: String?
    }

    var lines: [Line] {
        var lines: [Line] = []
        if decision.isDuplicate {
            let text =
                decision.display.map { "not shown\(why($0)); no rule is asked" }
                ?? "another copy of a message that was here already; no rule is asked"
            lines.append(Line(text: text, tone: .caution, speaker: GuardName.duplicate.speaker))
        } else if let display = decision.display {
            lines.append(line(display))
        }
        lines += contentLines
        if let badge = decision.badge { lines.append(line(badge)) }
        if let route = decision.route {
            lines.append(
                Line(
                    text: RouteWords.sentence(route, at: decision.event) + (route.reason.map { ": \($0)" } ?? ""), tone: .good,
                    speaker: route.rule))
        } else if decision.event == .open {
            let text =
                state.isColdStart ? "the app starts, and leads nowhere in particular" : "the app comes to the front where it was"
            lines.append(Line(text: text, tone: nil, speaker: nil))
        }
        for operation in decision.topics {
            lines.append(Line(text: "\(operation.kind.rawValue) \(operation.topic)", tone: nil, speaker: nil))
        }
        if let inbox = decision.inbox {
            let text = decision.event == .resume ? "the app gets what was kept: " : "kept for the app: "
            lines.append(Line(text: text + shortened(inbox), tone: nil, speaker: nil))
        }
        lines += settingsLines + heldLines
        if let action = decision.tokenAction { lines.append(Line(text: StepWords.words(ofToken: action), tone: nil, speaker: nil)) }
        if let result = decision.fetchResult {
            lines.append(Line(text: "the app was woken, and reports \(result.rawValue)", tone: nil, speaker: nil))
        }
        for label in decision.labels { lines.append(Line(text: "label \(label.name) = \(label.value)", tone: nil, speaker: nil)) }
        if lines.isEmpty { lines.append(Line(text: "nothing happens", tone: nil, speaker: nil)) }
        return lines
    }

    /// The switches that the person has touched.
    private var settingsLines: [Line] {
        guard case .settings(let appPush, let channels, let resets) = event?.meaning else { return [] }
        var texts: [String] = []
        if resets { texts.append("all channels: as the app has them, remembered") }
        if let appPush { texts.append("notifications of the app: \(appPush ? "on" : "off"), remembered") }
        for member in channels?.children.map({ $0 }) ?? [] {
            if let isOn = member.bool { texts.append("channel \(member.key.string): \(isOn ? "on" : "off"), remembered") }
        }
        return texts.map { Line(text: $0, tone: nil, speaker: nil) }
    }

    /// What has become of each message that waited until the app came to the front.
    private var heldLines: [Line] {
        decision.deferred.enumerated().flatMap { place, answer in
            var lines = StepWords(decision: answer, badgeBefore: nil, state: state).lines
            let name = held[safe: place]?.title ?? answer.messageID ?? "a message"
            if let first = lines.first {
                lines[0] = Line(text: "what waited, “\(name)”: \(first.text)", tone: first.tone, speaker: first.speaker)
            }
            return lines
        }
    }

    private static func words(ofToken action: TokenAction) -> String {
        switch action {
        case .register: "the app asks for its registration token, now that it has Apple's [register]"
        case .wait: "the app waits: without Apple's token the registration token is of no use yet [wait]"
        case .sendToServer: "the app sends its registration token to its server [send_to_server]"
        case .nothing: "the app has nothing to do: this token is known [none]"
        }
    }

    /// ": cap, 3 of 3 shown today"
    private func why(_ display: Display) -> String {
        let words = [display.reason, display.detail].compactMap { $0 }
        return words.isEmpty ? "" : ": " + words.joined(separator: ", ")
    }

    private func line(_ display: Display) -> Line {
        let reason = why(display)
        switch display.action {
        case .show:
            let options = StepWords.names(of: display.options)
            let how = options.isEmpty ? "shown, but with nothing to see or hear" : "shown as \(options)"
            return Line(text: how + reason, tone: .good, speaker: display.rule)
        case .suppress: return Line(text: "not shown\(reason)", tone: .caution, speaker: display.rule)
        case .defer: return Line(text: "held back, \(until(display.until))\(reason)", tone: .caution, speaker: display.rule)
        }
    }

    private func until(_ until: Until?) -> String {
        switch until {
        case .resume, nil: "until the app comes to the front"
        case .at(let instant, let local, let zone):
            "will be looked at again on \(WallClock(instant, zone: zone).weekday) \(local) \(zone)"
        }
    }

    /// "banner, list and sound"
    private static func names(of options: DisplayOptions) -> String {
        let all: [(DisplayOptions, String)] = [
            (.banner, "banner"), (.list, "list"), (.sound, "sound"), (.badge, "badge"), (.alert, "alert"),
        ]
        let names = all.filter { options.contains($0.0) }.map(\.1)
        guard names.count > 1, let last = names.last else { return names.joined() }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }

    private var contentLines: [Line] {
        let content = decision.content
        let replaced: [(String, String?)] = [
            ("title", content.title), ("subtitle", content.subtitle), ("body", content.body), ("sound", content.sound),
            ("category", content.category), ("thread", content.thread), ("interruption level", content.interruptionLevel),
            ("relevance", content.relevance.map { "\($0)" }),
        ]
        var lines = replaced.compactMap { name, value in
            value.map { Line(text: "\(name) replaced: \($0)", tone: nil, speaker: nil) }
        }
        for attachment in content.attachments ?? [] {
            var text = "picture: \(attachment.url)"
            if let bytes = attachment.bytes, let kind = attachment.kind {
                text += ": fetched, \(Figures.grouped(bytes)) bytes of \(kind.noun)"
            }
            lines.append(Line(text: text, tone: nil, speaker: nil))
        }
        return lines
    }

    private func line(_ badge: Badge) -> Line {
        if badgeBefore == badge.value {
            return Line(text: "badge stays \(badge.value) (\(badge.reason))", tone: nil, speaker: badge.rule)
        }
        let before = badgeBefore.map { "\($0) → " } ?? ""
        return Line(text: "badge \(before)\(badge.value) (\(badge.reason))", tone: nil, speaker: badge.rule)
    }

    private func shortened(_ json: [UInt8]) -> String {
        let text = String(decoding: json, as: UTF8.self)
        return TextWidth.of(text) <= 200 ? text : TextWidth.prefix(text, columns: 199) + "…"
    }
}
