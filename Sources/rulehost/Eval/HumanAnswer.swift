// The answer of eval for people: the phones, then each event in sentences with the rule that said so, its warnings and
// errors, and the rules one by one when they were asked for.
import JSONDocument
import PushMessage
import RuleEngine

struct HumanAnswer {
    static let columns = 80
    let outcome: EvalOutcome
    let device: Device
    let ruleset: Ruleset
    let rulesFolder: String
    let now: Instant

    func text(_ ink: Ink) -> String {
        var text = heading(ink) + "\n"
        let picture = JourneyPicture(
            outcome: outcome, device: device, manifest: ruleset.manifest, app: ruleset.app, now: now)
        var number = 0
        // What is wrong with the message or the phone is wrong at every event: it is said once.
        var told: [Warning] = []
        var badge = outcome.badgeBefore
        for (events, scene) in picture.scenes {
            if let scene { text += PhoneDrawing(scene: scene).text(ink, indent: 2) + "\n" }
            if events.isEmpty { text += "  " + nothing + "\n" }
            for event in events {
                number += 1
                guard let decision = outcome.evaluations[safe: number - 1]?.decision, decision.event == event else { continue }
                text += step(number, decision, badge, told, ink)
                told += decision.warnings
                badge = decision.badgeAfter ?? badge
            }
            if number < outcome.evaluations.count { text += "\n" }
        }
        return text
    }

    private var nothing: String {
        outcome.message == nil ? "nothing happens" : "This message causes nothing on this phone: no event, no rule is asked."
    }

    private func heading(_ ink: Ink) -> String {
        var line = ink.paint((ruleset.manifest.title ?? ruleset.app).printable, .strong)
        if let message = outcome.message {
            line += ink.paint(" · \(message.format.rawValue) message", .faint)
            line += ink.paint(" \(TextWidth.prefix(message.id.string.printable, columns: 40))", .faint)
        }
        line += ink.paint(" · app \(stateWords)", .faint)
        return line + "\n"
    }

    private var stateWords: String {
        switch device.state {
        case .foreground: "in front"
        case .inactive: "in front, but covered"
        case .background: "in the background"
        case .terminated, .notRunning: "not running"
        case .forceQuit: "swiped away"
        }
    }

    // MARK: one event

    private static let margin = String(repeating: " ", count: 13)

    private func step(_ number: Int, _ decision: Decision, _ badge: Int?, _ told: [Warning], _ ink: Ink) -> String {
        let name = decision.event.rawValue
        var text = ""
        let sentences = StepWords(
            decision: decision, event: outcome.event, held: decision.event == .resume ? outcome.held : [], badgeBefore: badge,
            state: device.state)
        for (place, line) in sentences.lines.enumerated() {
            let room = HumanAnswer.columns - HumanAnswer.margin.count
            var head =
                place == 0
                ? "  \(ink.paint("\(number)", .faint)) \(ink.paint(name, .accent))\(String(repeating: " ", count: max(1, 9 - name.count)))"
                : HumanAnswer.margin
            for row in TextLines.wrap(line.text.printable, columns: room) {
                text += head + (line.tone.map { ink.paint(row, $0) } ?? row) + "\n"
                head = HumanAnswer.margin
            }
            if let speaker = speaker(line.speaker, isDisplay: place == 0 && decision.display.map { $0.reason == nil } ?? false) {
                for row in TextLines.wrap(speaker, columns: room) { text += HumanAnswer.margin + ink.paint(row, .faint) + "\n" }
            }
        }
        var warnings: [Warning] = []
        for warning in decision.warnings + decision.deferred.flatMap(\.warnings)
        where !told.contains(warning) && !warnings.contains(warning) { warnings.append(warning) }
        for warning in warnings { text += paragraph("warning", warning.words, .caution, ink) }
        for error in decision.errors { text += words(error, ink) }
        if let usage = usage(decision.usage) { text += HumanAnswer.margin + ink.paint(usage, .faint) + "\n" }
        if let trace = decision.trace { text += TraceTable(trace: trace).text(ink) }
        return text
    }

    private func speaker(_ name: String?, isDisplay: Bool) -> String? {
        guard let name else { return isDisplay ? "as the message came: no rule says otherwise" : nil }
        if name.hasPrefix("guard:") { return "the built-in guard \(name.dropFirst(6))" }
        guard let rule = ruleset.rules.first(where: { $0.name == name }) else { return "“\(name)”" }
        return "“\(name)” \(AppLoading.path(of: rule.file, app: ruleset.app, in: rulesFolder)):\(rule.line)".printable
    }

    private func words(_ error: RuleError, _ ink: Ink) -> String {
        let place = AppLoading.path(of: error.file, app: ruleset.app, in: rulesFolder)
        let rule = error.rule.map { "“\($0)” " } ?? ""
        var text = paragraph("error", "\(place):\(error.line): \(rule)\(error.message) [\(error.code)]", .bad, ink)
        let source = ruleset.files.first { $0.path == error.file }?.bytes
        if let excerpt = source.flatMap({ Excerpt(of: $0, line: error.line, column: 0) }) {
            text += "        " + excerpt.text(ink)
        }
        if let hint = error.hint { text += paragraph("hint", hint, .accent, ink) }
        return text
    }

    private func usage(_ usage: Usage) -> String? {
        guard let memory = usage.memoryBytes, let time = usage.microseconds else { return nil }
        return "fuel \(Figures.grouped(usage.fuel)), memory \(Figures.grouped(memory)) bytes, \(Figures.grouped(time)) µs"
    }

    private func paragraph(_ word: String, _ text: String, _ tone: Ink.Tone, _ ink: Ink) -> String {
        var rows = TextLines.wrap(text.printable, columns: HumanAnswer.columns - HumanAnswer.margin.count - word.count - 2)
        var paragraph = HumanAnswer.margin + ink.paint("\(word):", tone) + " \(rows.removeFirst())\n"
        for row in rows { paragraph += HumanAnswer.margin + String(repeating: " ", count: word.count + 2) + row + "\n" }
        return paragraph
    }
}

extension Warning {
    /// One sentence with its place and what to do.
    var words: String {
        let place = path.isEmpty ? "" : "\(path): "
        return "\(place)\(message)\(hint.map { " – \($0)" } ?? "") [\(code.rawValue)]"
    }
}

extension Decision {
    /// On the icon afterwards, when it was changed; what was held back comes before the event itself.
    var badgeAfter: Int? { badge?.value ?? deferred.compactMap(\.badge?.value).last }
}

extension Array {
    subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
