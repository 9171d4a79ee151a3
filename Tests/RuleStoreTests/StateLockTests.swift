// One state file at a time: who waits for whom, and what the lock leaves behind.
import Foundation
import RuleEngine
import Testing

@testable import RuleStore

struct StateLockTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rulehost-\(UUID().uuidString)").path
    private var path: String { "\(folder)/state.json" }

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() } }

    private func isRefused(_ path: String) -> Bool {
        do throws(StoreFault) {
            _ = try StateLock(of: path, patience: 20)
            return false
        } catch {
            return error.code == .stateNotWritten && error.message.contains("another rulehost")
        }
    }

    @Test("A file that somebody has is not given to another, and is free afterwards")
    func excludes() throws {
        var lock: StateLock? = try StateLock(of: path)
        #expect(isRefused(path))
        #expect(try names == ["state.json.lock"])
        withExtendedLifetime(lock) {}
        lock = nil
        #expect(!isRefused(path))
        #expect(try names.isEmpty)
    }

    @Test("The file behind a link is the one that is locked, also when it is not there yet", arguments: [true, false])
    func links(_ isThere: Bool) throws {
        let real = "\(folder)/real/state.json"
        try FileManager.default.createDirectory(atPath: "\(folder)/real", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "other.json")
        try FileManager.default.createSymbolicLink(atPath: "\(folder)/other.json", withDestinationPath: "real/state.json")
        if isThere { try Data("{}".utf8).write(to: URL(fileURLWithPath: real)) }
        let lock = try StateLock(of: path)
        #expect(isRefused(real) && isRefused("\(folder)/other.json"))
        withExtendedLifetime(lock) {}
    }

    @Test("Another file of the same folder is free")
    func others() throws {
        let lock = try StateLock(of: path)
        #expect(!isRefused("\(folder)/other.json"))
        withExtendedLifetime(lock) {}
    }

    @Test("A lock that a crash left behind is in nobody's way")
    func leftBehind() throws {
        try Data().write(to: URL(fileURLWithPath: "\(path).lock"))
        #expect(!isRefused(path))
    }

    @Test("What a dead process has begun to write is removed, what a living one writes and other files are not")
    func abandoned() throws {
        let dead = Process()
        dead.executableURL = URL(fileURLWithPath: "/bin/true")
        try dead.run()
        dead.waitUntilExit()
        let kept = [
            "state.json.\(getppid()).tmp", "state.json.x.tmp", "state.json.tmp", "other.json.\(dead.processIdentifier).tmp",
            "state.json.\(dead.processIdentifier).bak",
        ]
        for name in kept + ["state.json.\(dead.processIdentifier).tmp"] { try Data().write(to: URL(fileURLWithPath: "\(folder)/\(name)")) }
        #expect(!isRefused(path))
        #expect(try names == kept.sorted())
    }

    @Test("What is no file is not locked, and what has no folder cannot be", arguments: ["/dev/null", "/nowhere/at/all/state.json"])
    func impossible(_ path: String) {
        #expect(throws: StoreFault.self) { try StateLock(of: path) }
        #expect(!FileManager.default.fileExists(atPath: "\(path).lock"))
    }
}
