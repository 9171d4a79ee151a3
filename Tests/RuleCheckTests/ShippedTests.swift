// What we ship raises no finding; and what keeps rules from loading is a finding, each of them.
import Foundation
import PushMessage
import RuleEngine
import RuleStore
import Testing

@testable import RuleCheck

struct ShippedTests {
    static let rules = RulesFolder(path: Fixture.house.appendingPathComponent("rules").path)
    static let names = (try? rules.apps()) ?? []

    @Test("No rule that we ship raises a finding", arguments: names)
    func shipped(app: String) throws {
        guard case .ran(let remarks) = try Luacheck.run(on: [app], in: Self.rules) else {
            Issue.record("luacheck is not there: scripts/setup.sh installs it")
            return
        }
        let findings = try AppCheck.run(app, in: Self.rules, luacheck: remarks[app] ?? [], now: Fixture.now)
        #expect(findings.isEmpty, "\(findings.shown)")
        #expect(Self.names.count >= 5)
    }

    static let mistakes = RulesFolder(path: Fixture.house.appendingPathComponent("Tests/Cases/rules").path)

    @Test("Everything that keeps rules from loading is found, all of it and at its place", arguments: (try? mistakes.apps()) ?? [])
    func loading(app: String) throws {
        guard case .failed(let faults) = RulesetLoader.load(app: app, files: try Self.mistakes.files(of: app)) else {
            Issue.record("\(app) loads")
            return
        }
        let findings = try AppCheck.run(app, in: Self.mistakes, now: Fixture.now)
        for fault in faults {
            #expect(
                findings.contains {
                    $0.code == fault.code.rawValue && $0.file == fault.file && $0.line == fault.line && $0.column == fault.column
                        && $0.severity == .error
                }, "\(fault)")
        }
    }
}
