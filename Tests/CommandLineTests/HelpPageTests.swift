// What the documentation says of the command line is what the program says.
import EffectStore
import Foundation
import HTTPAPI
import HTTPServer
import JSONDocument
import RuleEngine
import RuleHosting
import RuleReference
import RuleStore
import Testing

@testable import rulehost

struct HelpPageTests {
    private static func page(_ name: String) throws -> String {
        try String(contentsOf: BuiltProgram.house.appendingPathComponent("docs/\(name)"), encoding: .utf8)
    }

    @Test("docs/command-line.md shows the help of every verb as the program prints it", arguments: Program.verbs.map(\.name))
    func helpIsInTheDocs(_ name: String) throws {
        let verb = try #require(Program.verbs.first { $0.name == name })
        let block = "```console\n$ rulehost help \(name)\n\(HelpPage(of: verb, .plain).text)```"
        #expect(try Self.page("command-line.md").contains(block))
    }

    @Test("Flags of serve that the reference names are there")
    func referenceFlags() throws {
        let flags = try Set(#require(Program.verbs.first { $0.name == "serve" }).flags.map { "--\($0.name)" })
        let named = HostWord.all.flatMap(\.facts).filter { $0.word == "flag" }.flatMap { $0.text.components(separatedBy: ", ") }
        #expect(named.count > 10 && named.filter { !flags.contains($0) } == [])
    }

    @Test("docs/command-line.md shows the list of verbs as the program prints it")
    func listIsInTheDocs() throws {
        #expect(try Self.page("command-line.md").contains("```console\n$ rulehost help\n\(HelpPage(of: nil, .plain).text)```"))
    }

    @Test("No line of help is wider than the page, and every flag says what it is for")
    func helpFits() {
        for verb in Program.verbs {
            for line in HelpPage(of: verb, .plain).text.split(separator: "\n") where !line.contains("rulehost ") {
                #expect(TextWidth.of(line) <= HelpPage.columns, "\(verb.name): \(line)")
            }
            for flag in verb.flags + Flag.global(for: verb) {
                #expect(!flag.help.isEmpty && !flag.help.hasSuffix("."), "--\(flag.name)")
            }
        }
    }

    @Test("A verb's flags have different names, also from the flags of every verb")
    func namesAreUnique() {
        for verb in Program.verbs {
            let names = (verb.flags + Flag.global(for: verb)).map(\.name)
            #expect(Set(names).count == names.count, "\(verb.name)")
        }
    }

    @Test("Every error code of the command line has a page", arguments: CommandFault.ownCodes)
    func errorsHavePages(_ code: String) throws {
        let page = try Self.page("errors/\(code).md")
        #expect(page.hasPrefix("# \(code)\n"))
        #expect(page.contains("Exit code"))
    }

    @Test(
        "The help in docs/command-line.md is written anew when that is asked for",
        .enabled(if: ProcessInfo.processInfo.environment["RULEHOST_UPDATE"] != nil))
    func update() throws {
        var page = try Self.page("command-line.md")
        for (command, text) in [("rulehost help", HelpPage(of: nil, .plain).text)]
            + Program.verbs.map({ ("rulehost help \($0.name)", HelpPage(of: $0, .plain).text) })
        {
            let head = "```console\n$ \(command)\n"
            if let start = page.range(of: head), let end = page.range(of: "\n```", range: start.upperBound..<page.endIndex) {
                page.replaceSubrange(start.upperBound..<end.lowerBound, with: text.dropLast())
            } else {
                page += "\n## \(command.dropFirst("rulehost help ".count))\n\n\(head)\(text)```\n"
            }
        }
        try Data(page.utf8).write(to: BuiltProgram.house.appendingPathComponent("docs/command-line.md"))
    }

    private static let overHTTP = Refusal.allCases.map(\.code) + APIProblem.allCases.map(\.rawValue)

    /// Of everything that can go wrong before there is a decision, and of a rule that fails.
    private static let allCodes: [String] = Set(
        CommandFault.ownCodes + JSONFault.Code.allCases.map(\.rawValue) + RequestFault.Code.allCases.map(\.rawValue)
            + StoreFault.Code.allCases.map(\.rawValue) + EffectStoreFault.Code.allCases.map(\.rawValue)
            + overHTTP + HostProblem.Code.allCases.map(\.rawValue) + AppFault.Code.allCases.map(\.rawValue)
            + RuleFault.Code.allCases.map(\.rawValue) + ["rule_raised"]
    ).sorted()

    @Test("Every error code has a page that begins with it", arguments: allCodes)
    func everyCodeHasAPage(_ code: String) throws {
        #expect(try Self.page("errors/\(code).md").hasPrefix("# \(code)\n"))
    }
}
