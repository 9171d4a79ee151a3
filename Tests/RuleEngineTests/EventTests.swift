// Reading an event: a name, or an object with a name.
import JSONDocument
import PushMessage
import Testing

@testable import RuleEngine

@Suite struct EventTests {
    private func read(_ text: String) throws -> Event {
        let document = JSONDocument()
        try document.read(text)
        return try Event.read(try #require(document.root))
    }

    @Test("Every event can be named", arguments: EventName.allCases)
    func names(name: EventName) throws {
        #expect(try read("\"\(name.rawValue)\"").name == name)
        #expect(try read("{\"name\":\"\(name.rawValue)\"}").name == name)
        #expect(EventName.allCases[name.place] == name)
        #expect("\(name.name)" == name.rawValue)
    }

    @Test("A tap on an action carries its name to the rules, unless the event itself has details")
    func action() throws {
        var scene = Scene(
            rules:
                #"rule "R" { on = "open", decide = function(msg, device, event) return route { tab = "x", path = { event.name, tostring(event.action) } } end }"#
        )
        scene.event = #""open""#
        #expect(try scene.answer().decision.route?.path == ["open", "nil"])
        scene.device = #"{"recipient":"u-1","state":"background","action":"reply"}"#
        #expect(try scene.answer().decision.route?.path == ["open", "reply"])
        #expect(try scene.journey().last { $0.event == .open }?.route?.path == ["open", "reply"])
        scene.event = #"{"name":"open","action":"archive"}"#
        #expect(try scene.answer().decision.route?.path == ["open", "archive"])
    }

    @Test(
        "Anything else is an error with its path",
        arguments: [(#""presnt""#, ""), ("7", ""), ("[]", ""), ("{}", "name"), (#"{"name":7}"#, "name"), (#"{"name":"x"}"#, "name")])
    func wrong(text: String, path: String) {
        let fault = #expect(throws: RequestFault.self) { _ = try read(text) }
        #expect(fault?.path == path)
        #expect(fault?.code == .eventInvalid)
    }

    @Test("What this version does not do for an event is said in its decision", arguments: EventName.allCases)
    func answered(name: EventName) throws {
        let decision = try Scene(event: "\"\(name.rawValue)\"").answer().decision
        let isAnswered = ![.token, .account, .settings, .due].contains(name)
        #expect(decision.warnings.map(\.code) == (isAnswered ? [] : [.eventNotAnswered]))
    }

    @Test("A deferral says that nobody keeps the message, and until when it is")
    func deferred() throws {
        let rules = #"rule "R" { on = "present", decide = defer("08:00", "later") }"#
        let warnings = try Scene(rules: rules, app: #"return { api = 1, timezone = "UTC" }"#).answer().decision.warnings
        #expect(warnings.map(\.code) == [.deferralNotKept])
        #expect(warnings.first?.message.contains("does not keep deferred messages") == true)
        #expect(warnings.first?.message.contains("2026-01-02 08:00") == true)
    }
}
