// Drafts that are tried before they are saved.
import EffectStore
import Foundation
import RuleEngine
import Testing

@testable import RuleHosting

struct TryTests {
    private func tryOut(_ host: RuleHost, _ app: String, _ files: [DraftFile], _ options: DecideOptions = DecideOptions()) -> HostAnswer {
        let done = Monitor<HostAnswer?>(nil)
        host.tryOut(app: app, files: files, body: Scene.body(id: "m-1"), options: options) { answer in done.change { $0 = answer } }
        return done.wait { $0 }
    }

    private static func draft(_ text: String, _ path: String = "rules.lua") -> DraftFile { DraftFile(path: path, bytes: Array(text.utf8)) }

    @Test("A draft decides on what is remembered, and changes nothing", arguments: [HostSettings.Isolation.thread, .process])
    func draft(_ isolation: HostSettings.Isolation) throws {
        let scene = try Scene()
        try scene.write("chat")
        let host = try scene.host(.memory, isolation)
        for number in 1...3 { _ = host.ask("chat", Scene.body(id: "before-\(number)")) }
        var options = DecideOptions()
        options.trace = .rules
        for _ in 0..<2 {
            let answer = tryOut(
                host, "chat",
                [Self.draft("rule \"Draft\" { on = \"present\", decide = function() return { badge = \"+5\" } end }")], options)
            #expect(answer.status == 200 && answer.badge == 8 && answer.text.contains("\"trace\""), "\(answer.text)")
        }
        #expect(host.ask("chat", Scene.body(id: "after")).badge == 4)
        host.close()
    }

    @Test("Cases are given up when nobody wants to know what comes of them any more, and then none is begun")
    func givenUp() throws {
        let scene = try Scene()
        try scene.write("chat")
        let host = try scene.host()
        let cases = (0..<20).map {
            #"{"name": "case \#($0)", "message": {"aps": {"alert": "x"}}, "device": {"state": "foreground"}, "event": "present", "expect": {}}"#
        }
        let file = Self.draft("[\(cases.joined(separator: ","))]", "cases/a.json")
        func passed(_ mayGoOn: @escaping @Sendable () -> Bool) -> HostAnswer {
            let done = Monitor<HostAnswer?>(nil)
            host.tryOut(app: "chat", files: [file], body: nil, mayGoOn: mayGoOn) { answer in done.change { $0 = answer } }
            return done.wait { $0 }
        }
        #expect(passed { true }.text == #"{"cases":{"passed":20,"failed":0,"faults":[]}}"#)
        let asked = Monitor(0)
        let some = passed {
            var count = 0
            asked.change { asked in
                asked += 1
                count = asked
            }
            return count < 5
        }
        #expect(some.text.contains("\"given_up\":true") && !some.text.contains("\"passed\":20"), "\(some.text)")
        let none = passed { false }
        #expect(none.status == 503 && none.code == "host_closing", "\(none.text)")
        host.close()
    }

    @Test("A draft that does not load says why, and an app need not be there for its draft")
    func refused() throws {
        let scene = try Scene()
        try scene.write("chat")
        let host = try scene.host()
        let broken = tryOut(host, "chat", [Self.draft("rule {")])
        #expect(broken.status == 422 && broken.code == "lua_syntax" && broken.retryAfter == nil, "\(broken.text)")
        let without = tryOut(host, "chat", [DraftFile(path: "app.lua", bytes: nil)])
        #expect(without.status == 422 && without.code == "manifest_missing")
        let new = tryOut(
            host, "news",
            [Self.draft("return { api = 1 }", "app.lua"), Self.draft("rule \"R\" { on = \"present\", decide = { badge = 7 } }")])
        #expect(new.badge == 7)
        #expect(tryOut(host, "../etc", []).code == "app_unknown")
        host.close()
    }
}

extension RuleHost {
    /// What is there already.
    func tryOut(
        app: String, files: [DraftFile], body: [UInt8]?, options: DecideOptions = DecideOptions(),
        mayGoOn: @escaping @Sendable () -> Bool = { true }, _ done: @escaping @Sendable (HostAnswer) -> Void
    ) {
        tryOut(app: app, options: options, mayGoOn: mayGoOn, wish: { TrialWish(files: files, body: body) }, done)
    }
}
