// Every entry of the reference has an example that can be run, and each of them gives what stands beside it.
import JSONDocument
import PushMessage
import RuleEngine
import RuleLab
import RuleStore
import Testing

@testable import RuleReference

/// An entry as the argument of a test.
struct Told: CustomTestStringConvertible, Sendable {
    let entry: Entry
    var testDescription: String { "\(entry.section.rawValue): \(entry.name)" }
    static let all = Entry.all.map { Told(entry: $0) }
}

struct ExampleTests {
    @Test("The example of every entry gives what it says", arguments: Told.all)
    func examples(_ told: Told) throws {
        let entry = told.entry
        if let bench = ExampleBench(entry.example) {
            for fault in try bench.faults() { Issue.record("\(entry.name): \(fault)") }
            return
        }
        switch entry.example {
        case .message(let text):
            let message = try MessageReader().read(Array(text.utf8))
            #expect(message.lint.contains { $0.code.rawValue == entry.name }, "\(entry.name): \(message.lint.map(\.code))")
        case .journey(let text, let state, let isTapped, let gives):
            let message = try MessageReader().read(Array(text.utf8))
            let events = Journey.events(for: message, state: try #require(DeviceState(rawValue: state)), platform: .ios, tapped: isTapped)
            #expect(events.map(\.rawValue) == gives)
        case .json(let text): try read(text, of: entry)
        case .page("lua", let text) where entry.section == .limits:
            let files = [("app.lua", "return { api = 1 }"), ("rules.lua", text)].map { SourceFile(path: $0, bytes: Array($1.utf8)) }
            guard case .failed(let faults) = RulesetLoader.load(app: "example", files: files) else {
                Issue.record("\(entry.name): it loads")
                return
            }
            #expect(entry.facts.contains { $0.text == faults.first?.code.rawValue }, "\(faults)")
        // Pages are run by the tests of the documentation.
        case .page, .none: #expect([.errors, .findings, .host, .limits, .warnings].contains(entry.section), "\(entry.name)")
        case .value, .rules, .app: Issue.record("\(entry.name) was not run")
        }
    }

    private func read(_ text: String, of entry: Entry) throws {
        let document = JSONDocument()
        try document.read(Array(text.utf8))
        let root = try #require(document.root)
        switch entry.section {
        case .aCase where root.isArray:
            let file = try CaseFile(path: "cases/a.json", source: Array(text.utf8)) { name throws(CaseFault) in
                throw CaseFault(code: .caseFileMissing, message: name)
            }
            #expect(file.entries.count == file.cases.count)
        case .aCase: _ = try StateReader.inCase(root, recipient: "u-1", now: Instant(milliseconds: 0))
        case .stateFile: _ = try StateReader.file(root)
        case .traffic:
            #expect(root["at"]?.text.flatMap { Instant($0) } != nil)
            _ = try DeviceReader().read(root["device"])
        default: #expect(entry.section == .decision && root.isObject)
        }
    }

    @Test("An example uses what it is an example of", arguments: Told.all)
    func usesItsEntry(_ told: Told) {
        let entry = told.entry
        let last = entry.name.split { ".:".contains($0) }.last.map(String.init) ?? entry.name
        let text: String =
            switch entry.example {
            case .value(let text, let gives, let scene): text + gives + scene.event
            case .rules(let text, let gives, let scene): text + gives + scene.event
            case .app(let text, let rules, let gives, let scene): text + rules + gives + scene.event
            case .message(let text), .page(_, let text), .json(let text): text
            case .journey, .none: last
            }
        switch entry.section {
        // An event may be the one that is asked; codes stand in the answer; limits are over, and guards act by themselves.
        case .errors, .findings, .limits, .warnings, .journey, .guards: break
        // `state` in a case has ten parts, of which an example shows some; and so has a decision.
        case .aCase, .stateFile, .decision: break
        case .rule where entry.name.hasSuffix(".from") || entry.name.hasSuffix(".to"), .rule where ["n", "percent", "at"].contains(last):
            break
        default: #expect(text.contains(last), "\(entry.name)")
        }
    }
}
