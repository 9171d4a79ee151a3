// One entry of the reference in the form in which it is shown, searched and written as JSON, whatever it is about.

public struct Entry: Sendable {
    /// "rule.quiet.from", "text.truncate", "guard:link", "budget_fuel"
    public let name: String
    public let section: Section
    /// How it is written: `text.truncate(text, n[, ellipsis])`.
    public let form: String
    /// A sentence without a full stop.
    public let summary: String
    /// Whole paragraphs.
    public let details: [String]
    /// A word and what belongs to it: what it may be, what it gives, what it costs.
    public let facts: [(word: String, text: String)]
    public let example: Example
    /// In the repository.
    public let page: String

    public enum Section: String, Sendable, CaseIterable {
        case functions, app, rule, decide, msg, device, event, events, guards, journey, limits
        case aCase = "case"
        case decision
        case stateFile = "state-file"
        case traffic, host, errors, findings, warnings

        /// A line for the list of sections, without a full stop.
        public var summary: String {
            switch self {
            case .functions: "what a script can call: words of the language, state, texts, time, Lua's library"
            case .app: "what app.lua returns"
            case .rule: "the keys of a rule"
            case .decide: "what a rule may want"
            case .msg: "the fields of a message"
            case .device: "the fields of a phone"
            case .event: "the details of an event"
            case .events: "what is happening to a message"
            case .guards: "what the host looks after by itself"
            case .journey: "which events a message causes"
            case .limits: "how much an app may use"
            case .aCase: "the keys of a case"
            case .decision: "the keys of an answer"
            case .stateFile: "the keys of a state file"
            case .traffic: "the keys of a line of recorded traffic"
            case .host: "the words of a host that serves"
            case .errors: "the codes of errors"
            case .findings: "the codes of what check finds"
            case .warnings: "the codes of warnings"
            }
        }

        var page: String {
            switch self {
            case .functions, .limits: "docs/sandbox.md"
            case .app, .rule, .decide, .device, .event, .events, .guards: "docs/rules.md"
            case .msg, .journey: "docs/messages.md"
            case .aCase, .stateFile: "docs/cases.md"
            case .decision, .traffic: "docs/command-line.md"
            case .host: "docs/http.md"
            case .errors: "docs/errors"
            case .findings: "docs/findings"
            case .warnings: "docs/warnings.md"
            }
        }
    }

    /// All of them, by section.
    public static let all: [Entry] = Section.allCases.flatMap(entries)

    public static func entries(of section: Section) -> [Entry] {
        switch section {
        case .functions: Reference.functions.map(Entry.init)
        case .app: keys(of: Reference.app, section)
        case .rule: keys(of: Reference.rule, section)
        case .decide: keys(of: Reference.decide, section)
        case .msg: keys(of: MessageTable.table, section)
        case .device: keys(of: DeviceTable.table, section)
        case .event: keys(of: EventTable.table, section)
        case .events: Reference.events.map(Entry.init)
        case .guards: Reference.guards.map(Entry.init)
        case .journey: Reference.journeys.map(Entry.init)
        case .limits: Reference.limits.map(Entry.init)
        case .aCase: keys(of: Reference.aCase, section) + keys(of: StateTable.caseTable, section)
        case .decision: keys(of: Reference.decision, section)
        case .stateFile: keys(of: Reference.stateFile, section)
        case .traffic: keys(of: Reference.traffic, section)
        case .host: HostWord.all.map(Entry.init)
        case .errors: Reference.errors.map(Entry.init)
        case .findings: Reference.findings.map(Entry.init)
        case .warnings: Reference.warnings.map(Entry.init)
        }
    }

    /// The keys of a table and of all tables inside of it that have names of their own.
    private static func keys(of table: Table, _ section: Section) -> [Entry] {
        table.withInner.filter { $0.name == table.name || $0.name.hasPrefix(table.name + ".") }
            .flatMap { inner in inner.keys.map { Entry($0, of: inner, section) } }
    }
}
