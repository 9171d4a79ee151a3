// The trace of one event as a table: every rule in the order in which it was looked at, then the guards.
import RuleEngine

struct TraceTable {
    let trace: Trace

    func text(_ ink: Ink) -> String {
        var text = ""
        if !trace.rules.isEmpty { text += rows("", "rules, in the order in which they are asked", ink) }
        for line in trace.rules {
            text += rows("\(mark(line.outcome, ink)) ", "\(line.rule)  ", "\(line.file):\(line.line)", ink)
            text += rows("  ", words(line), ink)
            for row in TracedLines(of: line).rows(columns: HumanAnswer.columns - TraceTable.margin.count - 2, ink) {
                text += TraceTable.margin + "  " + row + "\n"
            }
        }
        if !trace.guards.isEmpty { text += rows("", "guards", ink) }
        for line in trace.guards {
            text += rows("\(ink.paint("▸", .caution)) ", "\(line.guard.rawValue): \(line.effect)", tone: nil, ink)
        }
        for note in trace.notes { text += rows("\(ink.paint("▸", .faint)) ", note, tone: nil, ink) }
        for note in trace.log { text += rows("\(ink.paint("log", .faint)) ", note, tone: nil, indent: 4, ink) }
        return text
    }

    private static let margin = String(repeating: " ", count: 13)

    /// A mark and text beside it, broken where the line ends; what follows stands under the text.
    private func rows(_ mark: String, _ text: String, tone: Ink.Tone? = .faint, indent: Int = 2, _ ink: Ink) -> String {
        var head = TraceTable.margin + mark
        let room = HumanAnswer.columns - TraceTable.margin.count - (mark.isEmpty ? 0 : indent)
        var rows = ""
        for row in TextLines.wrap(text.printable, columns: room) {
            rows += head + (tone.map { ink.paint(row, $0) } ?? row) + "\n"
            head = TraceTable.margin + (mark.isEmpty ? "" : String(repeating: " ", count: indent))
        }
        return rows
    }

    /// A name with its place in the same line, or in the next one where there is no room.
    private func rows(_ mark: String, _ name: String, _ place: String, _ ink: Ink) -> String {
        let (name, place) = (name.printable, place.printable)
        let room = HumanAnswer.columns - TraceTable.margin.count - 2
        if TextWidth.of(name) + TextWidth.of(place) <= room {
            return "\(TraceTable.margin)\(mark)\(name)\(ink.paint(place, .faint))\n"
        }
        return rows(mark, name, tone: nil, ink) + rows("  ", place, ink)
    }

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
            let lost = lostFields(line)
            let parts = (set.isEmpty ? [] : ["sets \(set.joined(separator: ", "))"]) + lost
            text = (parts.isEmpty ? "matches, sets nothing" : parts.joined(separator: "; ")) + because
        case .noMatch: text = "does not match\(because)"
        case .disabled: text = "disabled\(because)"
        case .notRun: text = "not asked\(because)"
        case .error: text = "failed\(because)"
        }
        return text
    }

    /// "title and body lost to “…”", once for each winner.
    private func lostFields(_ line: Trace.RuleLine) -> [String] {
        var winners: [(name: String, fields: [String])] = []
        for lost in line.lost {
            if let place = winners.firstIndex(where: { $0.name == lost.winner }) {
                winners[place].fields.append(lost.field)
            } else {
                winners.append((lost.winner, [lost.field]))
            }
        }
        return winners.map { "\($0.fields.joined(separator: ", ")) lost to “\($0.name)”" }
    }
}
