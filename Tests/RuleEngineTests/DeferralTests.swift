// What is kept of a message that is held back, and that it is enough.
import JSONDocument
import PushMessage
import Testing

@testable import RuleEngine

@Suite struct DeferralTests {
    private let rules =
        #"rule "R" { on = "send", when = function(msg, device, event) return event.name ~= "due" end, decide = defer("1h", "later") }"#
    private let due = #"{"name":"due","deferred_id":"m-1"}"#

    private func text(_ bytes: [UInt8]?) -> String { bytes.map { String(decoding: $0, as: UTF8.self) } ?? "" }

    @Test("Digits, texts and the format of a message are the same when it is due")
    func message() throws {
        var scene = Scene(
            rules: rules, message: #"{ "message_id": "m-1", "aps": {"alert": "é\u00e9 😀"}, "big": 12345678901234567890, "half": 1.50 }"#,
            event: #""send""#)
        let kept = try #require(try scene.answer().state.one.deferred.first)
        #expect(text(kept.message) == #"{"message_id":"m-1","aps":{"alert":"éé 😀"},"big":12345678901234567890,"half":1.50}"#)
        #expect(kept.format == .apns)
        scene.state = try scene.answer().state
        scene.message = nil
        scene.event = due
        scene.rules +=
            #" rule "D" { on = "due", decide = function(msg) return { title = msg.body, labels = { format = msg.format } } end }"#
        let decision = try scene.answer().decision
        #expect(decision.content.title == "éé 😀" && decision.labels.first?.value == "apns")
    }

    @Test("Of the phone only what stays true for a while is kept, and only what was said")
    func device() throws {
        let device =
            #"{"recipient":"u-1","state":"foreground","screen":{"tab":"a"},"badge":3,"locale":"ko-KR","app_push":true,"timezone":"Asia/Seoul"}"#
        let kept = try #require(try Scene(rules: rules, device: device, event: #""send""#).answer().state.one.deferred.first)
        #expect(text(kept.device) == #"{"recipient":"u-1","locale":"ko-KR","app_push":true,"timezone":"Asia/Seoul"}"#)
        let bare = try Scene(rules: rules, event: #""send""#).answer().state.one.deferred.first
        #expect(text(bare?.device) == #"{"recipient":"u-1"}"#)
    }

    @Test("A message with a long id is held back, found and let go by it, whoever gives the id or its digest")
    func longID() throws {
        let id = String(repeating: "x", count: 60_000)
        var scene = Scene(rules: rules, message: #"{"message_id":"\#(id)","aps":{"alert":"x"}}"#, event: #""send""#)
        let first = try scene.answer()
        let kept = try #require(first.state.one.deferred.first)
        #expect(kept.id.utf8.count == 71)
        (scene.message, scene.state) = (nil, first.state)
        for name in [id, kept.id] {
            scene.event = #"{"name":"due","deferred_id":"\#(name)"}"#
            let answer = try scene.answer()
            #expect(answer.decision.display?.action == .show && answer.state.one.deferred.isEmpty)
        }
    }

    @Test("What was not said then does not hide the stored switch when it is due")
    func storedSwitch() throws {
        var scene = Scene(rules: rules, device: #"{"recipient":"u-1"}"#, event: #""send""#)
        scene.state = try scene.answer().state
        scene.state.one.appPush = false
        (scene.message, scene.event) = (nil, due)
        #expect(try scene.answer().decision.display?.rule == "guard:app_switch")
    }

    @Test("The payload goes out when it is due")
    func payload() throws {
        var scene = Scene(rules: rules, event: #""send""#, options: EvaluationOptions(payload: .shown))
        let first = try scene.answer()
        #expect(first.decision.payload == nil)
        (scene.message, scene.event, scene.state) = (nil, due, first.state)
        #expect(text(try scene.answer().decision.payload).contains("Hello"))
    }

    @Test("Two messages without an id and with the same text wait each for itself")
    func sameText() throws {
        var scene = Scene(rules: rules, message: #"{"aps":{"alert":"x"}}"#, event: #""send""#)
        scene.state = try scene.answer().state
        scene.now = Instant(milliseconds: scene.now.milliseconds + 60_000)
        let waiting = try scene.answer().state.one.deferred
        #expect(waiting.count == 2 && waiting[0].id != waiting[1].id)
        #expect(waiting.allSatisfy { $0.id.hasPrefix("hash:") })
    }

    @Test("A rule that fails when it is due leaves the message to the others")
    func failing() throws {
        var scene = Scene(rules: rules + #" rule "F" { on = "due", decide = function() error("no") end }"#, event: #""send""#)
        scene.state = try scene.answer().state
        (scene.message, scene.event) = (nil, due)
        let answer = try scene.answer()
        #expect(answer.decision.errors.count == 1 && answer.decision.display?.action == .show && answer.state.one.deferred.isEmpty)
    }

    @Test("What fails at resume in a message that waited is told by the decision that hands it over")
    func failingAtResume() throws {
        var scene = Scene(
            rules: #"rule "R" { on = "send", decide = defer(nil, "x") } rule "F" { on = "due", decide = function() error("no") end }"#,
            event: #""send""#)
        let first = try scene.answer()
        #expect(first.decision.display?.until == .resume)
        (scene.message, scene.event, scene.state) = (nil, #""resume""#, first.state)
        let answer = try scene.answer()
        #expect(answer.decision.errors.map(\.rule) == ["F"])
        #expect(answer.decision.deferred.map(\.display?.action) == [.show])
    }

    @Test("What somebody has spoilt is told once and thrown away")
    func spoilt() throws {
        var state = AppState()
        state.one.deferred = [
            DeferredMessage(id: "m-1", event: .send, message: Array("no json".utf8), format: nil, device: Array("{}".utf8), until: .resume)
        ]
        let answer = try Scene(rules: rules, message: nil, event: due, state: state).answer()
        #expect(answer.decision.warnings.map(\.code) == [.notDeferred] && answer.state.one.deferred.isEmpty)
    }

    @Test("A later event that decides what the person sees ends the waiting")
    func journeyGoesOn() throws {
        let rules = #"rule "E" { on = "enrich", decide = defer("1h", "later") } rule "P" { on = "present", decide = suppress "seen" }"#
        var scene = Scene(rules: rules, event: #""enrich""#)
        scene.state = try scene.answer().state
        #expect(scene.state.one.deferred.count == 1)
        scene.event = #""present""#
        #expect(try scene.answer().state.one.deferred.isEmpty)
    }

    @Test("The wall time was promised: where the rules of a zone change, the instant moves")
    func promised() throws {
        let at = Instant("2026-01-02T06:00:00Z")!
        func kept(_ until: Until) -> DeferredMessage {
            DeferredMessage(id: "m", event: .send, message: [], format: nil, device: [], until: until)
        }
        #expect(kept(.at(at, local: "2026-01-02 08:00", zone: "Europe/Berlin")).dueAt == Instant("2026-01-02T07:00:00Z"))
        #expect(kept(.at(at, local: "2026-01-02 07:00", zone: "Europe/Berlin")).dueAt == at)
        #expect(kept(.at(at, local: "2026-01-02 07:00", zone: "No/Where")).dueAt == at)
        #expect(kept(.resume).dueAt == nil)
        // The second of two equal hours is not taken for the first.
        let second = Instant("2026-10-25T01:10:00Z")!
        #expect(kept(.at(second, local: "2026-10-25 02:10", zone: "Europe/Berlin")).dueAt == second)
    }
}
