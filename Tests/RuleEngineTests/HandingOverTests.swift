// Routes and values that wait until the app's screens are ready.
import PushMessage
import Testing

@testable import RuleEngine

@Suite struct HandingOverTests {
    private static let toRoom =
        #"rule "R" { on = "open", decide = function(msg) return route { tab = "chat", path = { msg.data.chat_id } } end }"#

    private func open(_ state: String, rules: String = toRoom, before: AppState = AppState()) throws -> Scene.Answer {
        try Scene(
            rules: rules, device: #"{"recipient":"u-1","state":"\#(state)"}"#, event: #""open""#, state: before
        ).answer()
    }

    private func resume(_ state: AppState, rules: String = "") throws -> Scene.Answer {
        var scene = Scene(rules: rules, message: nil, event: #""resume""#, state: state)
        scene.options.tracesRules = true
        return try scene.answer()
    }

    @Test("A tap on a running app leads there at once", arguments: ["foreground", "inactive", "background"])
    func running(state: String) throws {
        let answer = try open(state)
        #expect(answer.decision.route?.tab == "chat" && answer.decision.route?.path == ["r-1"])
        #expect(answer.decision.route?.isPending == false)
        #expect(answer.effects.isEmpty)
    }

    @Test("A tap that starts the app waits for resume and is given exactly once", arguments: ["terminated", "force_quit", "not_running"])
    func coldStart(state: String) throws {
        let tapped = try open(state)
        #expect(tapped.decision.route?.isPending == true)
        #expect(tapped.json.contains(#""route":{"tab":"chat","path":["r-1"],"pending":true,"reason":"the rule leads there","rule":"R"}"#))
        let ready = try resume(tapped.state)
        #expect(ready.decision.route?.path == ["r-1"] && ready.decision.route?.isPending == false)
        #expect(ready.decision.route?.rule == "R")
        #expect(ready.decision.route?.reason == "kept since the tap, until the app was ready")
        #expect(ready.state.one.pendingRoutes.isEmpty)
        #expect(try resume(ready.state).decision.route == nil)
    }

    @Test("Of several taps the newest is given; the trace names those that are dropped")
    func newest() throws {
        var scene = Scene(
            rules: HandingOverTests.toRoom, device: #"{"recipient":"u-1","state":"terminated"}"#, event: #""open""#)
        scene.state = try scene.answer().state
        scene.message = #"{"message_id":"m-2","aps":{"alert":"x"},"chat_id":"r-2"}"#
        let ready = try resume(try scene.answer().state)
        #expect(ready.decision.route?.path == ["r-2"])
        #expect(ready.decision.trace?.notes == ["an older route that waited is dropped: tab chat, path r-1"])
        #expect(ready.state.one.pendingRoutes.isEmpty)
    }

    @Test("A rule on resume may lead elsewhere, or nowhere; what waited is gone either way")
    func ruleOnResume() throws {
        let waiting = try open("terminated").state
        let elsewhere = try resume(waiting, rules: #"rule "S" { on = "resume", decide = route "shop://x" }"#)
        #expect(elsewhere.decision.route?.url == "shop://x" && elsewhere.state.one.pendingRoutes.isEmpty)
        let nowhere = try resume(waiting, rules: #"rule "S" { on = "resume", decide = { route = false } }"#)
        #expect(nowhere.decision.route == nil && nowhere.state.one.pendingRoutes.isEmpty)
    }

    @Test("A launch that is not a tap leads nowhere")
    func silentLaunch() throws {
        let answer = try Scene(
            rules: HandingOverTests.toRoom, message: #"{"message_id":"m","aps":{"content-available":1},"chat_id":"r-1"}"#,
            device: #"{"recipient":"u-1","state":"terminated"}"#, event: #""receive""#
        ).answer()
        #expect(answer.decision.route == nil)
        #expect(try resume(answer.state).decision.route == nil)
    }

    @Test("Kept values are handed over in order, once")
    func inbox() throws {
        var scene = Scene(
            rules: #"rule "K" { on = "receive", decide = function(msg) return { inbox = msg.data } end }"#,
            message: #"{"message_id":"m-1","aps":{"content-available":1},"n":1}"#,
            device: #"{"recipient":"u-1","state":"background"}"#, event: #""receive""#)
        let first = try scene.answer()
        #expect(first.decision.inbox.map { String(decoding: $0, as: UTF8.self) } == #"{"message_id":"m-1","n":1}"#)
        scene.state = first.state
        scene.message = #"{"message_id":"m-2","aps":{"content-available":1},"n":[2]}"#
        let ready = try resume(try scene.answer().state)
        #expect(
            ready.decision.inbox.map { String(decoding: $0, as: UTF8.self) }
                == #"[{"message_id":"m-1","n":1},{"message_id":"m-2","n":[2]}]"#)
        #expect(ready.state.one.inbox.isEmpty)
        #expect(try resume(ready.state).decision.inbox == nil)
    }

    @Test("A whole message can be kept, digits and all")
    func wholeMessage() throws {
        let answer = try Scene(
            rules: #"rule "K" { on = "receive", decide = function(msg) return { inbox = { whole = msg.raw } } end }"#,
            message: #"{"aps":{"content-available":1},"big":12345678901234567890,"half":1.50}"#, event: #""receive""#
        ).answer()
        #expect(
            answer.decision.inbox.map { String(decoding: $0, as: UTF8.self) }
                == #"{"whole":{"aps":{"content-available":1},"big":12345678901234567890,"half":1.50}}"#)
    }

    @Test("A state that somebody has spoilt hands over what can be read")
    func spoilt() throws {
        var state = AppState()
        state.one.pendingRoutes = [Array(#"{"tab":"home"}"#.utf8), Array("not json".utf8), Array("[]".utf8)]
        let ready = try resume(state)
        #expect(ready.decision.route?.tab == "home")
        #expect(ready.state.one.pendingRoutes.isEmpty)
    }
}
