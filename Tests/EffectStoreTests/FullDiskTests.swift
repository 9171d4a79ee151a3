// A disk without room: what is committed then fails whole, and what the store says of itself is what the next message finds.
import RuleEngine
import Testing

@testable import EffectStore

struct FullDiskTests {
    private let scene: Scene

    init() throws { scene = try Scene() }

    @Test("Without room a commit fails whole, what is there can be read, and with room it goes on")
    func full() throws {
        let lines = try Scene.lines("fill", scene.path)
        let kept = Int(lines.first?.split(separator: " ").dropFirst().first ?? "") ?? -1
        #expect(kept > 0)
        #expect(lines == ["kept \(kept) then store_full", "read \(kept)", "later 3"])
        let store = try scene.open()
        #expect(try store.view.everything(app: "chat").recipients.count == kept + 1)
    }

    @Test("What is left out because the disk was full counts as a fault, and only what was written says that it takes something again")
    func countedByOutcome() throws {
        let (connection, lock, _) = try StoreFile.forHost(scene.path, schema: .current, patience: 0)
        defer { lock.release() }
        let pages = try connection.integer("PRAGMA page_count") ?? 0
        try connection.set("max_page_count = \(pages)")
        let writer = try Writer(connection, durability: .group, housekeeping: Housekeeping()) { Scene.noon }
        try writer.start()
        defer { writer.end() }
        func commit(_ effects: [Effect], _ chain: CommitChain? = nil) -> EffectStoreFault.Code? {
            let outcome = Monitor<Result<CommitOutcome, EffectStoreFault>?>(nil)
            writer.add([Commit(app: "chat", recipient: "u", effects: effects, chain: chain)]) { results in
                outcome.change { $0 = results[0] }
            }
            return Scene.code { () throws(EffectStoreFault) in _ = try outcome.wait { $0 }.get() }
        }
        let large = Effect.keepInInbox(Array("\"\(String(repeating: "x", count: 1 << 20))\"".utf8))
        let chain = CommitChain()
        #expect(commit([large], chain) == .full)
        #expect(writer.counts.commits == 0 && writer.counts.faults == 1)
        #expect(commit([], chain) == .full && commit([.setBadge(1)], chain) == .full)
        #expect(writer.counts.commits == 0 && writer.counts.faults == 3 && writer.counts.fault?.code == .full)
        #expect(commit([]) == nil)
        #expect(writer.counts.commits == 1 && writer.counts.groups == 0 && writer.counts.fault?.code == .full)
        try writer.perform { (connection) throws(EffectStoreFault) in try connection.set("max_page_count = 100000") }
        #expect(commit([large]) == nil)
        #expect(writer.counts.commits == 2 && writer.counts.groups == 1 && writer.counts.faults == 3 && writer.counts.fault == nil)
    }

    @Test("What is smaller than what there was no room for does not say that a store takes messages; a message does")
    func probed() throws {
        let (connection, lock, _) = try StoreFile.forHost(scene.path, schema: .current, patience: 0)
        defer { lock.release() }
        let pages = try connection.integer("PRAGMA page_count") ?? 0
        let writer = try Writer(connection, durability: .group, housekeeping: Housekeeping()) { Scene.noon }
        try writer.start()
        defer { writer.end() }
        func allow(_ pages: Int64) throws {
            try writer.perform { (connection) throws(EffectStoreFault) in try connection.set("max_page_count = \(pages)") }
        }
        func commit(_ bytes: Int) -> EffectStoreFault.Code? {
            let outcome = Monitor<Result<CommitOutcome, EffectStoreFault>?>(nil)
            let effects = [Effect.keepInInbox(Array("\"\(String(repeating: "x", count: bytes))\"".utf8))]
            writer.add([Commit(app: "chat", recipient: "u", effects: effects)]) { results in outcome.change { $0 = results[0] } }
            return Scene.code { () throws(EffectStoreFault) in _ = try outcome.wait { $0 }.get() }
        }
        /// What is said after it was tried.
        func probe() throws -> EffectStoreFault.Code? {
            writer.probe()
            return try writer.perform { (_) throws(EffectStoreFault) in writer.counts.fault?.code }
        }
        try allow(pages + 100)
        #expect(commit(1 << 20) == .full)
        for _ in 0..<3 { #expect(try probe() == .full) }
        // Messages are tried all the same.
        #expect(commit(1 << 10) == nil)
        #expect(writer.counts.fault == nil)
        #expect(commit(1 << 20) == .full)
        try allow(100_000)
        #expect(try probe() == nil)
        // Folded by now or not.
        let after = try writer.perform { (connection) throws(EffectStoreFault) in
            try connection.integer("SELECT count(*) FROM (SELECT recipient FROM journal UNION SELECT id FROM recipient)")
        }
        #expect(after == 1)
        #expect(commit(1 << 20) == nil)
    }

    @Test("Whenever a store that was full says that it takes messages it takes the next one")
    func readiness() throws {
        let lines = try Scene.lines("ready", scene.path)
        #expect(lines == ["full", "never wrong", "room", "kept"])
    }
}
