// A backup, and a store that becomes one of a newer layout, killed at any moment: there is the whole of it or nothing.
import Foundation
import PushMessage
import RuleEngine
import Testing

@testable import EffectStore

struct BackupKillTests {
    @Test("A backup that is killed has its name and is whole, or has none; the next one removes what it has left")
    func backup() throws {
        let scene = try Scene()
        do {
            let store = try scene.open()
            for number in 0..<400 { try commit(number, to: store) }
        }
        var random = SeededNumbers(seed: 4)
        var outcomes: Set<Bool> = []
        for round in 0..<24 {
            let target = "\(scene.folder)/copy-\(round)"
            let (process, _) = try Scene.start("backup", scene.path, target)
            usleep(UInt32.random(in: 1_000...90_000, using: &random))
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            let names = try scene.names.filter { $0.hasPrefix("copy-\(round)") }
            let isThere = names.contains("copy-\(round)")
            outcomes.insert(isThere)
            guard isThere else { continue }
            #expect(names == ["copy-\(round)"])
            #expect(try StoreView(target).everything(app: "chat").recipients.count == 400)
        }
        // Whichever it was, a backup to the same place leaves itself and nothing else.
        for round in 0..<24 {
            let target = "\(scene.folder)/copy-\(round)"
            if access(target, F_OK) != 0 { try Backup.make(of: scene.path, to: target) }
            #expect(try scene.names.filter { $0.hasPrefix("copy-\(round).") } == [])
        }
    }

    @Test("A store of the first layout that is killed on its way to this one is one or the other, with everything in it")
    func migration() throws {
        let template = try Scene()
        try template.makeEarlier(people: 300)
        var random = SeededNumbers(seed: 5)
        for _ in 0..<24 {
            let scene = try Scene()
            try FileManager.default.copyItem(atPath: template.path, toPath: scene.path)
            let (process, _) = try Scene.start("hold", scene.path)
            usleep(UInt32.random(in: 1_000...60_000, using: &random))
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            let version = try StoreView(scene.path).look { (connection) throws(EffectStoreFault) in
                try connection.integer("PRAGMA user_version")
            }
            #expect(version == 1 || version == Schema.current.version)
            let store = try scene.open()
            let state = try store.view.everything(app: "chat")
            #expect(state.recipients.count == 300 && state.recipients["u-299"]?.badge == 299)
            try store.commit(Commit(app: "chat", recipient: "u-1", effects: [.setBadge(7)], post: [1]))
            #expect(try store.view.outbox(after: 0).entries.count == 1)
        }
    }

    private func commit(_ number: Int, to store: EffectStore) throws {
        store.commit(Commit(app: "chat", recipient: "u-\(number)", effects: [.setBadge(number)])) { _ in }
    }
}
