// Entries made of the description.
import PushMessage
import RuleEngine

extension Entry {
    init(_ function: Function) {
        var facts: [(String, String)] = []
        switch function.use {
        case .call(let parameters, let gives):
            for parameter in parameters {
                let meaning = parameter.meaning.map { " (\($0))" } ?? ""
                facts.append((parameter.name, parameter.type.inWords + meaning + (parameter.isOptional ? "; may be left out" : "")))
            }
            let words = gives.filter { if case .nothing = $0 { false } else { true } }.map(\.inWords)
            facts.append(("gives", words.isEmpty ? "nothing" : words.joined(separator: ", and ")))
        case .value(let type): facts.append(("is", type.inWords))
        }
        switch function.time {
        case .anyTime: break
        case .whileLoading: facts.append(("when", "while a file is loaded"))
        case .whileDeciding: facts.append(("when", "while a message is decided, inside of when and decide"))
        }
        facts.append(("cost", function.cost))
        self.init(
            name: function.name, section: .functions, form: function.signature, summary: function.summary, details: function.details,
            facts: facts, example: function.example,
            page: function.cost == HostFunctions.crossing || function.name.contains(":") ? "docs/rules.md" : Section.functions.page)
    }

    init(_ key: Key, of table: Table, _ section: Section) {
        var facts: [(String, String)] = [("value", key.type.inWords)]
        switch key.presence {
        case .needed: facts.append(("needed", "yes"))
        case .optional(let otherwise?): facts.append(("without", otherwise))
        case .always: facts.append(("there", "always"))
        case .sometimes: facts.append(("there", section == .decision ? "when there is something to say" : "may be nil"))
        case .optional(nil): break
        }
        if let place = key.place { facts.append(("also", "as value \(place) without its name")) }
        if let events = key.events { facts.append(("at", events.map(\.rawValue).joined(separator: ", "))) }
        self.init(
            name: "\(table.name).\(key.name)", section: section, form: key.name, summary: key.summary, details: key.details, facts: facts,
            example: key.example, page: section.page)
    }

    init(_ entry: EventEntry) {
        self.init(
            name: entry.event.rawValue, section: .events, form: "on = \"\(entry.event.rawValue)\"", summary: entry.summary,
            details: entry.details,
            facts: Entry.details(of: entry.event), example: entry.example, page: Section.events.page)
    }

    private static func details(of event: EventName) -> [(String, String)] {
        let keys = EventTable.table.keys.filter { $0.events?.contains(event) ?? false }.map { "event.\($0.name)" }
        return keys.isEmpty ? [] : [("details", keys.joined(separator: ", "))]
    }

    init(_ entry: GuardEntry) {
        self.init(
            name: entry.name.speaker, section: .guards, form: entry.name.speaker, summary: entry.summary, details: [],
            facts: [("off", "guards = { \(entry.name.rawValue) = false } in app.lua; \"warn\" lets it only say what it would do")],
            example: entry.example, page: Section.guards.page)
    }

    init(_ entry: JourneyEntry) {
        self.init(
            name: entry.name, section: .journey, form: entry.name,
            summary: "the events of " + (entry.isTapped ? "an alert that is tapped" : "such a message"), details: [],
            facts: entry.rows.map { ($0.state, $0.events.isEmpty ? "–" : $0.events.joined(separator: ", ")) }, example: entry.example,
            page: Section.journey.page)
    }

    init(_ entry: LimitEntry) {
        self.init(
            name: "limit:\(entry.name)", section: .limits, form: "limit:\(entry.name)", summary: entry.summary, details: [],
            facts: [("at most", entry.value), ("over it", entry.after)], example: entry.example, page: Section.limits.page)
    }

    init(_ word: HostWord) {
        self.init(
            name: "host:\(word.name)", section: .host, form: "host:\(word.name)", summary: word.summary, details: [], facts: word.facts,
            example: .none(why: "it needs a host that runs; the page has some"), page: word.page)
    }

    init(_ entry: ErrorEntry) {
        self.init(
            name: entry.code, section: .errors, form: entry.code, summary: Entry.sentence(entry.summary), details: entry.details, facts: [],
            example: entry.example, page: "docs/errors/\(entry.code).md")
    }

    init(_ entry: FindingEntry) {
        self.init(
            name: entry.code, section: .findings, form: entry.code, summary: Entry.sentence(entry.summary), details: entry.details,
            facts: [], example: entry.example, page: "docs/findings/\(entry.code).md")
    }

    init(_ entry: WarningEntry) {
        self.init(
            name: entry.code.rawValue, section: .warnings, form: entry.code.rawValue, summary: entry.summary, details: [], facts: [],
            example: entry.example, page: Section.warnings.page)
    }

    private static func sentence(_ paragraph: String) -> String { paragraph.hasSuffix(".") ? String(paragraph.dropLast()) : paragraph }
}
