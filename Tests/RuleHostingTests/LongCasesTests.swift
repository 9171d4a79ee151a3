// Saves whose cases take long: whoever asks meanwhile is answered by what is in force, and a save that repairs them is not kept waiting.
import Foundation
import PushMessage
import RuleEngine
import Testing

@testable import EffectStore
@testable import RuleHosting

struct LongCasesTests {
    private static func rule(_ label: String, _ decide: String = "") -> String {
        "rule \"R\" { on = \"present\", decide = function() \(decide) return { labels = { b = \"\(label)\" } } end }"
    }

    /// Each takes all the fuel that a case has: together they take long.
    private static let cases =
        "["
        + (0..<400).map {
            #"{"name": "case \#($0)", "message": {"aps": {"alert": "x"}}, "device": {"state": "foreground"}, "event": "present", "expect": {}}"#
        }.joined(separator: ",\n") + "]\n"

    private func write(_ scene: Scene, _ text: String, cases: String? = nil, of app: String = "slow") throws {
        let folder = "\(scene.rules)/\(app)/cases"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        if let cases { try cases.write(toFile: "\(folder)/all.json", atomically: true, encoding: .utf8) }
        try scene.write(app, text, manifest: "return { api = 1, guards = { duplicate = false } }")
    }

    /// Asks until it is so, for half a minute.
    private static func soon(_ isSo: () -> Bool) -> Bool {
        for _ in 0..<3_000 {
            if isSo() { return true }
            usleep(10_000)
        }
        return false
    }

    /// What the host is told of an app.
    private func info(_ host: RuleHost) -> AppInfo? {
        let told = Monitor<AppInfo??>(nil)
        host.info(of: "slow") { info in told.change { $0 = .some(info) } }
        return told.wait { $0 }
    }

    @Test(
        "While the cases of a save run the app decides, tells how it is, is tried out and edited; a save after it ends them",
        arguments: HostSettings.Isolation.allCases)
    func meanwhile(_ isolation: HostSettings.Isolation) throws {
        let scene = try Scene()
        try write(scene, Self.rule("first"))
        let host = try scene.host(.memory, isolation)
        // It is known, and no shard has asked for its rules.
        let first = info(host)?.ruleset
        #expect(first != nil)
        try write(scene, Self.rule("never", "while true do end"), cases: Self.cases)
        // The look has begun when it has been quiet for long enough; then a load comes beside it.
        usleep(300_000)
        #expect(host.ask("slow", Scene.body(id: "m-1")).label("b") == "first")
        #expect(info(host)?.ruleset == first)
        let tried = Monitor<HostAnswer?>(nil)
        host.tryOut(app: "slow", files: [DraftFile(path: "rules.lua", bytes: Array(Self.rule("draft").utf8))], body: Scene.body(id: "m-2"))
        {
            answer in tried.change { $0 = answer }
        }
        #expect(tried.wait { $0 }.label("b") == "draft")
        let edited = Monitor<Result<AppState, HostProblem>?>(nil)
        host.edit(
            app: "slow", recipient: "u-1", Deed(who: "mina", at: Scene.noon, why: ""), action: "state_set", subject: "badge",
            { (known, _) in known.badge = 7 }, { result in edited.change { $0 = result } })
        #expect(try edited.wait { $0 }.get().recipients["u-1"]?.badge == 7)
        #expect(host.ask("slow", Scene.body(id: "m-3")).label("b") == "first")
        try write(scene, Self.rule("second"), cases: "[]")
        while host.ask("slow", Scene.body(id: "m-4")).label("b") != "second" { usleep(2_000) }
        #expect(info(host)?.status == .ok)
        // The next one is ended by the host itself.
        try write(scene, Self.rule("never", "while true do end"), cases: Self.cases)
        usleep(300_000)
        host.close()
    }

    @Test("Whoever goes back while the cases of a save run goes back from what is in force, and that save does not come after him")
    func goingBack() throws {
        let scene = try Scene()
        try write(scene, Self.rule("first"))
        let host = try scene.host(.memory)
        defer { host.close() }
        while host.ask("slow", Scene.body(id: "m-1")).label("b") != "first" { usleep(2_000) }
        let first = info(host)?.ruleset
        try write(scene, Self.rule("bad"))
        while host.ask("slow", Scene.body(id: "m-2")).label("b") != "bad" { usleep(2_000) }
        try write(scene, Self.rule("long", "for i = 1, 20000 do end"), cases: Self.cases)
        usleep(300_000)
        let done = Monitor<Result<AppInfo, HostProblem>?>(nil)
        host.rollback(app: "slow", Deed(who: "mina", at: Scene.noon, why: "bad")) { result in done.change { $0 = result } }
        let after = try done.wait { $0 }.get()
        #expect(after.ruleset == first && after.status == .stale && after.faults.map(\.code) == ["rolled_back"])
        #expect(host.ask("slow", Scene.body(id: "m-3")).label("b") == "first")
        // It is a version that can be promoted, and what is saved next is wanted.
        let versions = try host.versions(of: "slow").map(\.hash)
        #expect(versions.count == 3 && versions.last == first)
        usleep(500_000)
        #expect(info(host)?.ruleset == first)
        let promoted = Monitor<Result<AppInfo, HostProblem>?>(nil)
        host.promote(app: "slow", hash: versions[0], Deed(who: "mina", at: Scene.noon, why: "")) { result in promoted.change { $0 = result }
        }
        #expect(try promoted.wait { $0 }.get().status == .ok)
        #expect(host.ask("slow", Scene.body(id: "m-4")).label("b") == "long")
        try write(scene, Self.rule("next"), cases: "[]")
        while host.ask("slow", Scene.body(id: "m-5")).label("b") != "next" { usleep(2_000) }
        #expect(info(host)?.status == .ok)
    }

    @Test("A save that cannot be kept does not come after whoever goes back either, and the app says so")
    func goingBackUnkept() throws {
        let scene = try Scene()
        let store = try scene.store()
        try write(scene, Self.rule("first"))
        let host = try scene.host(.durable(store))
        defer { host.close() }
        while host.ask("slow", Scene.body(id: "m-1")).label("b") != "first" { usleep(2_000) }
        let first = info(host)?.ruleset
        try write(scene, Self.rule("bad"))
        while host.ask("slow", Scene.body(id: "m-2")).label("b") != "bad" { usleep(2_000) }
        try write(scene, Self.rule("long", "for i = 1, 20000 do end"), cases: Self.cases)
        usleep(300_000)
        let beside = try Connection(scene.storePath, path: scene.storePath, .writing)
        try beside.run("CREATE TRIGGER refuse BEFORE INSERT ON version_file BEGIN SELECT RAISE(ABORT, 'no room'); END")
        let done = Monitor<Result<AppInfo, HostProblem>?>(nil)
        host.rollback(app: "slow", Deed(who: "mina", at: Scene.noon, why: "bad")) { result in done.change { $0 = result } }
        let after = try done.wait { $0 }.get()
        #expect(after.ruleset == first && after.faults.map(\.code) == ["rolled_back", "store_failed"], "\(after)")
        try beside.run("DROP TRIGGER refuse")
        // Longer than its cases take.
        usleep(1_500_000)
        #expect(host.ask("slow", Scene.body(id: "m-3")).label("b") == "first")
        #expect(info(host)?.ruleset == first)
        try write(scene, Self.rule("next"), cases: "[]")
        while host.ask("slow", Scene.body(id: "m-5")).label("b") != "next" { usleep(2_000) }
        #expect(info(host)?.status == .ok)
    }

    @Test("What was changed while no host ran is tried beside the version before it, when its cases take long", arguments: [nil, "live"])
    func changedMeanwhile(_ stage: String?) throws {
        let scene = try Scene()
        let store = try scene.store()
        try write(scene, Self.rule("first"))
        var host = try scene.host(.durable(store))
        while host.ask("slow", Scene.body(id: "m-1")).label("b") != "first" { usleep(2_000) }
        let first = try #require(info(host)?.ruleset)
        if let stage {
            let done = Monitor<Result<AppInfo, HostProblem>?>(nil)
            host.promote(app: "slow", hash: first, to: stage, Deed(who: "mina", at: Scene.noon, why: "")) { result in
                done.change { $0 = result }
            }
            _ = try done.wait { $0 }.get()
        }
        host.close()
        try write(scene, Self.rule("second", "for i = 1, 5000 do end"), cases: Self.cases)
        host = try scene.host(.durable(store)) {
            $0.stage = stage
            $0.casesAtStart = 0
        }
        defer { host.close() }
        #expect(host.ask("slow", Scene.body(id: "m-0")).label("b") == "first")
        #expect(info(host).map { [$0.status, $0.serving] } == [.ok, .ok])
        #expect(info(host)?.faults.isEmpty == true)
        let last = stage == nil ? "second" : "first"
        #expect(Self.soon { (try? store.view.versions(of: "slow").count) == 2 })
        #expect(Self.soon { host.ask("slow", Scene.body(id: "m-2")).label("b") == last })
        #expect(info(host)?.status == .ok)
        // A host that has no other version has to wait for them.
        let next = try Scene()
        try write(next, Self.rule("only"), cases: Self.cases)
        let waiting = try next.host(.memory) { $0.casesAtStart = 0 }
        defer { waiting.close() }
        #expect(waiting.ask("slow", Scene.body(id: "m-3")).label("b") == "only")
    }

    @Test("While the cases of several saves run, those of another app come into force", arguments: HostSettings.Isolation.allCases)
    func severalSlow(_ isolation: HostSettings.Isolation) throws {
        let scene = try Scene()
        let slow = ["slow-1", "slow-2", "slow-3"]
        for app in slow + ["quick"] { try write(scene, Self.rule("first"), of: app) }
        let host = try scene.host(.memory, isolation)
        for app in slow + ["quick"] { #expect(host.ask(app, Scene.body(id: "m")).label("b") == "first") }
        for app in slow { try write(scene, Self.rule("never", "while true do end"), cases: Self.cases, of: app) }
        usleep(500_000)
        try write(scene, Self.rule("second"), of: "quick")
        #expect(Self.soon { host.ask("quick", Scene.body(id: "m")).label("b") == "second" })
        for app in slow { #expect(host.known[app]?.status == .ok) }
        host.close()
    }

    @Test("While the cases of several apps run for the first time, another app is read and decides")
    func severalSlowAtFirst() throws {
        let scene = try Scene()
        let slow = (1...5).map { "slow-\($0)" }
        for app in slow { try write(scene, Self.rule("first", "while true do end"), cases: Self.cases, of: app) }
        try write(scene, Self.rule("first"), of: "quick")
        let host = try scene.host(.memory)
        let waiting = Waiting()
        host.decide(slow.enumerated().map { DecideRequest(app: $1, body: Scene.body(id: "m"), tag: UInt64($0)) }, to: waiting)
        usleep(500_000)
        let quick = Waiting()
        host.decide([DecideRequest(app: "quick", body: Scene.body(id: "m"))], to: quick)
        #expect(quick.answer(0, within: 30_000)?.label("b") == "first")
        #expect(slow.allSatisfy { host.known[$0] == nil })
        host.close()
    }

    @Test("A shared module without an end is the fault of those apps alone that name it")
    func sharedLoop() throws {
        let scene = try Scene()
        try FileManager.default.createDirectory(atPath: "\(scene.rules)/_shared/lib", withIntermediateDirectories: true)
        try "while true do end".write(toFile: "\(scene.rules)/_shared/lib/endless.lua", atomically: true, encoding: .utf8)
        try scene.write("good", Self.rule("good"))
        try scene.write("bad", "local endless = require \"shared.endless\"\n" + Self.rule("bad"))
        let host = try scene.host()
        #expect(host.ask("good", Scene.body(id: "m")).label("b") == "good")
        #expect(host.ask("bad", Scene.body(id: "m")).code == "budget_fuel")
        host.close()
    }

    @Test("A folder that comes while the host runs is read before anybody asks for its app")
    func newFolder() throws {
        let scene = try Scene()
        try scene.write("there", Self.rule("there"))
        let host = try scene.host()
        #expect(host.ask("there", Scene.body(id: "m")).label("b") == "there")
        try scene.write("new", Self.rule("new"))
        while host.known["new"]?.status != .ok { usleep(2_000) }
        host.close()
    }
}
