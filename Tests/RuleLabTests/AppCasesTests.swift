// The cases of an app in a folder: which files they may name, and what is said of an app without any.
import Foundation
import RuleEngine
import RuleStore
import Testing

@testable import RuleLab

struct AppCasesTests {
    private let root = FileManager.default.temporaryDirectory.appendingPathComponent("rulehost-\(UUID().uuidString)")
    private var folder: RulesFolder { RulesFolder(path: root.appendingPathComponent("rules").path) }

    private func write(_ path: String, _ text: String) throws {
        let url = root.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    private func run(message name: String) throws -> (results: [CaseResult], broken: [AppCases.BrokenFile]) {
        try write("rules/chat/app.lua", "return { api = 1 }")
        try write(
            "rules/chat/cases/a.json",
            #"[{"name": "n", "message": "\#(name)", "device": {"state": "foreground"}, "expect": [{"event": "present", "message_id": "m-1"}]}]"#
        )
        guard case .ran(let results, let broken) = try AppCases.run("chat", in: folder) else { throw NotRun() }
        return (results, broken)
    }

    private struct NotRun: Error {}

    private func message(_ id: String) -> String { #"{"message_id": "\#(id)", "aps": {"alert": "Hello"}}"# }

    @Test("A message beside the case comes before one in examples, and its folder may be left out")
    func places() throws {
        try write("examples/messages/m.json", message("m-1"))
        #expect(try run(message: "messages/m.json").results.map(\.outcome) == [.passed])
        #expect(try run(message: "m.json").results.map(\.outcome) == [.passed])
        try write("rules/chat/cases/m.json", message("m-2"))
        let beside = try run(message: "m.json")
        #expect(beside.broken.isEmpty)
        guard case .failed(let misses) = try #require(beside.results.first).outcome else { throw NotRun() }
        #expect(misses.first?.differences.first?.got == "\"m-2\"")
    }

    @Test("A file beside the cases that no case names must be a list of cases")
    func notNamed() throws {
        try write("examples/messages/m.json", message("m-1"))
        try write("rules/chat/cases/other.json", message("m-2"))
        let ran = try run(message: "m.json")
        #expect(ran.results.map(\.outcome) == [.passed])
        #expect(ran.broken.map(\.file) == ["cases/other.json"])
    }

    @Test(
        "A file outside of both folders is not read",
        arguments: ["../../../secret.json", "/etc/hostname", "messages/../../secret.json", "none.json", ""])
    func outside(name: String) throws {
        try write("secret.json", message("m-1"))
        let ran = try run(message: name)
        #expect(ran.broken.isEmpty)
        guard case .broken(let fault) = try #require(ran.results.first).outcome else { throw NotRun() }
        #expect(fault.code == .caseFileMissing)
        #expect(fault.line == 1)
        #expect(!"\(fault.message) \(fault.hint ?? "")".contains(root.path), "who edits from afar is not told where the folders lie")
    }

    @Test("A file that cannot be taken is named as the folders name it", arguments: ["rules/chat/cases", "examples", "examples/messages"])
    func tooLarge(place: String) throws {
        try write("\(place)/m.json", String(repeating: " ", count: 1 << 20) + message("m-1"))
        guard case .broken(let fault) = try #require(try run(message: "m.json").results.first).outcome else { throw NotRun() }
        #expect(fault.code == .caseFileMissing)
        #expect(fault.message.hasPrefix("\(place.replacing("rules/chat/", with: ""))/m.json: "), "\(fault.message)")
        #expect(!"\(fault.message) \(fault.hint ?? "")".contains(root.path))
    }

    @Test("An app without cases is no failure, one that does not load is not run")
    func none() throws {
        try write("rules/chat/app.lua", "return { api = 1 }")
        guard case .none = try AppCases.run("chat", in: folder) else { throw NotRun() }
        try write("rules/chat/app.lua", "return {")
        guard case .rulesDoNotLoad(let faults, _) = try AppCases.run("chat", in: folder) else { throw NotRun() }
        #expect(faults.map(\.code) == [.luaSyntax])
    }
}
