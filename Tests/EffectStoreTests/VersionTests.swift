// Rulesets by their hash, which of them is the current one, and who did what.
import PushMessage
import RuleEngine
import Testing

@testable import EffectStore

struct VersionTests {
    private let scene: Scene

    init() throws { scene = try Scene() }

    private func deed(_ minutes: Int64, _ why: String = "") -> Deed {
        Deed(who: "mina", at: Instant(milliseconds: Scene.noon.milliseconds + minutes * 60_000), why: why)
    }

    private func file(_ text: String) -> SourceFile { SourceFile(path: "app.lua", bytes: Array(text.utf8)) }

    @Test("A version keeps its files, stages name versions, and the audit tells who, when and why")
    func versions() throws {
        let store = try scene.open()
        try store.keep([file("one"), SourceFile(path: "lib/a.lua", bytes: [])], app: "chat", hash: "aaa", deed(0, "first"))
        try store.keep([file("two")], app: "chat", hash: "bbb", deed(1))
        try store.keep([file("else")], app: "chat", hash: "aaa", deed(2, "again"))
        try store.keep([file("shop")], app: "shop", hash: "aaa", deed(3))
        #expect(try store.view.files(app: "chat", hash: "aaa").map(\.path) == ["app.lua", "lib/a.lua"])
        #expect(try store.view.files(app: "chat", hash: "aaa").first == file("one"))
        #expect(try store.view.files(app: "chat", hash: "zzz").isEmpty)
        #expect(try store.promote(app: "chat", hash: "aaa", to: "production", deed(4)))
        #expect(try store.promote(app: "chat", hash: "aaa", to: "staging", deed(5)))
        #expect(try store.promote(app: "chat", hash: "bbb", to: "staging", deed(6, "looks good")))
        #expect(try !store.promote(app: "chat", hash: "zzz", to: "staging", deed(7)))
        #expect(try store.view.current(app: "chat", stage: "production") == "aaa")
        #expect(try store.view.current(app: "chat", stage: "staging") == "bbb")
        #expect(try store.view.current(app: "shop", stage: "staging") == nil)
        let known = try store.view.versions(of: "chat")
        #expect(known.map(\.hash) == ["bbb", "aaa"] && known.map(\.stages) == [["staging"], ["production"]])
        #expect(known[1].why == "first" && known[1].who == "mina")
        #expect(try store.view.versions(of: nil).map(\.app) == ["chat", "chat", "shop"])
        let audit = try store.view.audit(newest: 2, of: "chat")
        #expect(
            audit.map(\.action) == ["promote", "promote"] && audit[0].subject == "staging bbb" && audit[0].deed == deed(6, "looks good"))
        #expect(try store.view.audit(newest: 100, of: nil).count == 6)
        #expect(try store.view.apps() == ["chat", "shop"])
    }

    @Test("Which versions were on a stage is known however much was done since, and found without looking through all of it")
    func everOnStage() throws {
        let store = try scene.open()
        for hash in ["aaa", "bbb", "ccc"] { try store.keep([file(hash)], app: "chat", hash: hash, deed(0)) }
        #expect(try store.promote(app: "chat", hash: "aaa", to: "live", deed(1)))
        #expect(try store.promote(app: "chat", hash: "bbb", to: "live", deed(2), action: "reload"))
        #expect(try store.promote(app: "chat", hash: "ccc", to: "live-2", deed(3)))
        #expect(try store.promote(app: "chat", hash: "ccc", to: "live", deed(3), action: "refuse"))
        #expect(try store.move([.canary("ccc", percent: 5, of: "live", action: "canary")], app: "chat", deed(4)))
        try Connection(scene.path, path: scene.path, .writing).run(
            """
            INSERT INTO audit (at, app, who, action, subject, why)
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000) SELECT i, 'chat', 'w', 'state_set', 'u', '' FROM n
            """)
        #expect(try store.view.history(of: "chat", stage: "live").hashes == ["aaa", "bbb"])
        #expect(try store.view.history(of: "chat", stage: "live-2").hashes == ["ccc"])
        #expect(try store.view.history(of: "shop", stage: "live").hashes.isEmpty)
        let plan = try store.view.look { (connection) throws(EffectStoreFault) in
            try connection.row(
                "EXPLAIN QUERY PLAN \(StoredAudit.versionsOnStage)", [.text("chat"), .text("live "), .text("live!")]
            ) { (row) throws(EffectStoreFault) in row.text(3) }
        }
        #expect(plan?.contains("audit_by_stage") == true)
    }

    @Test("A change by hand is in the audit, without what was stored")
    func audited() throws {
        let store = try scene.open()
        var state = RecipientState()
        state.values["k"] = StoredValue(json: Array("\"secret\"".utf8))
        try store.commit(Commit(app: "chat", recipient: "u", effects: [.setBadge(9)]))
        try store.change(
            [.recipient("u", state), .shared(["s": StoredValue(json: [49])])], app: "chat", deed(0), action: "state_set", subject: "u k")
        #expect(try store.view.recipient(app: "chat", "u") == state)
        #expect(try store.view.shared(app: "chat").count == 1)
        #expect(try store.view.audit(newest: 9, of: "chat").map { "\($0.action) \($0.subject)" } == ["state_set u k"])
    }
}
