// The answer of inspect for people: a table of fields, what a sender should repair, the callbacks, a bar for the size.
import JSONDocument
import PushMessage
import RuleEngine

struct InspectPage {
    static let columns = 88
    let message: Message
    let device: Device
    let showsAllStates: Bool

    func text(_ ink: Ink) -> String {
        var text = ink.paint("\(message.format.rawValue) message", .strong)
        text += message.silent ? ink.paint(" · silent", .caution) : ""
        text += "\n\n" + fields(ink) + "\n" + lint(ink) + "\n" + callbacks(ink) + "\n" + size(ink)
        return text
    }

    // MARK: fields

    private func fields(_ ink: Ink) -> String {
        var rows: [(field: String, value: String, place: String)] = []
        for field in message.view.children where !["format", "raw", "lint"].contains(field.key) {
            let name = field.key.string
            let place = message.sources.first { $0.field == name }?.path
            if field.isObject, field.count > 0, field.children.allSatisfy({ !$0.isObject && !$0.isArray }) {
                for member in field.children {
                    rows.append(
                        ("\(name).\(member.key.string)".printable, value(member), rows.last?.place == place ? "" : place ?? ""))
                }
            } else {
                rows.append((name, value(field), place ?? made(name)))
            }
        }
        let nameWidth = min(28, max(18, rows.map { TextWidth.of($0.field) }.max() ?? 0))
        let valueWidth = 40
        var text = ink.paint("  \(padded("field", nameWidth))  \(padded("value", valueWidth))  from", .faint) + "\n"
        for row in rows {
            let lines = TextLines.wrap(row.value, columns: valueWidth, most: 3)
            text += "  \(ink.paint(padded(row.field, nameWidth), .accent))  "
            text += row.place.isEmpty ? lines[0] : padded(lines[0], valueWidth) + "  \(ink.paint(row.place.printable, .faint))"
            text += "\n"
            for line in lines.dropFirst() { text += String(repeating: " ", count: nameWidth + 4) + line + "\n" }
        }
        return text
    }

    private func value(_ value: JSONValue) -> String {
        if let text = value.text { return text.string.printableLines }
        if value.isObject, value.count == 0 { return "(none)" }
        var writer = JSONWriter()
        writer.value(value)
        return String(decoding: writer.bytes, as: UTF8.self).printable
    }

    /// Fields that are worked out, not read at one place.
    private func made(_ field: String) -> String {
        switch field {
        case "id" where message.idGenerated: "(a hash of the content)"
        case "id_generated", "silent", "content_available", "mutable_content", "data": ""
        default: ""
        }
    }

    private func padded(_ text: String, _ width: Int) -> String {
        let columns = TextWidth.of(text)
        return columns >= width ? text : text + String(repeating: " ", count: width - columns)
    }

    // MARK: lint

    private func lint(_ ink: Ink) -> String {
        guard !message.lint.isEmpty else { return "  \(ink.paint("✓", .good)) nothing to repair\n" }
        let count = message.lint.count
        var text = "  \(ink.paint("\(count) thing\(count == 1 ? "" : "s") to repair", .caution))\n"
        for warning in message.lint {
            let place = warning.path.isEmpty ? "the whole message" : warning.path.printable
            text +=
                "  \(ink.paint("!", .caution)) \(ink.paint(place, .strong))  \(ink.paint("[\(warning.code.rawValue)]", .faint))\n"
            for line in TextLines.wrap(warning.message.printable, columns: InspectPage.columns - 6) { text += "    \(line)\n" }
            guard let hint = warning.hint else { continue }
            for line in TextLines.wrap("→ \(hint.printable)", columns: InspectPage.columns - 6) {
                text += "    \(ink.paint(line, .accent))\n"
            }
        }
        return text
    }

    // MARK: callbacks

    private func callbacks(_ ink: Ink) -> String {
        var text = "  \(ink.paint("callbacks on \(device.platform == .ios ? "iOS" : "Android")", .faint))\n"
        let states: [DeviceState] =
            showsAllStates ? [.foreground, .background, .terminated, .forceQuit] : [device.state]
        for state in states {
            var device = device
            device.state = state
            let events = Evaluator.events(of: message, on: device).map { ink.paint($0.rawValue, .accent) }
            let words = events.isEmpty ? ink.paint("none", .faint) : events.joined(separator: ", ")
            text += "  \(padded(state.rawValue, 14))\(words)\n"
        }
        return text
    }

    // MARK: size

    private func size(_ ink: Ink) -> String {
        let (bytes, limit) = message.size
        let width = 30
        let full = min(width, (bytes * width + limit - 1) / limit)
        let bar = String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
        let tone: Ink.Tone = bytes > limit ? .bad : bytes * 10 > limit * 9 ? .caution : .good
        return "  size  \(ink.paint(bar, tone))  \(Figures.grouped(bytes)) of \(Figures.grouped(limit)) bytes\n"
    }
}
