// Files that cannot be used, and what is said of them. What is refused stays as it is to the byte.
import CSQLite
import Foundation
import PushMessage
import RuleEngine
import Testing

@testable import EffectStore

struct FaultTests {
    private let scene: Scene

    init() throws { scene = try Scene() }

    private func hostCode() -> EffectStoreFault.Code? { Scene.code { () throws(EffectStoreFault) in _ = try scene.open() } }
    private func viewCode() -> EffectStoreFault.Code? {
        Scene.code { () throws(EffectStoreFault) in _ = try StoreView(scene.path).everything(app: "chat") }
    }

    /// A store with enough in it that its pages are many.
    private func fill() throws {
        let store = try scene.open()
        for number in 0..<60 {
            try store.commit(
                Commit(
                    app: "chat", recipient: "u-\(number)",
                    effects: [
                        .setValue(
                            scope: .recipient, key: "k", value: StoredValue(json: Array("\"\(String(repeating: "x", count: 3_000))\"".utf8))
                        )
                    ]))
        }
        try store.tidy(now: Scene.noon)
    }

    private func expectRefused(_ code: EffectStoreFault.Code, _ comment: Comment? = nil) throws {
        let before = try scene.bytes
        #expect(hostCode() == code, comment)
        #expect(viewCode() == code, comment)
        #expect(try scene.bytes == before, comment)
        #expect(try scene.names.filter { $0 != "rulehost.db.lock" } == ["rulehost.db"], comment)
    }

    @Test("A file of something else is left alone", arguments: ["{}", String(repeating: "no database at all ", count: 500)])
    func foreign(_ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: scene.path))
        try expectRefused(.foreign)
    }

    @Test("A database of somebody else is left alone")
    func otherDatabase() throws {
        var database: OpaquePointer?
        #expect(sqlite3_open(scene.path, &database) == SQLITE_OK)
        #expect(sqlite3_exec(database, "CREATE TABLE theirs (a)", nil, nil, nil) == SQLITE_OK)
        sqlite3_close(database)
        try expectRefused(.foreign)
    }

    @Test("A folder in the place of the file is none")
    func folder() throws {
        try FileManager.default.createDirectory(atPath: scene.path, withIntermediateDirectories: true)
        #expect(hostCode() == .foreign && viewCode() == .foreign)
    }

    @Test("A file without a byte is a store that nobody has used: a host takes it, a reader finds nothing")
    func empty() throws {
        try Data().write(to: URL(fileURLWithPath: scene.path))
        #expect(viewCode() == .foreign)
        #expect(hostCode() == nil)
        #expect(viewCode() == nil)
    }

    @Test("A file that has lost all its bytes is refused and left as it is, and a host begins anew when it is removed")
    func emptied() throws {
        try fill()
        #expect(try scene.names == ["rulehost.db", "rulehost.db.lock"])
        try Data().write(to: URL(fileURLWithPath: scene.path))
        try expectRefused(.damaged)
        // As a backup that was put in its place without its lock, and then lost.
        let log = URL(fileURLWithPath: "\(scene.path)-wal")
        try FileManager.default.removeItem(atPath: "\(scene.path).lock")
        try Data([1]).write(to: log)
        #expect(hostCode() == .damaged)
        #expect(try Data(contentsOf: log) == Data([1]) && scene.bytes.isEmpty)
        try FileManager.default.removeItem(at: log)
        #expect(hostCode() == nil)
        // Without the file there is nothing to lose.
        try FileManager.default.removeItem(atPath: scene.path)
        #expect(hostCode() == nil && viewCode() == nil)
    }

    @Test("What a host leaves that is ended while it makes its store is a new store")
    func halfMade() throws {
        try Data().write(to: URL(fileURLWithPath: scene.path))
        try Data().write(to: URL(fileURLWithPath: "\(scene.path).lock"))
        #expect(hostCode() == nil)
    }

    @Test("A store of a later version is left alone")
    func newer() throws {
        try fill()
        do {
            let connection = try Connection(scene.path, path: scene.path, .writing)
            try connection.set("user_version = 99")
        }
        try expectRefused(.newer)
    }

    @Test("Bytes in a later format are told from damage")
    func newerBytes() throws {
        try fill()
        do {
            let connection = try Connection(scene.path, path: scene.path, .writing)
            try connection.run("UPDATE recipient SET format = 2 WHERE id = 'u-1'")
        }
        let view = try StoreView(scene.path)
        #expect(Scene.code { () throws(EffectStoreFault) in _ = try view.recipient(app: "chat", "u-1") } == .newer)
        #expect(Scene.code { () throws(EffectStoreFault) in _ = try view.recipient(app: "chat", "u-2") } == nil)
    }

    @Test("A store of an earlier version becomes one of this version, with what is in it")
    func migrated() throws {
        let first = Schema.current
        do {
            let store = try scene.open(schema: first)
            try store.commit(Commit(app: "chat", recipient: "u", effects: [.setBadge(5)]))
        }
        let second = Schema(steps: first.steps + ["CREATE TABLE more (a INTEGER) STRICT; INSERT INTO more VALUES (7)"])
        do {
            let store = try scene.open(schema: second)
            #expect(try store.view.recipient(app: "chat", "u").badge == 5)
            #expect(try store.view.look { (connection) throws(EffectStoreFault) in try connection.integer("SELECT a FROM more") } == 7)
        }
        #expect(hostCode() == .newer)
    }

    @Test("A store of the first version is read as it is, and becomes one of this version")
    func firstVersion() throws {
        try scene.makeEarlier(people: 1)
        #expect(viewCode() == nil)
        #expect(try StoreView(scene.path).recipient(app: "chat", "u-0").badge == 0)
        let store = try scene.open()
        #expect(try store.view.recipient(app: "chat", "u-0").badge == 0)
        let answer = KeptAnswer(token: "t", key: "k", question: [], status: 200, answer: [1])
        try store.commit(Commit(app: "chat", recipient: "u", effects: [.setBadge(5)], answer: answer))
        #expect(try store.view.recipient(app: "chat", "u").badge == 5)
    }

    @Test("A step that fails leaves the earlier version as it was")
    func failedMigration() throws {
        do {
            let store = try scene.open()
            try store.commit(Commit(app: "chat", recipient: "u", effects: [.setBadge(5)]))
        }
        let broken = Schema(steps: Schema.current.steps + ["CREATE TABLE more (a) STRICT, NO SUCH THING; SELECT 1"])
        #expect(Scene.code { () throws(EffectStoreFault) in _ = try scene.open(schema: broken) } == .failed)
        #expect(try scene.open().view.recipient(app: "chat", "u").badge == 5)
    }

    @Test("Damaged pages are found before anything is written", arguments: [1, 2, 5])
    func damaged(_ part: Int) throws {
        try fill()
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: scene.path))
        let size = try handle.seekToEnd()
        // Every third page from there on.
        for page in stride(from: UInt64(part), to: size / 4096, by: 3) {
            try handle.seek(toOffset: page * 4096)
            try handle.write(contentsOf: Data(repeating: 0xA5, count: 200))
        }
        try handle.close()
        let before = try scene.bytes
        #expect(hostCode() == .damaged)
        #expect(try scene.bytes == before)
        #expect(viewCode() == .damaged)
    }

    @Test("A store that is cut off is damaged")
    func cutOff() throws {
        try fill()
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: scene.path))
        try handle.truncate(atOffset: UInt64(try scene.size("rulehost.db") / 2 / 4096 * 4096))
        try handle.close()
        #expect(hostCode() == .damaged)
    }

    @Test("A store that is not there is made by a host, and missed by a reader; without its folder by both")
    func missing() throws {
        #expect(viewCode() == .missing)
        #expect(try scene.names.isEmpty)
        #expect(hostCode() == nil)
        #expect(
            Scene.code { () throws(EffectStoreFault) in _ = try EffectStore("\(scene.folder)/no/such.db", clock: { Scene.noon }) }
                == .missing)
    }

    @Test("Nobody else reads the file of a new store")
    func modes() throws {
        let store = try scene.open()
        for name in try scene.names {
            let mode = try FileManager.default.attributesOfItem(atPath: "\(scene.folder)/\(name)")[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(name)")
        }
        store.close()
    }

    @Test("Whoever may not write is told so, and the file is not changed", arguments: ["file", "folder"])
    func readOnly(_ what: String) throws {
        try fill()
        // The double asks as somebody without rights of his own.
        for (name, mode) in [("", what == "folder" ? 0o755 : 0o777), ("/rulehost.db", 0o444), ("/rulehost.db.lock", 0o666)] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: scene.folder + name)
        }
        let before = try scene.bytes
        #expect(try Scene.lines("open", scene.path) == ["fault store_read_only"])
        if what == "folder" {
            #expect(try Scene.lines("open", "\(scene.folder)/new.db") == [geteuid() == 0 ? "fault store_read_only" : "open"])
        }
        #expect(try scene.bytes == before)
    }

    @Test("A store that another process has is refused to a host; a reader sees what it writes")
    func locked() throws {
        let input = Pipe()
        let (process, output) = try Scene.start("hold", scene.path, input: input)
        #expect(String(decoding: output.availableData, as: UTF8.self) == "open\n")
        #expect(hostCode() == .locked)
        #expect(viewCode() == nil)
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        #expect(hostCode() == nil)
    }

    @Test("A store that was closed is free, also while a process has its lock that was just being started")
    func inherited() throws {
        let store = try scene.open()
        // As a child has it between its birth and its program.
        let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
        let copies = files.filter { file in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(file)")) == "\(scene.path).lock"
        }.map { dup($0) }
        #expect(copies.count == 1)
        store.close()
        #expect(hostCode() == nil)
        for copy in copies { close(copy) }
    }

    @Test("A file that may only be read is refused before anything is made beside it", .enabled(if: geteuid() == 0))
    func nothingBesideWhatIsRefused() throws {
        try fill()
        for (name, mode) in [("", 0o777), ("/rulehost.db", 0o444), ("/rulehost.db.lock", 0o666)] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: scene.folder + name)
        }
        #expect(try Scene.lines("open", scene.path) == ["fault store_read_only"])
        #expect(try scene.names == ["rulehost.db", "rulehost.db.lock"])
    }

    @Test("A second name of the file, a name that is too long, a part of a store, a link to nothing: refused, and nothing is left")
    func names() throws {
        try fill()
        let names = try scene.names
        func refused(_ name: String) -> EffectStoreFault.Code? {
            Scene.code { () throws(EffectStoreFault) in _ = try EffectStore("\(scene.folder)/\(name)", patience: 0, clock: { Scene.noon }) }
        }
        #expect(refused(String(repeating: "a", count: 250)) == .failed)
        #expect(refused("rulehost.db-wal") == .foreign)
        #expect(try scene.names == names)
        try FileManager.default.createSymbolicLink(atPath: "\(scene.folder)/dead", withDestinationPath: "nowhere")
        #expect(refused("dead") == .missing)
        try FileManager.default.linkItem(atPath: scene.path, toPath: "\(scene.folder)/second.db")
        #expect(refused("second.db") == .failed && hostCode() == .failed)
        #expect(try scene.names == (names + ["dead", "second.db"]).sorted())
        #expect(viewCode() == nil)
    }

    @Test(
        "What has our mark and other tables is damaged",
        arguments: [
            "CREATE TABLE more (a)", "CREATE VIEW v AS SELECT 1", "DROP TABLE stage", "ALTER TABLE due ADD COLUMN more TEXT",
            "CREATE TRIGGER t AFTER INSERT ON journal BEGIN DELETE FROM journal; END",
        ])
    func otherTables(_ sql: String) throws {
        try fill()
        do {
            let connection = try Connection(scene.path, path: scene.path, .writing)
            try connection.run(sql)
        }
        try expectRefused(.damaged)
    }

    @Test(
        "A log that was left behind is read from a folder that may not be written, or it is said what is missing",
        .enabled(if: geteuid() == 0))
    func logInReadOnlyFolder() throws {
        do {
            let store = try scene.open()
            try store.commit(Commit(app: "chat", recipient: "u", effects: [.setBadge(7)]))
            for name in ["", "-wal", "-shm"] {
                try FileManager.default.copyItem(atPath: "\(scene.path)\(name)", toPath: "\(scene.folder)/left.db\(name)")
            }
        }
        for (name, mode) in [("", 0o755), ("/left.db", 0o644), ("/left.db-wal", 0o644), ("/left.db-shm", 0o644)] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: scene.folder + name)
        }
        let path = "\(scene.folder)/left.db"
        #expect(try Scene.lines("read", path) == ["badge 7"])
        try FileManager.default.removeItem(atPath: "\(path)-shm")
        let lines = try Scene.lines("read", path)
        #expect(lines.count == 1 && lines[0].hasPrefix("fault store_read_only: the store cannot be read: its newest part"), "\(lines)")
    }

    @Test("Two names of one store are one store")
    func linked() throws {
        let store = try scene.open()
        let other = "\(scene.folder)/other.db"
        try FileManager.default.createSymbolicLink(atPath: other, withDestinationPath: "rulehost.db")
        #expect(Scene.code { () throws(EffectStoreFault) in _ = try EffectStore(other, patience: 0, clock: { Scene.noon }) } == .locked)
        store.close()
    }

    @Test("A store at rest is read without a file being made or changed")
    func atRest() throws {
        try fill()
        let (before, names) = (try scene.bytes, try scene.names)
        let view = try StoreView(scene.path)
        #expect(try view.everything(app: "chat").recipients.count == 60)
        #expect(hostCode() == .locked)
        #expect(try scene.names == names && scene.bytes == before)
        withExtendedLifetime(view) {}
    }
}
