// `rulehost test --watch`, driven through a pipe: what a save touches runs again, and nothing that happens to files ends it. Each
// test reads a bounded number of runs within a bounded time, and ends its child whatever comes of it.
import Foundation
import LuaSandbox
import Testing

struct WatchTests {
    private static let shown =
        #"[{"name": "Shown", "message": "m.json", "event": "send", "expect": {"display": {"action": "show"}}}]"#

    private func scene() throws -> Watched {
        let watched = try Watched()
        for app in ["shop", "chat"] {
            try watched.write("rules/\(app)/app.lua", "return { api = 1 }")
            try watched.write("rules/\(app)/rules.lua", "rule \"Show\" { on = \"send\", decide = show {} }")
        }
        try watched.write("rules/shop/cases/a.json", Self.shown)
        try watched.write("rules/chat/cases/a.json", Self.shown.replacingOccurrences(of: "\"m.json\"", with: #"{"aps": {"alert": "x"}}"#))
        try watched.write("examples/messages/m.json", #"{"aps": {"alert": "x"}}"#)
        return watched
    }

    private let suppress = "rule \"Show\" { on = \"send\", decide = suppress \"no\" }"
    private let show = "rule \"Show\" { on = \"send\", decide = show {} }"

    @Test("A save runs the cases of its app and of no other, and Ctrl-C ends with the exit code of the last run")
    func save() throws {
        let watched = try scene()
        defer { watched.end() }
        try watched.start()
        #expect(try watched.run { $0.contains("2 cases: 2 passed, in ") }.contains("chat\n"))
        try watched.write("rules/shop/rules.lua", suppress)
        let run = try watched.run { $0.contains("1 missed") }
        #expect(run.contains("rules/shop/rules.lua\n") && run.contains("shop\n") && !run.contains("chat"), "\(run)")
        #expect(try watched.interrupt() == 1)
    }

    @Test("After a good run Ctrl-C is no failure")
    func good() throws {
        let watched = try scene()
        defer { watched.end() }
        try watched.write("rules/shop/rules.lua", suppress)
        try watched.start()
        _ = try watched.run { $0.contains("1 missed") }
        try watched.write("rules/shop/rules.lua", show)
        _ = try watched.run { $0.contains("1 case: 1 passed") }
        #expect(try watched.interrupt() == 0)
    }

    @Test("An example that a case names counts, and files that nothing depends on do not")
    func examples() throws {
        let watched = try scene()
        defer { watched.end() }
        try watched.start()
        _ = try watched.run { $0.contains("2 passed") }
        try watched.write("rules/shop/notes.txt", "x")
        try watched.write("examples/messages/other.json", "{}")
        try watched.write("README.md", "x")
        try watched.write("examples/messages/m.json", #"{"aps": {"alert": ""}}"#)
        let run = try watched.run { $0.contains("m.json") }
        #expect(run.contains("shop\n") && !run.contains("chat") && !run.contains("notes.txt") && !run.contains("other.json"), "\(run)")
        #expect(watched.runs == 2)
    }

    @Test("A file that takes the place of another, half a file, and one that is gone are seen for what they are")
    func editors() throws {
        let watched = try scene()
        defer { watched.end() }
        try watched.start("shop")
        _ = try watched.run { $0.contains("1 passed") }
        try watched.write("rules/shop/.rules.lua.swp", suppress)
        try watched.shell("mv rules/shop/.rules.lua.swp rules/shop/rules.lua")
        _ = try watched.run { $0.contains("1 missed") }
        try watched.write("rules/shop/rules.lua", String(suppress.prefix(20)))
        _ = try watched.run { $0.contains("[lua_syntax]") }
        try watched.write("rules/shop/cases/a.json", String(Self.shown.prefix(20)))
        try watched.write("rules/shop/rules.lua", show)
        _ = try watched.run { $0.contains("1 file cannot be read") }
        try watched.write("rules/shop/cases/a.json", Self.shown)
        _ = try watched.run { $0.contains("1 case: 1 passed") }
        try watched.shell("rm rules/shop/cases/a.json")
        _ = try watched.run { $0.contains("no cases") }
        #expect(try watched.interrupt() == 0)
    }

    @Test("Folders may go and come back, an app and all of them")
    func folders() throws {
        let watched = try scene()
        defer { watched.end() }
        try watched.start()
        _ = try watched.run { $0.contains("2 passed") }
        try watched.shell("mv rules/chat away")
        _ = try watched.run { $0.contains("chat is gone") }
        try watched.shell("mv away rules/chat")
        #expect(try !watched.run { $0.contains("1 case: 1 passed") }.contains("shop\n"))
        try watched.shell("mv rules away")
        _ = try watched.run { $0.contains("[rules_missing]") }
        try watched.shell("mv away rules")
        _ = try watched.run { $0.contains("2 cases: 2 passed") }
        try watched.write("rules/chat/rules.lua", suppress)
        #expect(try !watched.run { $0.contains("1 missed") }.contains("shop\n"))
        #expect(try watched.interrupt() == 1)
    }

    @Test("After a checkout of many files what stands there then has run")
    func checkout() throws {
        let watched = try scene()
        defer { watched.end() }
        for number in 0..<60 { try watched.write("rules/shop/lib/m\(number).lua", "return \(number)") }
        let git = "git -c user.name=a -c user.email=a@b.example -c init.defaultBranch=one"
        try watched.shell("\(git) init -q . && git add -A && \(git) commit -qm one && git checkout -q -b two")
        try watched.shell("for f in rules/*/lib/*.lua; do echo '-- two' >> $f; done")
        for app in ["shop", "chat"] { try watched.write("rules/\(app)/rules.lua", suppress) }
        try watched.shell("\(git) commit -qam two")
        try watched.start()
        _ = try watched.run { $0.contains("2 missed") }
        try watched.shell("git checkout -q one")
        _ = try watched.run { $0.contains("2 cases: 2 passed") }
        try watched.shell("git checkout -q two")
        _ = try watched.run { $0.contains("2 cases: 0 passed, 2 missed") }
        #expect(try watched.interrupt() == 1)
    }

    @Test("When nobody reads any more it ends by itself")
    func reader() throws {
        let watched = try scene()
        defer { watched.end() }
        try watched.start()
        _ = try watched.run { $0.contains("2 passed") }
        watched.closeReader()
        #expect(try watched.ended() == 0)
    }
}

/// A watching program in a folder of its own.
private final class Watched {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rulehost-watch-\(UUID().uuidString)")
    private let process = Process()
    private let pipe = Pipe()
    private var text = ""
    private(set) var runs = 0
    /// No test reads more.
    private static let most = 20
    private let deadline = Date(timeIntervalSinceNow: 60 * Double(ScriptLimits.slowness))

    private struct Silent: Error { let text: String }

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    func write(_ path: String, _ text: String) throws {
        let file = folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data((text + "\n").utf8).write(to: file)
    }

    func shell(_ command: String) throws {
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", command]
        shell.currentDirectoryURL = folder
        try shell.run()
        shell.waitUntilExit()
        try #require(shell.terminationStatus == 0, "\(command)")
    }

    func start(_ words: String...) throws {
        process.executableURL = BuiltProgram.folder.appendingPathComponent("rulehost")
        process.arguments = ["test", "--watch"] + words
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        try pipe.fileHandleForWriting.close()
    }

    /// Reads on to the run that is meant; what one save causes may be seen in two.
    func run(_ isMeant: (String) -> Bool) throws -> String {
        while runs < Self.most {
            let run = try next()
            if isMeant(run) { return run }
        }
        throw Silent(text: "not among \(Self.most) runs")
    }

    private func next() throws -> String {
        let end = "Ctrl-C ends\n"
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        while true {
            if let range = text.range(of: end) {
                let run = String(text[..<range.upperBound])
                text.removeSubrange(..<range.upperBound)
                runs += 1
                return run
            }
            var place = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let left = Int32(max(0, deadline.timeIntervalSinceNow * 1000))
            guard left > 0, poll(&place, 1, left) > 0 else { throw Silent(text: text) }
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            let count = read(descriptor, &bytes, bytes.count)
            guard count > 0 else { throw Silent(text: text) }
            text += String(decoding: bytes[..<count], as: UTF8.self)
        }
    }

    func interrupt() throws -> Int32 {
        process.interrupt()
        return try ended()
    }

    func closeReader() { _ = try? pipe.fileHandleForReading.close() }

    func ended() throws -> Int32 {
        while process.isRunning {
            guard Date() < deadline else { throw Silent(text: "it does not end: \(text)") }
            usleep(2000)
        }
        try #require(process.terminationReason == .exit)
        return process.terminationStatus
    }

    func end() {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        do { try FileManager.default.removeItem(at: folder) } catch { print("left behind: \(folder.path)") }
    }
}
