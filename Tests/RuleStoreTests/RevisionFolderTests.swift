// A rules folder as a git revision has it: the same files as on disk, and clear words when there is no such thing.
import Foundation
import LuaSandbox
import RuleEngine
import Testing

@testable import RuleStore

struct RevisionFolderTests {
    private let root = FileManager.default.temporaryDirectory.appendingPathComponent("rulehost-git-\(UUID().uuidString)")
    private var folder: RulesFolder { RulesFolder(path: root.appendingPathComponent("rules").path) }

    private func write(_ path: String, _ text: String) throws {
        let url = root.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    private func git(_ words: String...) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["git", "-C", root.path, "-c", "user.name=rulehost", "-c", "user.email=rulehost@localhost"] + words
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "git \(words)")
    }

    /// A repository with one commit, tagged `first`.
    private func repository() throws {
        try write("rules/chat/app.lua", "return { api = 1 }")
        try write("rules/chat/b.lua", "-- b\n")
        try write("rules/chat/a.lua", "-- a, \u{D55C}\n")
        try write("rules/chat/lib/z/deep.lua", "return 1")
        try write("rules/chat/lib/m.lua", "return 2")
        try write("rules/chat/cases/c.lua", "-- no rule")
        try write("rules/chat/notes.txt", "no rule either")
        try write("rules/chat/empty.lua", "")
        try write("rules/_shared/lib/s.lua", "return 3")
        try write("rules/shop/app.lua", "return { api = 1 }")
        try write("rules/Misnamed/app.lua", "return { api = 1 }")
        try git("init", "-q")
        try git("add", ".")
        try git("commit", "-q", "-m", "first")
        try git("tag", "first")
    }

    private func fault(_ body: () throws -> Void) -> StoreFault? {
        do {
            try body()
            return nil
        } catch {
            return error as? StoreFault
        }
    }

    @Test("A revision gives the same files in the same order as the folder did")
    func same() throws {
        try repository()
        let revision = try RevisionFolder("first", of: folder)
        #expect(try revision.files(of: "chat") == folder.files(of: "chat"))
        #expect(
            try revision.files(of: "chat").map(\.path) == [
                "a.lua", "app.lua", "b.lua", "empty.lua", "lib/m.lua", "lib/z/deep.lua", "_shared/lib/s.lua",
            ])
        #expect(try revision.apps() == ["chat", "shop"])
        #expect(revision.path == "first:rules")
        #expect(revision.name.hasPrefix("first (") && revision.commit.count >= 40)
    }

    @Test("A revision is what was committed, not what stands in the folder now")
    func committed() throws {
        try repository()
        try write("rules/chat/b.lua", "-- changed\n")
        try FileManager.default.removeItem(at: root.appendingPathComponent("rules/chat/a.lua"))
        let files = try RevisionFolder("HEAD", of: folder).files(of: "chat")
        #expect(files.first { $0.path == "b.lua" }?.bytes == Array("-- b\n".utf8))
        #expect(files.contains { $0.path == "a.lua" })
        try git("commit", "-q", "-a", "-m", "second")
        #expect(try RevisionFolder("HEAD~1", of: folder).files(of: "chat") == files)
        #expect(try RevisionFolder("HEAD", of: folder).files(of: "chat") != files)
    }

    @Test("A rules folder at the top of its repository is found as well")
    func top() throws {
        try repository()
        let other = root.appendingPathComponent("rules")
        try FileManager.default.removeItem(at: root.appendingPathComponent(".git"))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [
            "-c", "cd '\(other.path)' && git init -q && git add . && git -c user.name=r -c user.email=r@localhost commit -q -m x",
        ]
        try process.run()
        process.waitUntilExit()
        let revision = try RevisionFolder("HEAD", of: folder)
        #expect(try revision.apps() == ["chat", "shop"])
        #expect(try revision.files(of: "chat") == folder.files(of: "chat"))
    }

    @Test(
        "What is no revision, no repository or no app is told as that",
        arguments: ["nothing", "", "--all", "HEAD~99", "first:rules", "a b"])
    func unknown(_ name: String) throws {
        try repository()
        let fault = try #require(fault { _ = try RevisionFolder(name, of: folder) })
        #expect(fault.code == .revisionUnknown && fault.message.contains("no such revision"))
        #expect(fault.hint?.contains("a branch, a tag or a commit") == true)
    }

    @Test("A folder in no repository has no revisions")
    func noRepository() throws {
        try write("rules/chat/app.lua", "return { api = 1 }")
        setenv("GIT_CEILING_DIRECTORIES", root.deletingLastPathComponent().path, 1)
        let fault = try #require(fault { _ = try RevisionFolder("HEAD", of: folder) })
        #expect(fault.code == .revisionUnknown && fault.message.contains("in no git repository"))
    }

    @Test("A revision without the folder, or without the app, says so")
    func missing() throws {
        try repository()
        #expect(fault { _ = try RevisionFolder("first", of: folder).files(of: "none") }?.code == .appUnknown)
        try write("other/app.lua", "return { api = 1 }")
        let other = RulesFolder(path: root.appendingPathComponent("other").path)
        #expect(fault { _ = try RevisionFolder("first", of: other).apps() }?.code == .rulesMissing)
    }

    @Test("A link among the files of a revision is not followed")
    func link() throws {
        try repository()
        try FileManager.default.createSymbolicLink(
            atPath: root.appendingPathComponent("rules/chat/l.lua").path, withDestinationPath: "/etc/hostname")
        try git("add", ".")
        try git("commit", "-q", "-m", "link")
        let fault = try #require(fault { _ = try RevisionFolder("HEAD", of: folder).files(of: "chat") })
        #expect(fault.code == .fileUnreadable && fault.path == "HEAD:rules/chat/l.lua")
    }

    @Test("Limits hold for a revision as for a folder")
    func limits() throws {
        try repository()
        var limits = LoadLimits()
        limits.files = 3
        #expect(fault { _ = try RevisionFolder("HEAD", of: folder, limits: limits).files(of: "chat") }?.code == .tooManyFiles)
        limits = LoadLimits()
        limits.bytes = 5
        try write("rules/chat/a.lua", String(repeating: "-", count: 4_000))
        try git("commit", "-q", "-a", "-m", "long")
        #expect(fault { _ = try RevisionFolder("HEAD", of: folder, limits: limits).files(of: "chat") }?.code == .appTooLarge)
        limits = LoadLimits()
        limits.script.source = 3_000
        #expect(fault { _ = try RevisionFolder("HEAD", of: folder, limits: limits).files(of: "chat") }?.code == .fileTooLarge)
    }
}
