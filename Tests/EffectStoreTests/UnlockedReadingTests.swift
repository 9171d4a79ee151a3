// Stores that are read where no lock can be had: a copy that was put back without its `.lock`, the store of another user. An answer
// is of one moment, or there is none.
import Foundation
import PushMessage
import RuleEngine
import Testing

@testable import EffectStore

struct UnlockedReadingTests {
    private let scene: Scene

    init() throws {
        scene = try Scene()
        try commit(1)
    }

    private func commit(_ badge: Int) throws {
        let store = try scene.open()
        try store.commit(Commit(app: "chat", recipient: "u", effects: [.setBadge(badge)]))
        store.close()
    }

    private func setMode(_ mode: Int, _ name: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: "\(scene.folder)/\(name)")
    }

    private func removeLock() throws { try FileManager.default.removeItem(atPath: "\(scene.path).lock") }

    @Test("Without a lock nothing is answered once a host has written, and nothing is made")
    func withoutLock() throws {
        try removeLock()
        let view = try StoreView(scene.path)
        #expect(try view.recipient(app: "chat", "u").badge == 1)
        #expect(try scene.names == ["rulehost.db"])
        try commit(2)
        #expect(Scene.code { () throws(EffectStoreFault) in _ = try view.recipient(app: "chat", "u") } == .locked)
        #expect(try StoreView(scene.path).recipient(app: "chat", "u").badge == 2)
    }

    @Test("A file whose time is far away is read as any other", arguments: [1 << 40, -(1 << 40), 1 << 62])
    func farAway(_ seconds: Int) throws {
        try removeLock()
        let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
        #expect(utimensat(AT_FDCWD, scene.path, times, 0) == 0)
        #expect(try StoreView(scene.path).recipient(app: "chat", "u").badge == 1)
    }

    @Test("What a host has begun beside a reader without a lock does not get into an answer")
    func besideHost() throws {
        try removeLock()
        let view = try StoreView(scene.path)
        let store = try scene.open()
        for number in 2..<40 { try store.commit(Commit(app: "chat", recipient: "u", effects: [.setBadge(number)])) }
        #expect(try view.recipient(app: "chat", "u").badge == 1)
        try store.tidy(now: Scene.noon)
        store.close()
        #expect(Scene.code { () throws(EffectStoreFault) in _ = try view.recipient(app: "chat", "u") } == .locked)
    }

    @Test("Who may read the store may have its lock for reading, and keeps a host away")
    func lockOfOthers() throws {
        try setMode(0o755, "")
        try setMode(0o644, "rulehost.db")
        // A host gives the lock the readers that the store has.
        try commit(1)
        let input = Pipe()
        let (process, output) = try Scene.start("read", scene.path, input: input)
        #expect(String(decoding: output.availableData, as: UTF8.self) == "badge 1\n")
        #expect(Scene.code { () throws(EffectStoreFault) in _ = try scene.open() } == .locked)
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        #expect(Scene.code { () throws(EffectStoreFault) in _ = try scene.open() } == nil)
    }

    @Test("A lock that may not be read is none, and the answer is of one moment all the same", .enabled(if: geteuid() == 0))
    func lockOfSomebodyElse() throws {
        try setMode(0o755, "")
        try setMode(0o644, "rulehost.db")
        try setMode(0o600, "rulehost.db.lock")
        let input = Pipe()
        let (process, output) = try Scene.start("read", scene.path, input: input)
        #expect(String(decoding: output.availableData, as: UTF8.self) == "badge 1\n")
        try commit(2)
        try input.fileHandleForWriting.write(contentsOf: Data("x".utf8))
        #expect(String(decoding: output.availableData, as: UTF8.self).hasPrefix("fault store_locked: "))
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    @Test("What stands in the place of the lock and is no file is named", arguments: ["link", "pipe", "folder"])
    func lockThatIsNone(_ what: String) throws {
        try removeLock()
        let name = "\(scene.path).lock"
        switch what {
        case "link": try FileManager.default.createSymbolicLink(atPath: name, withDestinationPath: "rulehost.db")
        case "pipe": #expect(mkfifo(name, 0o600) == 0)
        default: try FileManager.default.createDirectory(atPath: name, withIntermediateDirectories: false)
        }
        let before = try scene.bytes
        for isHost in [false, true] {
            do throws(EffectStoreFault) {
                if isHost { _ = try scene.open() } else { _ = try StoreView(scene.path) }
                Issue.record("opened")
            } catch {
                #expect(error.code == .foreign && error.path == name, "\(error)")
            }
        }
        #expect(try scene.bytes == before)
    }
}
