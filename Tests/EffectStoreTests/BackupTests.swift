// Copies of a store: of one moment while commits go on, and never half a file.
import Foundation
import PushMessage
import RuleEngine
import Testing

@testable import EffectStore

struct BackupTests {
    private let scene: Scene

    init() throws { scene = try Scene() }

    private func code(_ target: String) -> EffectStoreFault.Code? {
        Scene.code { () throws(EffectStoreFault) in try Backup.make(of: scene.path, to: target) }
    }

    @Test("A copy that is made while commits go on is of one moment, and a store as any other")
    func underLoad() async throws {
        let store = try scene.open(mostBacklog: 30)
        let copies = (0..<4).map { "\(scene.folder)/copy-\($0).db" }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for person in 0..<3 {
                group.addTask {
                    for number in 0..<80 {
                        let text = Array("\(number)".utf8)
                        try store.commit(
                            Commit(
                                app: "chat", recipient: "u-\(person)",
                                effects: [
                                    .keepInInbox(text), .setValue(scope: .app, key: "u-\(person)", value: StoredValue(json: text)),
                                ]))
                    }
                }
            }
            let path = scene.path
            group.addTask {
                for copy in copies { try Backup.make(of: path, to: copy) }
            }
            try await group.waitForAll()
        }
        for copy in copies {
            let other = try EffectStore(copy, patience: 0) { Scene.noon }
            let state = try other.view.everything(app: "chat")
            for person in 0..<3 {
                let inbox = state.recipients["u-\(person)"]?.inbox ?? []
                #expect(inbox == (0..<inbox.count).map { Array("\($0)".utf8) })
                #expect(state.shared["u-\(person)"]?.json == inbox.last)
            }
            try other.commit(Commit(app: "chat", recipient: "u-0", effects: [.setBadge(1)]))
        }
        #expect(try store.view.recipient(app: "chat", "u-0").inbox.count == 80)
    }

    @Test("The copy of a store at rest leaves it as it is, and nothing else beside the copy")
    func atRest() throws {
        do {
            let store = try scene.open()
            try store.commit(Commit(app: "chat", recipient: "u", effects: [.setBadge(3)]))
        }
        let (before, names) = (try scene.bytes, try scene.names)
        try Backup.make(of: scene.path, to: "\(scene.folder)/copy.db")
        #expect(try scene.bytes == before)
        #expect(try scene.names == (names + ["copy.db"]).sorted())
        #expect(try StoreView("\(scene.folder)/copy.db").recipient(app: "chat", "u").badge == 3)
    }

    @Test("A copy never takes the place of something, also not of the store itself")
    func neverReplaces() throws {
        do { _ = try scene.open() }
        let (before, names) = (try scene.bytes, try scene.names)
        #expect(code(scene.path) == .backupNotWritten)
        #expect(code(scene.folder) == .backupNotWritten)
        #expect(code("\(scene.folder)/no/such.db") == .backupNotWritten)
        #expect(try scene.bytes == before && scene.names == names)
    }

    @Test("What a store has left beside a name, or a name that is one of its parts, is no place for a copy")
    func parts() throws {
        do { _ = try scene.open() }
        for part in ["-wal", "-shm", "-journal"] {
            try Data("left".utf8).write(to: URL(fileURLWithPath: "\(scene.folder)/copy\(part).db\(part)"))
        }
        let names = try scene.names
        for part in ["-wal", "-shm", "-journal"] {
            #expect(code("\(scene.folder)/copy\(part).db") == .backupNotWritten, "\(part)")
            #expect(code("\(scene.folder)/other.db\(part)") == .backupNotWritten, "\(part)")
        }
        #expect(code("\(scene.folder)/other.db.lock") == .backupNotWritten)
        #expect(code("\(scene.folder)/\(String(repeating: "a", count: 245))") == .backupNotWritten)
        #expect(try scene.names == names)
    }

    @Test("What a backup that was killed has left goes with the next one to that place, when its process has ended")
    func abandoned() throws {
        do { _ = try scene.open() }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/true")
        try process.run()
        process.waitUntilExit()
        let left = ["copy.db.\(process.processIdentifier).tmp", "copy.db.\(getppid()).tmp", "copy.db.x.tmp"]
        for name in left { try Data().write(to: URL(fileURLWithPath: "\(scene.folder)/\(name)")) }
        try Backup.make(of: scene.path, to: "\(scene.folder)/copy.db")
        #expect(try scene.names == (["rulehost.db", "rulehost.db.lock", "copy.db"] + left.dropFirst()).sorted())
    }

    @Test("What a host that was killed has left of a copy that somebody took goes when the store is opened again")
    func abandonedDownload() throws {
        do { _ = try scene.open() }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/true")
        try process.run()
        process.waitUntilExit()
        let copy = "rulehost.db.download"
        let others = ["\(copy).x.tmp", "\(copy).\(getppid()).tmp", "other.db.download"]
        for name in [copy, "\(copy).\(process.processIdentifier).tmp"] + others {
            try Data().write(to: URL(fileURLWithPath: "\(scene.folder)/\(name)"))
        }
        do { _ = try scene.open() }
        #expect(try scene.names == (["rulehost.db", "rulehost.db.lock"] + others).sorted())
    }

    @Test("A copy of which a part cannot be read does not count")
    func damagedPart() throws {
        let store = try scene.open()
        var state = RecipientState()
        state.values["k"] = StoredValue(json: Array("{".utf8))
        try store.change(
            [.recipient("u", state)], app: "chat", Deed(who: "mina", at: Scene.noon), action: "state_set", subject: "recipient u")
        #expect(code("\(scene.folder)/copy.db") == .damaged)
        #expect(try scene.names.filter { $0.hasPrefix("copy") } == [])
    }

    @Test("A damaged store is not copied")
    func damaged() throws {
        do {
            let store = try scene.open()
            for number in 0..<200 {
                try store.commit(Commit(app: "chat", recipient: "u-\(number)", effects: [.keepInInbox(Array("\(number)".utf8))]))
            }
        }
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: scene.path))
        let size = try handle.seekToEnd()
        for page in stride(from: UInt64(2), to: size / 4096, by: 2) {
            try handle.seek(toOffset: page * 4096)
            try handle.write(contentsOf: Data(repeating: 0xA5, count: 100))
        }
        try handle.close()
        let names = try scene.names
        #expect(code("\(scene.folder)/copy.db") == .damaged)
        #expect(try scene.names == names)
    }

    @Test("What is no store is not copied")
    func foreign() throws {
        try Data("{}".utf8).write(to: URL(fileURLWithPath: scene.path))
        #expect(code("\(scene.folder)/copy.db") == .foreign)
        #expect(try scene.names == ["rulehost.db"])
    }
}
