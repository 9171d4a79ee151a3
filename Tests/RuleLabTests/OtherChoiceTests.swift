// rules/chat ships two ways of keeping quiet and two of following a tap; one line in each file chooses. Here the other
// line is chosen, and the cases of that choice are run. The cases of the first choice stand beside the rules.
import Testing

import RuleEngine
@testable import RuleLab
import RuleStore

@Suite("The chat rules with the other choice")
struct OtherChoiceTests {
    @Test("One line in banner.lua makes only the very room quiet")
    func banner() throws { try run("banner.json", afterChanging: "banner.lua") }

    @Test("One line in tap.lua makes a tap in the chat tab go to the room")
    func tap() throws { try run("tap.json", afterChanging: "tap.lua") }

    private static let house = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()

    private func run(_ cases: String, afterChanging file: String) throws {
        var files = try RulesFolder(path: Self.house + "/rules").files(of: "chat")
        let place = try #require(files.firstIndex { $0.path == file })
        let source = String(decoding: files[place].bytes, as: UTF8.self)
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        let choices = lines.indices.filter { lines[$0].contains("enabled = true") }
        try #require(choices.count == 1, "one line chooses")
        files[place] = SourceFile(path: file, bytes: Array(source.replacing("enabled = true", with: "enabled = false").utf8))

        let app = try #require(Self.load(files))
        let folder = RulesFolder(path: Self.house + "/Tests/Cases/chat-by-room")
        let read = try CaseFile(path: cases, source: try folder.read(cases, limit: 1 << 20)) { name throws(CaseFault) in
            throw CaseFault(message: "the case names a file: \(name)")
        }
        #expect(!read.cases.isEmpty)
        for result in CaseRunner(app, reload: { Self.load(files) }).run(read) {
            #expect(result.outcome == .passed, "\(cases):\(result.line): \(result.name)")
        }
    }

    private static func load(_ files: [SourceFile]) -> (any RuleEvaluating)? {
        if case .loaded(let app) = RulesetLoader.load(app: "chat", files: files) { Evaluator(app) } else { nil }
    }
}
