// What editors are given is Lua, knows every name it uses, and makes luacheck find what is wrong and nothing else.
import Foundation
import JSONDocument
import LuaSandbox
import RuleStore
import Testing

@testable import RuleReference

struct EditorTests {
    private static let files = EditorFiles.all

    @Test("The annotations are Lua, for our own reader and for luacheck")
    func isLua() throws {
        let machine = try LuaMachine(limits: ScriptLimits(), functions: [])
        try machine.check(file: "rulehost.lua", source: Array(Annotations.text.utf8))
        let answer = try Self.luacheck(
            ["rulehost.lua": Annotations.text], flags: ["--no-config", "--std", "lua54", "--ignore", "1", "2", "--no-max-line-length"])
        #expect(answer.exitCode == 0, "\(answer.output)")
    }

    @Test("Every type that the annotations use is a type of Lua or one of their classes")
    func classes() {
        let text = Annotations.text
        let classes = Set(text.matches(of: /---@class ([a-z_.]+)/).map { String($0.output.1) })
        #expect(classes.count > 20)
        for match in text.matches(of: /rulehost\.[a-z_.]+[a-z_]/) where match.output != "rulehost.lua" {
            #expect(classes.contains(String(match.output)), "\(match.output)")
        }
    }

    @Test("Every function of ours is annotated with its parameters, and every key of a rule and field of a view")
    func whole() {
        let text = Annotations.text
        for function in Reference.functions where !function.isLua && !function.name.contains(":") {
            if case .value = function.use {
                #expect(text.contains("\n\(function.name) = nil\n"), "\(function.name)")
            } else {
                #expect(text.contains("\nfunction \(function.name)("), "\(function.name)")
            }
        }
        for table in [Reference.app, Reference.rule, Reference.decide] + Reference.views {
            for key in table.withInner.flatMap(\.keys) { #expect(text.contains("---@field \(key.name)"), "\(table.name).\(key.name)") }
        }
    }

    @Test("With our settings luacheck has nothing to say about the rules that we ship")
    func shipped() throws {
        let rules = ReaderSourceTests.repository.appendingPathComponent("rules")
        var sources: [String: String] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: rules.path) where path.hasSuffix(".lua") {
            sources[path] = try String(contentsOf: rules.appendingPathComponent(path), encoding: .utf8)
        }
        #expect(sources.count > 10)
        let answer = try Self.luacheck(sources, flags: [])
        #expect(answer.exitCode == 0, "\(answer.output)")
    }

    @Test(
        "With our settings luacheck finds what a script does not have",
        arguments: [
            "suppres \"no\"", "os.time()", "print(1)", "state.gte(\"a\")", "text.trunc(\"a\", 1)", "setmetatable({}, {})", "time.nwo()",
            "count = 1",
        ])
    func finds(_ line: String) throws {
        let answer = try Self.luacheck(["rules.lua": "local x = \(line.contains(" = ") ? "1\n\(line)" : line)\nlog(x)\n"], flags: [])
        #expect(answer.exitCode == 1, "\(answer.output)")
    }

    @Test("The settings of the language server are JSON and lead to the annotations")
    func settings() throws {
        let text = try #require(Self.files.first { $0.path == ".luarc.json" }).text
        let document = JSONDocument()
        try document.read(Array(text.utf8))
        #expect(document.root?["workspace.library"]?[0]?.text?.string == EditorFiles.folder)
        #expect(Self.files.contains { $0.path == "\(EditorFiles.folder)/rulehost.lua" && $0.isGenerated })
        #expect(document.root?["runtime.builtin"]?["os"]?.text == "disable")
    }

    /// luacheck in a folder with our settings and these files.
    private static func luacheck(_ sources: [String: String], flags: [String]) throws -> (exitCode: Int32, output: String) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rulehost-editor-\(UUID().uuidString)")
        defer { do { try FileManager.default.removeItem(at: folder) } catch { print("left behind: \(folder.path)") } }
        var all = sources
        all[".luacheckrc"] = try #require(files.first { $0.path == ".luacheckrc" }).text
        for (path, text) in all {
            let url = folder.appendingPathComponent(path)
            try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/luacheck")
        process.arguments = ["--no-color", "--no-cache"] + flags + ["--"] + sources.keys.sorted()
        process.currentDirectoryURL = folder
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, output)
    }
}
