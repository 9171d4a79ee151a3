// A page in docs/findings is true: the app that its blocks make has the finding, and every finding has a page.
import Foundation
import RuleEngine
import RuleReference
import RuleStore
import Testing

@testable import RuleCheck

struct FindingPagesTests {
    @Test("Every code that a check may tell has a page with a sentence, and every page a check", arguments: Check.all.map(\.name))
    func pages(name: String) throws {
        for code in try #require(Check.all.first { $0.name == name }).codes {
            let entry = try #require(FindingEntry.of(code), "\(code)")
            #expect(!entry.summary.isEmpty && entry.markdown.hasPrefix("# \(code)\n"), "\(code)")
            let page = Fixture.house.appendingPathComponent(FindingEntry.page(of: code))
            #expect(FileManager.default.fileExists(atPath: page.path), "\(code)")
        }
    }

    @Test("No page is about a code that nothing finds", arguments: FindingEntry.all.map(\.code))
    func needed(code: String) {
        #expect(Check.all.contains { $0.codes.contains(code) })
        #expect(!RuleFault.Code.allCases.contains { $0.rawValue == code })
    }

    /// What a page shows as a picture of a folder, or is too long for a page.
    private static let withoutApp: Set = ["misplaced_file", "not_looked_into"]

    @Test("The blocks of a page are an app that has the finding", arguments: FindingEntry.all.map(\.code))
    func blocks(code: String) throws {
        guard !Self.withoutApp.contains(code) else { return }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rulehost-page-\(UUID().uuidString)")
        defer { do { try FileManager.default.removeItem(at: folder) } catch { print("left behind: \(folder.path)") } }
        var files = ["app.lua": "return { api = 1, tabs = { \"home\", \"chat\" } }\n"]
        for (kind, text) in Self.blocks(of: try #require(FindingEntry.of(code)).markdown) {
            let first = text.split(separator: "\n").first ?? ""
            switch kind {
            case "json": files["cases/page.json"] = text
            case _ where first.hasPrefix("-- lib/"): files[String(first.dropFirst(3))] = text
            default: files[first.hasPrefix("return") ? "app.lua" : "rules.lua"] = text
            }
        }
        for (path, text) in files {
            let url = folder.appendingPathComponent("page/\(path)")
            try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        }
        let rules = RulesFolder(path: folder.path)
        guard case .ran(let remarks) = try Luacheck.run(on: ["page"], in: rules) else {
            Issue.record("luacheck is not there: scripts/setup.sh installs it")
            return
        }
        let findings = try AppCheck.run("page", in: rules, luacheck: remarks["page"] ?? [], now: Fixture.now)
        #expect(findings.contains { $0.code == code }, "\(findings.shown)")
    }

    private static func blocks(of page: String) -> [(kind: String, text: String)] {
        page.components(separatedBy: "\n```").dropFirst().enumerated().compactMap { place, part in
            guard place % 2 == 0, let end = part.firstIndex(of: "\n") else { return nil }
            return (String(part[..<end]), String(part[part.index(after: end)...]) + "\n")
        }
    }
}
