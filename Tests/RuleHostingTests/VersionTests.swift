// Versions of rules that people bring into force, take back, and try on some; state that they change by hand.
import EffectStore
import Foundation
import PushMessage
import RuleEngine
import Testing

@testable import RuleHosting

struct VersionTests {
    private static func rules(_ version: String) -> String {
        "rule \"R\" { on = \"present\", decide = function() return { labels = { b = \"\(version)\" } } end }"
    }

    private static let mina = Deed(who: "mina", at: Scene.noon, why: "as agreed")

    private static func write(_ version: String, _ scene: Scene) throws {
        try scene.write("chat", rules(version), manifest: "return { api = 1, guards = { duplicate = false } }")
    }

    private static func wait(_ host: RuleHost, _ version: String) {
        while host.ask("chat", Scene.body("waiting", id: version)).label("b") != version { usleep(2_000) }
    }

    private func promote(_ host: RuleHost, _ hash: String, to stage: String? = nil, percent: Int? = nil) -> Result<AppInfo, HostProblem> {
        let done = Monitor<Result<AppInfo, HostProblem>?>(nil)
        host.promote(app: "chat", hash: hash, to: stage, percent: percent, Self.mina) { result in done.change { $0 = result } }
        return done.wait { $0 }
    }

    private func rollback(_ host: RuleHost) -> Result<AppInfo, HostProblem> {
        let done = Monitor<Result<AppInfo, HostProblem>?>(nil)
        host.rollback(app: "chat", Self.mina) { result in done.change { $0 = result } }
        return done.wait { $0 }
    }

    /// Hashes of v1, v2, v3, which have been in force one after the other.
    private func three(_ scene: Scene, _ host: RuleHost) throws -> [String] {
        var hashes: [String] = []
        for version in ["v1", "v2", "v3"] {
            try Self.write(version, scene)
            Self.wait(host, version)
            hashes.append(host.known["chat"]?.ruleset ?? "")
        }
        return hashes
    }

    /// A store that knows the three, of a host that has ended.
    private func saved() throws -> (scene: Scene, store: EffectStore, hashes: [String]) {
        let scene = try Scene()
        let store = try scene.store()
        let host = try scene.host(.durable(store))
        let hashes = try three(scene, host)
        host.close()
        return (scene, store, hashes)
    }

    @Test("Going back is possible however much was changed by hand since, also of other apps", arguments: [true, false])
    func rollbackAfterMuch(_ isDurable: Bool) throws {
        let scene = try Scene()
        let keeping: any HostKeeping = isDurable ? DurableKeeping(try scene.store(.none)) : MemoryKeeping()
        for (app, hash) in [("chat", "aaaa"), ("chat", "bbbb"), ("shop", "aaaa"), ("chat", "cccc")] {
            try keeping.keep([SourceFile(path: "rules.lua", bytes: Array(hash.utf8))], app: app, hash: hash, Self.mina)
            guard hash != "cccc" else { continue }
            #expect(try keeping.move([.promote(hash, to: "production", action: "promote")], app: app, Self.mina))
        }
        for number in 0..<(isDurable ? 10_100 : 2_500) {
            let app = number % 2 == 0 ? "chat" : "shop"
            try keeping.edit(app: app, Self.mina, action: "state_set", subject: "u") { _ in [.recipient("u", nil)] }
        }
        let desk = VersionDesk(keeping) { _, _ in [] }
        #expect(try desk.rollback(app: "chat", stage: "production", Self.mina).hash == "aaaa")
        // What was never there is no way back, and neither is what was on another stage.
        let problem = #expect(throws: HostProblem.self) { try desk.rollback(app: "chat", stage: "production", Self.mina) }
        #expect(problem?.code == "version_refused")
        #expect(throws: HostProblem.self) { try desk.rollback(app: "shop", stage: "production", Self.mina) }
    }

    @Test(
        "Going back leads to what was on the stage before, whenever it was saved, and never to what somebody went back from",
        arguments: [true, false])
    func wayBack(_ isDurable: Bool) throws {
        let scene = try Scene()
        let keeping: any HostKeeping = isDurable ? DurableKeeping(try scene.store(.none)) : MemoryKeeping()
        for hash in ["aaaa", "bbbb", "cccc"] {
            try keeping.keep([SourceFile(path: "rules.lua", bytes: Array(hash.utf8))], app: "chat", hash: hash, Self.mina)
        }
        let desk = VersionDesk(keeping) { _, _ in [] }
        func promote(_ hash: String) throws { try desk.promote(app: "chat", hash: hash, to: "production", Self.mina) }
        func back() throws -> String { try desk.rollback(app: "chat", stage: "production", Self.mina).hash }
        // The newer one was promoted first.
        for hash in ["bbbb", "aaaa"] { try promote(hash) }
        #expect(try back() == "bbbb")
        // One that was no good is none later, though it was there just before.
        for hash in ["aaaa", "cccc"] { try promote(hash) }
        #expect(try back() == "aaaa")
        try promote("cccc")
        try promote("bbbb")
        #expect(try back() == "cccc")
        #expect(try back() == "aaaa")
        // It stood further down as well.
        #expect(throws: HostProblem.self) { try back() }
        #expect(try keeping.current(app: "chat", stage: "production") == "aaaa")
    }

    @Test("Going back brings the version before into force, again the one before that, also after a restart", arguments: [true, false])
    func rollback(_ isDurable: Bool) throws {
        let scene = try Scene()
        let store = isDurable ? try scene.store() : nil
        let host = try scene.host(store.map { .durable($0) } ?? .memory)
        let hashes = try three(scene, host)
        for (place, version) in [(1, "v2"), (0, "v1")] {
            #expect(try rollback(host).get().ruleset == hashes[place])
            #expect(host.ask("chat", Scene.body(id: "m")).label("b") == version)
            // The folder holds something else, and that is told now as it is after a restart.
            #expect(host.known["chat"]?.status == .stale && host.known["chat"]?.faults.map(\.code) == ["rolled_back"])
        }
        guard case .failure(let problem) = rollback(host) else { return #expect(Bool(false)) }
        #expect(problem.code == "version_refused" && problem.status == 409)
        #expect(try host.audit(newest: 20, of: "chat").contains { $0.deed.who == "mina" && $0.action == "rollback" })
        #expect(try host.change(app: "chat", of: hashes[1], from: hashes[0]).files.first?.lines.count == 2)
        host.close()
        guard let store else { return }
        let next = try scene.host(.durable(store))
        #expect(next.ask("chat", Scene.body(id: "m")).label("b") == "v1")
        #expect(next.known["chat"]?.faults.first?.code == "rolled_back")
        // What is saved next is wanted.
        try Self.write("v4", scene)
        Self.wait(next, "v4")
        #expect(next.known["chat"]?.status == .ok)
        next.close()
    }

    @Test("A host of a stage serves what was promoted to it, and nothing else")
    func stages() throws {
        let (scene, store, hashes) = try saved()
        let host = try scene.host(.durable(store)) { $0.stage = "production" }
        let refused = host.ask("chat", Scene.body(id: "m"))
        #expect(refused.status == 503 && refused.code == "not_promoted")
        // A save is a version, and no more.
        try Self.write("v4", scene)
        while try store.view.versions(of: "chat").count < 4 { usleep(2_000) }
        #expect(host.ask("chat", Scene.body(id: "m")).code == "not_promoted")
        #expect(try promote(host, String(hashes[1].prefix(6))).get().ruleset == hashes[1])
        #expect(host.ask("chat", Scene.body(id: "m")).label("b") == "v2")
        #expect(try promote(host, hashes[2], to: "staging").get().ruleset == hashes[1])
        try Self.write("v5", scene)
        while try store.view.versions(of: "chat").count < 5 { usleep(2_000) }
        #expect(host.ask("chat", Scene.body(id: "m")).label("b") == "v2")
        for wrong in ["ffffffffffff", "", "zz"] {
            guard case .failure(let problem) = promote(host, wrong) else { return #expect(Bool(false)) }
            #expect(problem.code == "version_unknown" && problem.status == 404)
        }
        host.close()
        let next = try scene.host(.durable(store)) { $0.stage = "production" }
        #expect(next.ask("chat", Scene.body(id: "m")).label("b") == "v2")
        next.close()
    }

    @Test("A version is tried on some recipients only where there is one for the others; nothing is kept otherwise")
    func canaryAlone() throws {
        let (scene, store, hashes) = try saved()
        let host = try scene.host(.durable(store)) { $0.stage = "production" }
        let before = try store.view.audit(newest: 100, of: "chat").count
        for stage in [nil, "prodution"] {
            guard case .failure(let problem) = promote(host, hashes[0], to: stage, percent: 10) else { return #expect(Bool(false)) }
            #expect(problem.code == "version_refused" && problem.status == 409)
        }
        #expect(try store.view.audit(newest: 100, of: "chat").count == before)
        _ = try promote(host, hashes[0]).get()
        #expect(try promote(host, hashes[1], percent: 10).get().canary?.percent == 10)
        host.close()
    }

    @Test("A host of a stage tells that a save has a fault, and that an app waits for its first version")
    func faultsBesideAStage() throws {
        let scene = try Scene()
        let store = try scene.store()
        try Self.write("v1", scene)
        let host = try scene.host(.durable(store)) { $0.stage = "production" }
        let heard = Heard()
        host.listen(heard)
        #expect(host.ask("chat", Scene.body(id: "m")).code == "not_promoted")
        #expect(host.known["chat"]?.status == .failed && host.known["chat"]?.faults.map(\.code) == ["not_promoted"])
        _ = try promote(host, try #require(try store.view.versions(of: "chat").first?.hash)).get()
        #expect(host.known["chat"]?.status == .ok && host.known["chat"]?.faults.isEmpty == true)
        try scene.write("chat", "rule \"R\" {")
        while heard.last != "draft_fault lua_syntax stale" { usleep(2_000) }
        #expect(host.ask("chat", Scene.body(id: "m")).label("b") == "v1")
        #expect(host.known["chat"]?.serving == .ok && host.known["chat"]?.draft?.isGood == false)
        #expect(host.known["chat"]?.faults.map(\.isOfDraft) == [true])
        // Nothing else is in force now, and nobody is told that.
        try Self.write("v2", scene)
        while heard.last != "state - ok" { usleep(2_000) }
        #expect(host.ask("chat", Scene.body(id: "m")).label("b") == "v1")
        let draft = try #require(host.known["chat"]?.draft)
        #expect(draft.isGood && draft.ruleset != host.known["chat"]?.ruleset)
        try Self.write("v3", scene)
        while host.known["chat"]?.draft?.ruleset == draft.ruleset { usleep(2_000) }
        let hash = try #require(host.known["chat"]?.draft?.ruleset)
        _ = try promote(host, hash).get()
        #expect(
            heard.all == [
                "fault not_promoted failed", "reload - ok", "draft_fault lua_syntax stale", "state - ok", "state - ok", "reload - ok",
            ])
        // It is in force already.
        _ = try promote(host, hash).get()
        #expect(heard.all.count == 6)
        host.close()
    }

    @Test("Of a host of a stage that starts on a broken draft both are told: what is served, and what is wrong in the folder")
    func brokenDraftAtTheStart() throws {
        let (scene, store, hashes) = try saved()
        try scene.write("chat", "rule \"R\" {")
        let host = try scene.host(.durable(store)) { $0.stage = "production" }
        let heard = Heard()
        host.listen(heard)
        #expect(host.ask("chat", Scene.body(id: "m")).code == "not_promoted")
        #expect(heard.all == ["fault not_promoted failed", "draft_fault not_promoted failed"])
        #expect(host.known["chat"]?.faults.map(\.code) == ["not_promoted", "lua_syntax"])
        #expect(try promote(host, hashes[1]).get().status == .stale)
        #expect(host.ask("chat", Scene.body(id: "m")).label("b") == "v2")
        #expect(host.known["chat"]?.serving == .ok && host.known["chat"]?.faults.map(\.code) == ["lua_syntax"])
        host.close()
        let next = try scene.host(.durable(store)) { $0.stage = "production" }
        next.listen(heard)
        #expect(next.ask("chat", Scene.body(id: "m")).label("b") == "v2")
        #expect(heard.all.suffix(2) == ["reload lua_syntax stale", "draft_fault lua_syntax stale"])
        next.close()
    }

    @Test("A save that is taken back to what is in force is no other ruleset: that the fault is gone is told, and no more")
    func mended() throws {
        let scene = try Scene()
        let host = try scene.host(.memory)
        try Self.write("v1", scene)
        Self.wait(host, "v1")
        let heard = Heard()
        host.listen(heard)
        try scene.write("chat", "rule \"R\" {")
        while heard.last != "fault lua_syntax stale" { usleep(2_000) }
        try Self.write("v1", scene)
        while heard.last != "state - ok" { usleep(2_000) }
        #expect(heard.all.allSatisfy { !$0.hasPrefix("reload") })
        host.close()
    }

    @Test("A version that is tried on some recipients is theirs, always, until it is promoted or taken back")
    func canary() throws {
        let scene = try Scene()
        let store = try scene.store()
        let host = try scene.host(.durable(store))
        let hashes = try three(scene, host)
        func tried(_ host: RuleHost) -> [Bool] {
            host.askAll((0..<400).map { ("chat", Scene.body("u-\($0)", id: "m"), DecideOptions()) }).map { $0.label("b") == "v1" }
        }
        let info = try promote(host, hashes[0], percent: 25).get()
        #expect(info.ruleset == hashes[2] && info.canary == Canary(ruleset: hashes[0], percent: 25))
        let first = tried(host)
        #expect((60...140).contains(first.count { $0 }), "\(first.count { $0 })")
        #expect(tried(host) == first)
        _ = try promote(host, hashes[0], percent: 50).get()
        let more = tried(host)
        // Those that had it keep it.
        #expect(zip(first, more).allSatisfy { !$0 || $1 } && more.count { $0 } > first.count { $0 })
        host.close()
        let next = try scene.host(.durable(store))
        #expect(tried(next) == more)
        #expect(try rollback(next).get().canary == nil)
        #expect(tried(next).allSatisfy { !$0 })
        _ = try promote(next, hashes[0], percent: 10).get()
        #expect(try promote(next, hashes[0]).get().canary == nil)
        #expect(tried(next).allSatisfy { $0 })
        #expect(try store.view.audit(newest: 50, of: "chat").count { $0.action == "canary" } == 3)
        next.close()
    }

    @Test("The audit says which version was tried no longer, who has ended that, and why", arguments: [true, false])
    func canaryEnds(_ isDurable: Bool) throws {
        let scene = try Scene()
        let host = try scene.host(isDurable ? .durable(try scene.store()) : .memory)
        defer { host.close() }
        let hashes = try three(scene, host)
        _ = try promote(host, hashes[0], percent: 25).get()
        _ = try promote(host, hashes[0], percent: 50).get()
        _ = try promote(host, hashes[1], percent: 10).get()
        _ = try rollback(host).get()
        _ = try promote(host, hashes[0], percent: 5).get()
        _ = try promote(host, hashes[0]).get()
        let entries = try host.audit(newest: 50, of: "chat").filter { $0.action.hasPrefix("canary") }.reversed()
        #expect(
            entries.map { "\($0.action) \($0.subject)" } == [
                "canary draft \(hashes[0]) 25%", "canary draft \(hashes[0]) 50%", "canary_end draft \(hashes[0]) 50%",
                "canary draft \(hashes[1]) 10%", "canary_end draft \(hashes[1]) 10%", "canary draft \(hashes[0]) 5%",
                "canary_end draft \(hashes[0]) 5%",
            ])
        #expect(entries.allSatisfy { $0.deed.who == "mina" && !$0.deed.why.isEmpty })
        #expect(try host.audit(newest: 50, of: "chat").allSatisfy { !$0.subject.hasSuffix("none") && $0.action != "rollback" })
    }

    @Test("A fault of the folder stays told when a version is brought into force beside it, also when it is there already")
    func promotedBesideAFault() throws {
        let scene = try Scene()
        let store = try scene.store()
        let host = try scene.host(.durable(store))
        let hashes = try three(scene, host)
        try scene.write("chat", "rule \"R\" {")
        while host.known["chat"]?.status != .stale { usleep(2_000) }
        for hash in [hashes[2], hashes[0]] {
            #expect(try promote(host, hash).get().ruleset == hash)
            #expect(host.known["chat"]?.status == .stale && host.known["chat"]?.faults.map(\.code) == ["lua_syntax"])
        }
        #expect(try store.view.audit(newest: 50, of: "chat").allSatisfy { $0.action != "refuse" })
        host.close()
        let next = try scene.host(.durable(store))
        defer { next.close() }
        #expect(next.ask("chat", Scene.body(id: "m")).label("b") == "v1")
        #expect(next.known["chat"]?.faults.map(\.code) == ["lua_syntax"])
        try Self.write("v4", scene)
        Self.wait(next, "v4")
    }

    @Test("A version that was taken back and is promoted again is in force without a fault")
    func promotedAgain() throws {
        let scene = try Scene()
        let host = try scene.host(.durable(try scene.store()))
        defer { host.close() }
        let hashes = try three(scene, host)
        #expect(try rollback(host).get().faults.map(\.code) == ["rolled_back"])
        let info = try promote(host, hashes[2]).get()
        #expect(info.status == .ok && info.faults.isEmpty)
    }

    @Test("State that is changed by hand counts for the next message, and stands in the audit", arguments: [true, false])
    func byHand(_ isDurable: Bool) throws {
        let scene = try Scene()
        try scene.write("chat")
        let host = try scene.host(isDurable ? .durable(try scene.store()) : .memory)
        let waiting = Waiting()
        host.decide((0..<500).map { DecideRequest(app: "chat", body: Scene.body(id: "m-\($0)"), tag: UInt64($0)) }, to: waiting)
        let done = Monitor<AppState?>(nil)
        host.edit(app: "chat", recipient: "u-1", Self.mina, action: "badge_set", subject: "u-1") { state, shared in
            state.badge = 10_000
            shared["all"] = StoredValue(json: Array("7".utf8))
        } _: { result in
            done.change { $0 = try? result.get() }
        }
        host.decide((500..<600).map { DecideRequest(app: "chat", body: Scene.body(id: "m-\($0)"), tag: UInt64($0)) }, to: waiting)
        #expect(done.wait { $0 }.recipients["u-1"]?.badge == 10_000)
        let badges = waiting.all(600).map(\.badge)
        // Somewhere between two messages.
        let place = badges.firstIndex { ($0 ?? 0) > 10_000 } ?? 0
        #expect(badges[place...].map { $0 } == (0..<600 - place).map { 10_001 + $0 })
        #expect(host.ask("chat", Scene.body(id: "last")).label("all") == "7")
        let seen = Monitor<AppState?>(nil)
        host.state(app: "chat", recipient: "u-1") { result in seen.change { $0 = try? result.get() } }
        #expect(seen.wait { $0 }.recipients["u-1"]?.badge == badges.last.map { ($0 ?? 0) + 1 })
        #expect(try host.audit(newest: 5, of: "chat").contains { $0.action == "badge_set" && $0.deed.who == "mina" })
        host.close()
    }
}

/// What happened last: of which kind, the first fault, the status.
private final class Heard: HostListening {
    private let words = Monitor<[String]>([])
    var all: [String] { words.withLock { $0 } }
    var last: String { all.last ?? "" }

    func heard(_ event: HostEvent) {
        let kind =
            switch event.kind {
            case .fault: "fault"
            case .draftFault: "draft_fault"
            case .reload: "reload"
            case .state: "state"
            default: "other"
            }
        words.withLock { $0.append("\(kind) \(event.info?.faults.first?.code ?? "-") \(event.info?.status.rawValue ?? "-")") }
    }
}
