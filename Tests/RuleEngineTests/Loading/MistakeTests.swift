// Every folder in Tests/Cases/rules is an app with one mistake (one with several) and says what its author must be told.
import Foundation
import LuaSandbox
import PushMessage
import Testing

@testable import RuleEngine

enum Mistakes {
    struct Expected: Decodable {
        let code: String
        let file: String
        let line: Int?
        let column: Int?
        /// Parts of the sentence and of the hint.
        let message: String?
        let hint: String?
    }

    static let repository = URL(fileURLWithPath: #filePath).pathComponents.dropLast(4).dropFirst()
        .reduce("") { $0 + "/" + $1 }
    private static let folder = "\(repository)/Tests/Cases/rules"

    static let names: [String] = {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return entries.sorted()
    }()

    static func expected(_ name: String) throws -> [Expected] {
        let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)/expect.json"))
        return try JSONDecoder().decode([Expected].self, from: data)
    }

    static func files(_ name: String) throws -> [SourceFile] {
        var files: [SourceFile] = []
        let root = "\(folder)/\(name)"
        for path in try FileManager.default.subpathsOfDirectory(atPath: root) where path.hasSuffix(".lua") {
            files.append(SourceFile(path: path, bytes: Array(try Data(contentsOf: URL(fileURLWithPath: "\(root)/\(path)")))))
        }
        return files
    }
}

struct MistakeTests {
    @Test("Each mistake is told with its place, what is wrong and what to do", arguments: Mistakes.names)
    func told(name: String) throws {
        guard case .failed(let faults) = RulesetLoader.load(app: "chat", files: try Mistakes.files(name)) else {
            Issue.record("\(name) loads")
            return
        }
        let expected = try Mistakes.expected(name)
        let seen = faults.map { "\($0.code.rawValue) \($0.file):\($0.line):\($0.column): \($0.message) | \($0.hint ?? "-")" }
            .joined(separator: "\n")
        #expect(faults.count == expected.count, "\(seen)")
        for (fault, expected) in zip(faults, expected) {
            #expect(fault.code.rawValue == expected.code, "\(seen)")
            #expect(fault.file == expected.file, "\(seen)")
            if let line = expected.line { #expect(fault.line == line, "\(seen)") }
            if let column = expected.column { #expect(fault.column == column, "\(seen)") }
            if let message = expected.message { #expect(fault.message.contains(message), "\(seen)") }
            if let hint = expected.hint { #expect((fault.hint ?? "").contains(hint), "\(seen)") }
            #expect(!fault.message.isEmpty && !fault.message.hasSuffix("."), "\(seen)")
            #expect(!seen.contains("stack traceback") && !seen.contains("/Tests/"), "\(seen)")
        }
    }

    @Test("At least thirty mistakes are kept as folders")
    func enough() {
        #expect(Mistakes.names.count >= 30)
    }

    /// Made by LimitTests, because a folder could not hold them, and by RuleWorkersTests, because no files make them.
    private static let withoutFolder: Set<RuleFault.Code> = [
        .fileTooLarge, .appTooLarge, .tooManyFiles, .tooManyRules, .budgetTime, .workerDied, .workerHung, .workerLied,
        .appQuarantined,
    ]

    @Test("Each code of a loading fault has an example and a page", arguments: RuleFault.Code.allCases)
    func codes(code: RuleFault.Code) throws {
        let isMade = try Mistakes.names.contains { try Mistakes.expected($0).contains { $0.code == code.rawValue } }
        #expect(isMade || Self.withoutFolder.contains(code))
        let page = try String(contentsOfFile: "\(Mistakes.repository)/docs/errors/\(code.rawValue).md", encoding: .utf8)
        #expect(page.hasPrefix("# \(code.rawValue)\n"))
    }
}

struct CutTests {
    private static let good = """
        local quiet = suppress "no" -- a comment
        rule "Über: stay quiet 😀" {
          on = { "present", [[open]] }, channel = 'chat',
          when = function(msg, device) if msg.silent then return false end return device:is_showing("chat", msg.data.chat_id) end,
          decide = { display = { "banner" }, badge = "+1", route = { tab = "chat", path = { "a" } }, labels = { ["odd key"] = "x" } },
        }
        """

    @Test("A file that was cut off anywhere loads or is told, with a place in the file", arguments: 0..<10)
    func cuts(remainder: Int) {
        let bytes = Array(Self.good.utf8)
        let lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
        let app = SourceFile(path: "app.lua", bytes: Array("return { api = 1 }".utf8))
        for length in stride(from: remainder, to: bytes.count, by: 10) {
            let cut = SourceFile(path: "rules.lua", bytes: Array(bytes.prefix(length)))
            guard case .failed(let faults) = RulesetLoader.load(app: "chat", files: [app, cut]) else { continue }
            #expect(!faults.isEmpty)
            for fault in faults {
                #expect(fault.file == "rules.lua" && (1...lines).contains(fault.line) && fault.column > 0, "\(length): \(fault)")
            }
        }
    }
}

struct LimitTests {
    private let app = SourceFile(path: "app.lua", bytes: Array("return { api = 1 }".utf8))

    private func rules(_ count: Int) -> SourceFile {
        let text = (0..<count).map { "rule \"R\($0)\" { on = \"present\", decide = {} }\n" }.joined()
        return SourceFile(path: "rules.lua", bytes: Array(text.utf8))
    }

    @Test("Tables that are kept and have no room for what makes them read-only are told in their file")
    func tooManyTables() {
        let app = SourceFile(path: "app.lua", bytes: Array("return { api = 1 }".utf8))
        for count in [20_000, 40_000] {
            let rules = SourceFile(
                path: "r.lua",
                bytes: Array(
                    "local keep = {} for i = 1, \(count) do keep[i] = {} end rule \"r\" { on = \"present\", when = function() return #keep > 0 end, decide = suppress \"x\" }"
                        .utf8))
            guard case .failed(let faults) = RulesetLoader.load(app: "chat", files: [app, rules]) else {
                Issue.record("it cannot have loaded")
                continue
            }
            #expect(faults.map(\.code) == [.budgetMemory] && faults[0].file == "r.lua" && faults[0].line == 1, "\(faults)")
            #expect(faults[0].message.contains("some 300 bytes for each table"))
        }
    }

    @Test("An app that allows itself less than a machine takes is told where it says so")
    func tooLittleMemory() {
        let app = SourceFile(path: "app.lua", bytes: Array("return {\n  api = 1,\n  limits = { memory_bytes = 9000 },\n}".utf8))
        guard case .failed(let faults) = RulesetLoader.load(app: "chat", files: [app]) else {
            Issue.record("it cannot have loaded")
            return
        }
        #expect(faults.map(\.code) == [.badValue] && faults[0].line == 3 && faults[0].column == 14, "\(faults)")
        #expect(faults[0].message.hasPrefix("`limits.memory_bytes` = 9000 is too little: before the first rule an app takes "))
    }

    private func codes(_ files: [SourceFile], _ limits: LoadLimits = LoadLimits()) -> [RuleFault.Code] {
        switch RulesetLoader.load(app: "chat", files: files, limits: limits) {
        case .loaded: []
        case .failed(let faults): faults.map(\.code)
        }
    }

    @Test("A file over its limit is refused before it is read, one at the limit is not")
    func fileSize() {
        var limits = LoadLimits()
        limits.script.source = 40
        let comment = { SourceFile(path: "a.lua", bytes: Array(repeating: UInt8(ascii: "-"), count: $0)) }
        #expect(codes([app, comment(41)], limits) == [.fileTooLarge])
        #expect(codes([app, comment(40)], limits) == [])
    }

    @Test("An app over its size or its number of files is refused")
    func appSize() {
        var limits = LoadLimits()
        limits.bytes = app.bytes.count
        limits.files = 1
        #expect(codes([app], limits) == [])
        #expect(codes([app, SourceFile(path: "a.lua", bytes: [])], limits) == [.tooManyFiles])
        #expect(codes([app, SourceFile(path: "a.lua", bytes: [UInt8(ascii: " ")])], limits) == [.tooManyFiles, .appTooLarge])
    }

    /// Of a file of rules that does not load.
    private func faults(of text: String) -> [RuleFault] {
        let files = [app, SourceFile(path: "a.lua", bytes: Array(text.utf8))]
        var load = Load(app: "chat", sources: AppSources(files), limits: LoadLimits(), counts: nil, keepsManifest: false)
        #expect(load.run() == nil)
        // A file is taken apart once, and no more places are looked for in it than anybody reads.
        #expect(load.search.files <= files.count)
        #expect(load.search.places <= 200)
        return load.faults.sorted(by: RuleFault.areInReadingOrder)
    }

    @Test("A thousand faulty rules are told without looking for a place for each of them")
    func manyFaults() {
        let text = (0..<1000).map { "rule \"R\($0)\" {\n  on = \"present\", chanel = \"x\",\n}\n" }.joined()
        let faults = faults(of: text)
        #expect(faults.count == TellingRoom.most)
        for (number, fault) in faults.prefix(100).enumerated() {
            #expect(fault.line == 3 * (number / 2) + (number % 2 == 0 ? 1 : 2), "\(number)")
        }
    }

    @Test("One table with thousands of faults is told, each fault with a line of the table")
    func manyFaultsInOne() {
        let text = "rule \"R\" { on = \"present\", decide = {},\n" + (0..<3000).map { "k\($0) = 1,\n" }.joined() + "}"
        let faults = faults(of: text)
        #expect(faults.count == TellingRoom.most)
        #expect(faults.allSatisfy { (2...3001).contains($0.line) })
    }

    @Test("A rule too many is refused")
    func rules() {
        var limits = LoadLimits()
        limits.rules = 3
        #expect(codes([app, rules(3)], limits) == [])
        #expect(codes([app, rules(4)], limits) == [.tooManyRules])
    }

    @Test("Loading that takes too long is ended, whatever its fuel")
    func time() {
        var limits = LoadLimits()
        limits.script.loadFuel = Int64.max / 4
        limits.script.loadMilliseconds = 5
        #expect(codes([app, SourceFile(path: "a.lua", bytes: Array("while true do end".utf8))], limits) == [.budgetTime])
    }
}
