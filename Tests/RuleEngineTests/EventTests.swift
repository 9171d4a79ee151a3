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

    @Test("An event that needs details and has none says so", arguments: EventName.allCases)
    func answered(name: EventName) throws {
        let decision = try Scene(message: name == .due ? nil : Scene.alert, event: "\"\(name.rawValue)\"").answer().decision
        #expect(decision.warnings.map(\.code) == (name.needsDetails ? [.eventNotAnswered] : []))
    }

    @Test(
        "Details that mean nothing are an error with their path",
        arguments: [
            (#"{"name":"account","op":"logon"}"#, "op", "login"), (#"{"name":"account","account":"u"}"#, "op", "login"),
            (#"{"name":"account","op":"login","account":7}"#, "account", "quotes"),
            (#"{"name":"token","kind":"apn","value":"x"}"#, "kind", "apns"), (#"{"name":"token","kind":"fcm"}"#, "value", "token"),
            (#"{"name":"settings","changed":{"channel":{}}}"#, "changed.channel", "channels"),
            (#"{"name":"settings","changed":{"channels":{"a":"off"}}}"#, "changed.channels.a", "true or false"),
            (#"{"name":"settings","changed":{"channels":[]}}"#, "changed.channels", "promo"),
            (#"{"name":"settings","changed":{"app_push":1}}"#, "changed.app_push", "true or false"),
            (#"{"name":"settings","changed":true}"#, "changed", "app_push"),
            (#"{"name":"settings","reset":"yes"}"#, "reset", "true or false"),
            (#"{"name":"settings","changed":{}}"#, "", "changed"), (#"{"name":"due","deferred_id":1}"#, "deferred_id", "quotes"),
        ])
    func wrongDetails(text: String, path: String, hint: String) {
        let fault = #expect(throws: RequestFault.self) { _ = try read(text) }
        #expect(fault?.path == path)
        #expect(fault?.hint?.contains(hint) == true)
    }

    @Test("An attempt counts from one")
    func attempt() {
        let fault = #expect(throws: RequestFault.self) { _ = try read(#"{"name":"due","deferred_id":"m","attempt":0}"#) }
        #expect(fault?.path == "attempt")
    }
}
