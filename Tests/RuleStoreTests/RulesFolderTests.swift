// The rules folder on a real file system, in a folder of the test's own.
import Foundation
import LuaSandbox
import RuleEngine
import Testing

@testable import RuleStore

struct RulesFolderTests {
    private let root = FileManager.default.temporaryDirectory.appendingPathComponent("rulehost-\(UUID().uuidString)")
    private var rules: String { root.appendingPathComponent("rules").path }
    private var folder: RulesFolder { RulesFolder(path: rules) }

    private func write(_ path: String, _ text: String = "") throws {
        let url = root.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    private func fault(_ body: () throws(StoreFault) -> some Any) throws -> StoreFault {
        do throws(StoreFault) {
            _ = try body()
        } catch {
            return error
        }
        throw NoFault()
    }

    @Test("Apps are the folders whose names an app can have, sorted")
    func apps() throws {
        for name in ["chat", "0", "a-b", "_shared", "Chat", "-x", ".git", "webview", "mit leer"] { try write("rules/\(name)/app.lua") }
        try write("rules/file.lua")
        try write("rules/Notes/readme.txt")
        #expect(try folder.apps() == ["0", "a-b", "chat", "webview"])
        #expect(try folder.misnamedApps() == ["-x", "Chat", "_shared", "mit leer"])
        #expect(RulesFolder.isAppName(String(repeating: "a", count: 63)))
        #expect(!RulesFolder.isAppName(String(repeating: "a", count: 64)))
        #expect(!RulesFolder.isAppName(""))
    }

    @Test("An app's Lua files are read with lib and shared modules, and nothing else")
    func files() throws {
        for path in [
            "chat/app.lua", "chat/b.lua", "chat/a.lua", "chat/notes.txt", "chat/.#a.lua", "chat/a.lua~", "chat/cases/a.json",
            "chat/cases/x.lua", "chat/lib/room.lua", "chat/lib/strings/ko.lua", "chat/old/c.lua", "_shared/lib/text.lua", "other/app.lua",
        ] { try write("rules/\(path)", "-- \(path)") }
        let files = try folder.files(of: "chat")
        #expect(
            files.map(\.path) == [
                "a.lua", "app.lua", "b.lua", "lib/room.lua", "lib/strings/ko.lua", "_shared/lib/text.lua",
            ])
        #expect(files.first.map { String(decoding: $0.bytes, as: UTF8.self) } == "-- chat/a.lua")
    }

    @Test("A folder that is not there, and one that is a file, say so")
    func missing() throws {
        let nothing = try fault { () throws(StoreFault) in try folder.apps() }
        #expect(nothing.code == .rulesMissing && nothing.hint?.contains("--rules") ?? false)
        try write("rules")
        let file = try fault { () throws(StoreFault) in try folder.apps() }
        #expect(file.code == .rulesMissing && file.message.contains("is not a folder"))
    }

    @Test("A misspelt app is answered with the one that was meant")
    func misspelt() throws {
        try write("rules/chat/app.lua")
        let fault = try fault { () throws(StoreFault) in try folder.files(of: "caht") }
        #expect(fault.code == .appUnknown && fault.hint == "did you mean \"chat\"?")
    }

    @Test("A name that leads elsewhere is no app", arguments: ["../chat", "", ".", "..", "chat/../chat", "Chat", "_shared", "a\u{0}b"])
    func names(name: String) throws {
        try write("rules/chat/app.lua")
        #expect(try fault { () throws(StoreFault) in try folder.files(of: name) }.code == .appName)
    }

    @Test("A link inside the rules folder is followed, one that leads out is refused")
    func links() throws {
        try write("rules/chat/app.lua", "return { api = 1 }")
        try write("secret.lua", "return 1")
        let manager = FileManager.default
        try manager.createDirectory(atPath: "\(rules)/shop", withIntermediateDirectories: true)
        try manager.createSymbolicLink(atPath: "\(rules)/shop/app.lua", withDestinationPath: "../chat/app.lua")
        #expect(try folder.files(of: "shop").count == 1)
        try manager.createSymbolicLink(atPath: "\(rules)/shop/x.lua", withDestinationPath: "../../secret.lua")
        let fault = try fault { () throws(StoreFault) in try folder.files(of: "shop") }
        #expect(fault.code == .linkOutside && fault.path.hasSuffix("shop/x.lua"))
    }

    @Test("Links that lead in a circle are told, however many there are", arguments: [1, 12])
    func circle(_ count: Int) throws {
        try write("rules/chat/app.lua")
        try write("rules/chat/lib/room.lua")
        for link in 0..<count {
            try FileManager.default.createSymbolicLink(atPath: "\(rules)/chat/lib/again\(link)", withDestinationPath: ".")
        }
        let fault = try fault { () throws(StoreFault) in try folder.files(of: "chat") }
        #expect(fault.code == .linkOutside && fault.path.hasSuffix("lib/again0"))
    }

    @Test("A link to nothing and a pipe named like a rule are told, and nobody waits for them", arguments: [true, false])
    func odd(_ isLink: Bool) throws {
        try write("rules/chat/app.lua")
        if isLink {
            try FileManager.default.createSymbolicLink(atPath: "\(rules)/chat/odd.lua", withDestinationPath: "nowhere.lua")
        } else {
            #expect(mkfifo("\(rules)/chat/odd.lua", 0o644) == 0)
        }
        let fault = try fault { () throws(StoreFault) in try folder.files(of: "chat") }
        #expect(fault.code == .fileUnreadable && fault.path.hasSuffix("chat/odd.lua"))
    }

    @Test("A file, an app and a number of files over the limit are refused by name")
    func limits() throws {
        var limits = LoadLimits()
        limits.files = 2
        limits.bytes = 100
        limits.script.source = 60
        let folder = RulesFolder(path: rules, limits: limits)
        try write("rules/chat/app.lua", String(repeating: "-", count: 61))
        let large = try fault { () throws(StoreFault) in try folder.files(of: "chat") }
        #expect(large.code == .fileTooLarge && large.path.hasSuffix("chat/app.lua") && large.message.contains("60"))
        try write("rules/chat/app.lua", String(repeating: "-", count: 60))
        try write("rules/chat/b.lua", String(repeating: "-", count: 41))
        #expect(try fault { () throws(StoreFault) in try folder.files(of: "chat") }.code == .appTooLarge)
        try write("rules/chat/b.lua", String(repeating: "-", count: 40))
        #expect(try folder.files(of: "chat").count == 2)
        try write("rules/chat/c.lua")
        #expect(try fault { () throws(StoreFault) in try folder.files(of: "chat") }.code == .tooManyFiles)
    }

    @Test("A file that may not be read says so and why", .enabled(if: geteuid() != 0, "root may read everything"))
    func permission() throws {
        try write("rules/chat/app.lua")
        #expect(chmod("\(rules)/chat/app.lua", 0) == 0)
        let fault = try fault { () throws(StoreFault) in try folder.files(of: "chat") }
        #expect(fault.code == .fileUnreadable && fault.message.contains("permission denied"))
    }

    @Test("Cases are the JSON files in cases, sorted; none is no fault")
    func cases() throws {
        try write("rules/chat/app.lua")
        #expect(try folder.cases(of: "chat").isEmpty)
        for name in ["b.json", "a.json", "device.txt"] { try write("rules/chat/cases/\(name)", "[]") }
        #expect(try folder.cases(of: "chat").map(\.path) == ["cases/a.json", "cases/b.json"])
    }

    @Test(
        "Examples stand beside the rules folder",
        arguments: [
            ("rules", "examples"), ("rules/", "examples"), ("/srv/rules", "/srv/examples"), ("/rules", "/examples"), (".", "./../examples"),
        ])
    func examples(rules: String, expected: String) {
        #expect(RulesFolder(path: rules).examples.path == expected)
    }
}

private struct NoFault: Error {}
