// Entries of the reference for people: one whole, several as a list, or the list of sections.
import RuleReference
import RuleStore

struct ReferencePage {
    static let columns = 88
    private let ink: Ink
    private(set) var text = ""

    init(_ ink: Ink) { self.ink = ink }

    // MARK: lists

    mutating func addOverview() {
        line("\(ink.paint("rulehost docs", .strong)) – everything that a rule can be written with")
        line("")
        let width = Entry.Section.allCases.map { TextWidth.of($0.rawValue) }.max() ?? 0
        for section in Entry.Section.allCases {
            addRow(section.rawValue, "\(section.summary) (\(Entry.entries(of: section).count))", width: width)
        }
        line("")
        line("`rulehost docs SECTION` lists what is in it; `rulehost docs NAME` tells all about one, with an")
        line("example: `rulehost docs quiet`, `rulehost docs text.truncate`, `rulehost docs budget_fuel`.")
    }

    mutating func add(_ section: Entry.Section) {
        line("\(ink.paint(section.rawValue, .strong)) – \(section.summary)")
        line("")
        add(Entry.entries(of: section))
    }

    mutating func add(_ entries: [Entry]) {
        let width = min(entries.map { TextWidth.of($0.name) }.max() ?? 0, 32)
        for entry in entries { addRow(entry.name, entry.summary, width: width) }
    }

    mutating func addHint(_ words: String) {
        line("")
        for part in TextLines.wrap(words, columns: ReferencePage.columns) { line(part) }
    }

    private mutating func addRow(_ name: String, _ words: String, width: Int) {
        let length = TextWidth.of(name)
        let lines = TextLines.wrap(words, columns: ReferencePage.columns - width - 4)
        if length > width {
            line("  \(ink.paint(name, .accent))")
            for part in lines { line(spaces(width + 4) + part) }
        } else {
            line("  \(ink.paint(name, .accent))\(spaces(width - length + 2))\(lines[0])")
            for part in lines.dropFirst() { line(spaces(width + 4) + part) }
        }
    }

    // MARK: one entry

    mutating func add(_ entry: Entry) {
        let title = entry.section == .functions ? entry.form : entry.name
        let section = entry.section.rawValue
        let gap = max(2, ReferencePage.columns - TextWidth.of(title) - TextWidth.of(section))
        line("\(ink.paint(title, .strong))\(spaces(gap))\(ink.paint(section, .faint))")
        addParagraph(entry.summary.prefix(1).uppercased() + entry.summary.dropFirst() + ".")
        for detail in entry.details {
            line("")
            addParagraph(detail)
        }
        if !entry.facts.isEmpty {
            line("")
            let width = min(entry.facts.map { TextWidth.of($0.word) }.max() ?? 0, 16)
            for fact in entry.facts { addRow(fact.word, fact.text, width: width) }
        }
        add(entry.example)
        line("")
        line(ink.paint("  \(entry.page)", .faint))
    }

    private mutating func addParagraph(_ words: String) {
        for part in TextLines.wrap(words, columns: ReferencePage.columns - 2) { line("  " + part) }
    }

    // MARK: examples

    private mutating func add(_ example: Example) {
        switch example {
        case .none(let why):
            line("")
            addParagraph("No example: \(why).")
            return
        case .value, .rules, .app, .message, .journey, .json, .page: break
        }
        line("")
        line("  \(ink.paint("Example", .strong))")
        switch example {
        case .value(let expression, let gives, let scene):
            add(scene, isPlain: true)
            code(expression)
            answer("gives", gives)
        case .rules(let rules, let gives, let scene): add(app: nil, rules, gives, scene)
        case .app(let app, let rules, let gives, let scene): add(app: app, rules, gives, scene)
        case .message(let text): code(LaidOut.json(text, margin: 4))
        case .journey(let message, let state, let isTapped, let gives):
            code("rulehost inspect '\(message)'")
            answer(
                state.replacing("_", with: " ") + (isTapped ? ", tapped" : ""), gives.isEmpty ? "nothing" : gives.joined(separator: ", "))
        case .json(let text): code(LaidOut.json(text, margin: 4))
        case .page(_, let text): code(text)
        case .none: break
        }
    }

    private mutating func add(app: String?, _ rules: String, _ gives: String, _ scene: Example.Scene) {
        if let app { code(LaidOut.lua(app, margin: 4), "app.lua") }
        if let module = scene.module { code(module, "lib/room.lua") }
        if let strings = scene.strings { code(strings, "lib/strings/en.lua") }
        if !rules.isEmpty {
            code(LaidOut.lua(rules, margin: 4), app == nil && scene.module == nil && scene.strings == nil ? nil : "rules.lua")
        }
        add(scene, isPlain: false)
        answer("gives", gives)
    }

    /// What is asked, as far as it is not what anybody would expect.
    private mutating func add(_ scene: Example.Scene, isPlain: Bool) {
        if isPlain, let strings = scene.strings { code(strings, "lib/strings/en.lua") }
        let plain = Example.Scene()
        if let message = scene.message, message != plain.message { answer("message", message) }
        if scene.device != plain.device { answer("device", scene.device) }
        if let state = scene.state { answer("state", state) }
        if scene.event != plain.event || !isPlain { answer("event", scene.event) }
        if scene.now != plain.now { answer("now", scene.now) }
    }

    private mutating func code(_ text: String, _ file: String? = nil) {
        if let file { line("    \(ink.paint("-- \(file)", .faint))") }
        for part in text.split(separator: "\n", omittingEmptySubsequences: false) { line(part.isEmpty ? "" : "    \(part)") }
    }

    /// A word and a JSON text behind it.
    private mutating func answer(_ word: String, _ json: String) {
        let margin = 14
        let parts = LaidOut.json(json, margin: margin).split(separator: "\n", omittingEmptySubsequences: false)
        let label = word.count < margin - 4 ? word : word + " "
        line("    \(ink.paint(label, .faint))\(spaces(margin - 4 - label.count))\(parts[0])")
        for part in parts.dropFirst() { line(spaces(margin) + part) }
    }

    private func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

    private mutating func line(_ line: some StringProtocol) { text += line + "\n" }
}
