// One event on one phone in words: what came, and what the phone did with it. Told as it happens, and kept for the page.
import PushMessage
import ReportPage
import RuleEngine
import RuleLab

struct DiaryEntry {
    let text: EventText
    let channel: String?
    /// Of the traffic; nil: its time had come.
    let line: Int?
    let outcome: ReplayOutcome
    /// What was asked and what came of it; empty: the message causes nothing.
    let steps: [(event: EventName, lines: [StepWords.Line])]

    init(_ played: PlayedLine, _ line: TrafficBatch.Line, _ batch: TrafficBatch, _ manifest: Manifest) {
        let bytes = batch.text(of: line)
        text = EventText(
            at: played.at, message: played.messageText.map { Array(bytes[$0]) }, device: Array(bytes[played.deviceText]), manifest)
        channel = played.channel
        self.line = line.number
        outcome = ReplayOutcome(played.decisions)
        steps = DiaryEntry.steps(played.decisions, text.state)
    }

    /// nil: something else has answered the message before.
    init?(_ answer: DueAnswer, _ manifest: Manifest) {
        guard let decision = answer.decision else { return nil }
        text = EventText(at: answer.at, message: answer.message, device: answer.device, manifest)
        channel = nil
        line = nil
        outcome = ReplayOutcome([decision])
        steps = DiaryEntry.steps([decision], text.state)
    }

    private static func steps(_ decisions: [Decision], _ state: DeviceState) -> [(event: EventName, lines: [StepWords.Line])] {
        decisions.map { ($0.event, StepWords(decision: $0, badgeBefore: nil, state: state).lines) }
    }

    /// What came, in a few words.
    var headline: String {
        let saying = text.saying.map { "“\($0)”" } ?? (steps.first.map { $0.event.rawValue } ?? "nothing to read")
        return line == nil ? "\(saying), which had been held back" : saying
    }

    var remarks: [String] {
        [channel, line == nil ? nil : text.phone, line.map { "line \(Figures.grouped($0))" }].compactMap { $0 }
    }
}

extension ReplayOutcome {
    var label: String {
        switch self {
        case .shown: "shown"
        case .notShown: "not shown"
        case .held: "held back"
        case .nothing: "nothing to show"
        }
    }

    /// What stands behind the word, for whoever meets it first.
    var meaning: String {
        switch self {
        case .shown: "the person saw it at once"
        case .notShown: "the person did not see it"
        case .held: "it is looked at again later"
        case .nothing: "taps, starts of the app, switches"
        }
    }

    var mark: String {
        switch self {
        case .shown: "●"
        case .notShown: "○"
        case .held: "◷"
        case .nothing: "·"
        }
    }

    var ink: Ink.Tone {
        switch self {
        case .shown: .good
        case .notShown: .caution
        case .held: .accent
        case .nothing: .faint
        }
    }

    var tone: Tone {
        switch self {
        case .shown: .good
        case .notShown: .caution
        case .held: .later
        case .nothing: .faint
        }
    }
}

/// Writes entries for a terminal, a heading for each day.
struct DiaryText {
    private static let columns = 100
    private let ink: Ink
    private var day = ""

    init(_ ink: Ink) { self.ink = ink }

    mutating func add(_ entry: DiaryEntry) -> String {
        var text = ""
        if entry.text.day != day {
            day = entry.text.day
            text += "\n\(ink.paint(day.printable, .strong))\n"
        }
        var head = "  \(BarText.padded(entry.text.clock, to: 10))\(ink.paint(entry.outcome.mark, entry.outcome.ink)) "
        for row in TextLines.wrap(entry.headline.printable, columns: DiaryText.columns - 14, most: 3) {
            text += head + row + "\n"
            head = String(repeating: " ", count: 14)
        }
        if !entry.remarks.isEmpty {
            for row in TextLines.wrap(entry.remarks.joined(separator: " · ").printable, columns: DiaryText.columns - 14) {
                text += String(repeating: " ", count: 14) + ink.paint(row, .faint) + "\n"
            }
        }
        if entry.steps.isEmpty {
            text += String(repeating: " ", count: 14) + ink.paint("nothing happens: the message causes no event", .faint) + "\n"
        }
        for (event, lines) in entry.steps { text += step(event, lines) }
        return text
    }

    private func step(_ event: EventName, _ lines: [StepWords.Line]) -> String {
        var text = ""
        var head = String(repeating: " ", count: 14) + ink.paint(BarText.padded(event.rawValue, to: 9), .accent)
        for line in lines {
            let speaker = line.speaker.map { " – \(RuleWords.name($0))" } ?? ""
            for row in TextLines.wrap((line.text + speaker).printable, columns: DiaryText.columns - 23) {
                text += head + (line.tone.map { ink.paint(row, $0) } ?? row) + "\n"
                head = String(repeating: " ", count: 23)
            }
        }
        return text
    }
}
