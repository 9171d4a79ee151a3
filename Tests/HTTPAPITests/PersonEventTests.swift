// What happens to a person besides messages, and what can still be known of an app whose folder is gone.
import Foundation
import HTTPClient
import RuleHosting
import Testing

@testable import HTTPAPI

struct PersonEventTests {
    private static let path = "/v1/apps/chat/recipients/u-1/events"
    private static let rules = """
        rule "Login" {
          on = "account",
          decide = function(msg, device, event)
            return { labels = { who = device.recipient, op = event.op, count = tostring(state.incr("logins")) } }
          end,
        }
        """
    private static let login = #"{"event":{"name":"account","op":"login","account":"u-1"}}"#

    @Test("An event of a person is decided for the recipient of the path, and what it changes is kept", arguments: [false, true])
    func decided(isDurable: Bool) throws {
        let scene = try Scene(isDurable: isDurable)
        try scene.write("chat", Self.rules)
        let client = try scene.client()
        let answer = try client.post(Self.path, Self.login)
        #expect(try answer.status == 200 && answer.member("event") == "account" && answer.member("recipient") == "u-1", "\(answer.text)")
        #expect(try answer.member("labels", "op") == "login" && answer.member("labels", "who") == "u-1")
        #expect(try client.ask("GET", "/v1/apps/chat/recipients/u-1/state").text == #"{"logins":1}"#)
        let more = #"{"event":{"name":"account","op":"login","account":"u-1"},"device":{"state":"foreground"}}"#
        #expect(try client.post("/v1/apps/chat/recipients/a%2Fb/events", more).member("labels", "who") == "a/b")
        let dry = try client.post(Self.path + "?dry_run=1", Self.login)
        #expect(try dry.member("labels", "count") == "2")
        #expect(try client.ask("GET", "/v1/apps/chat/recipients/u-1/state").text == #"{"logins":1}"#)
    }

    @Test(
        "An event that is none, or one of a message, is told with what is meant",
        arguments: [
            (#"{"event":"login"}"#, "there is no event \"login\"", #"it is an event "account": {"name": "account", "op": "login"}"#),
            (#"{"event":"setings"}"#, "there is no event \"setings\"", #"did you mean "settings"?"#),
            (#"{"event":"present"}"#, "the event \"present\" is one of a message, and the request has no `message`", nil),
        ] as [(String, String, String?)])
    func refused(body: String, detail: String, hint: String?) throws {
        let scene = try Scene()
        let answer = try scene.client().post(Self.path, body)
        #expect(try answer.status == 400 && answer.member("detail") == detail, "\(answer.text)")
        #expect(try hint == nil || answer.member("hint") == hint, "\(answer.text)")
    }

    @Test("How often a message has been looked at is a whole number however it is written", arguments: [("2.0", 200), ("2.5", 400)])
    func attempts(written: String, status: Int) throws {
        let scene = try Scene()
        let body = #"{"event":{"name":"due","deferred_id":"m","attempt":\#(written)},"message":{"aps":{"alert":"x"}}}"#
        let answer = try scene.client().post("/v1/apps/chat/decide", body)
        #expect(answer.status == status, "\(answer.text)")
    }

    @Test("An event that is repeated with its key is answered as before, and counts once")
    func repeated() throws {
        let scene = try Scene(isDurable: true)
        try scene.write("chat", Self.rules)
        let client = try scene.client()
        let first = try client.post(Self.path, Self.login, "Idempotency-Key: k-1\r\n")
        let second = try client.post(Self.path, Self.login, "Idempotency-Key: k-1\r\n")
        #expect(first.body == second.body && first.status == 200)
        #expect(try client.ask("GET", "/v1/apps/chat/recipients/u-1/state").text == #"{"logins":1}"#)
        let other = try client.post("/v1/apps/chat/recipients/u-2/events", Self.login, "Idempotency-Key: k-1\r\n")
        #expect(try other.status == 422 && other.member("code") == "idempotency_mismatch")
    }

    @Test("Switches that a settings event names are those of the person")
    func settings() throws {
        let scene = try Scene()
        let client = try scene.client()
        let answer = try client.post(Self.path, #"{"event":{"name":"settings","changed":{"app_push":false}},"device":{}}"#)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(try client.ask("GET", "/v1/apps/chat/recipients/u-1/settings").text == #"{"app_push":false}"#)
    }

    @Test(
        "Whatever the body says of a device, it is the recipient of the path whom the event is about",
        arguments: [
            #""device":null"#, #""device":{"recipient":null}"#, #""device":{"recipient":"u-1"}"#,
            #""device":{"recipient":"u-2"},"device":null"#, #""device":{"recipient":"u-2"},"device":{}"#,
            #""device":{"recipient":"u-2"},"d\u0065vice":{"recipient":null}"#, #""d\u0065vice":{"recipient":"u-2"},"device":null"#,
            #""device":{"recipient":"u-2","recipient":null}"#, #""device":{"recipient":"u-2","r\u0065cipient":"u-1"}"#,
            #""device":{"recipient":null,"state":"foreground"}"#,
        ])
    func recipients(member: String) throws {
        let scene = try Scene()
        try scene.write("chat", Self.rules)
        let client = try scene.client()
        let login = Self.login.dropLast()
        for body in ["\(login),\(member)}", "{\(member),\(login.dropFirst())}", "\u{feff} \(login), \(member) } \n"] {
            let answer = try client.post(Self.path, body)
            #expect(try answer.status == 200 && answer.member("recipient") == "u-1", "\(answer.text)")
            #expect(try answer.member("labels", "who") == "u-1")
        }
        #expect(try client.ask("GET", "/v1/apps/chat/recipients/u-1/state").text == #"{"logins":3}"#)
    }

    @Test(
        "A recipient who only looks like that of the path is another one",
        arguments: [
            (#""device":{"recipient":"\u00e9"}"#, 422), (#""device":{"recipient":"e\u0301"}"#, 200),
            (#""device":{"recipient":"e\u0301"},"device":{"recipient":"\u00e9"}"#, 422), (#""device":{"recipient":""}"#, 422),
        ])
    func alike(member: String, status: Int) throws {
        let scene = try Scene()
        let answer = try scene.client().post("/v1/apps/chat/recipients/e%CC%81/events", #"{"event":"resume",\#(member)}"#)
        #expect(try answer.status == status && (status == 200 || answer.member("pointer") == "/device/recipient"), "\(answer.text)")
    }

    @Test(
        "What is no event of that person is refused, and says where",
        arguments: [
            (#"{"event":"resume","device":{"recipient":"u-2"}}"#, "request_invalid", "/device/recipient"),
            (#"{"event":"resume","device":{"recipient":3}}"#, "request_invalid", "/device/recipient"),
            (#"{"device":{}}"#, "request_invalid", ""), (#"{"event":null}"#, "request_invalid", ""), ("[]", "request_invalid", ""),
            (#"{"event":"login"}"#, "event_invalid", "/event"), (#"{"event":"resume","device":[]}"#, "device_invalid", "/device"),
            (#"{"event":"resume""#, "json_unfinished", ""), (#"{"evnt":"resume"}"#, "request_invalid", "/evnt"),
            (#"{"event":"resume","devise":{"state":"foreground"}}"#, "request_invalid", "/devise"),
            (#"{"event":"token","token":"t","a/b":null}"#, "request_invalid", "/token"),
        ])
    func refused(body: String, code: String, pointer: String) throws {
        let scene = try Scene()
        let answer = try scene.client().post(Self.path, body)
        #expect(try answer.member("code") == code && answer.member("pointer") == pointer, "\(answer.text)")
        #expect(answer.status == (pointer == "/device/recipient" ? 422 : 400))
    }

    @Test("A key that stands beside the event is told with what is meant")
    func misspelt() throws {
        let scene = try Scene()
        let client = try scene.client()
        let device = try client.post(Self.path, #"{"event":"resume","devise":{}}"#)
        #expect(try device.member("detail") == "the body has no key `devise`" && device.member("hint") == "did you mean `device`?")
        let token = try client.post(Self.path, #"{"event":"token","token":"t"}"#)
        #expect(try token.member("hint")?.contains(#"{"event": {"name": "account""#) == true, "\(token.text)")
    }

    @Test(
        "What is asked about an app that is not there is answered with that",
        arguments: ["versions", "deferred", "events", "recipients/u-1/state", "recipients/u-1/badge"])
    func unknown(route: String) throws {
        let scene = try Scene()
        let client = try scene.client()
        for app in ["nope", "No-Name", "_shared"] {
            let answer = try client.ask("GET", "/v1/apps/\(app)/\(route)")
            #expect(try answer.status == 404 && answer.member("code") == "app_unknown", "\(answer.text)")
        }
        #expect(try client.post("/v1/apps/nope/recipients/u-1/events", Self.login).member("code") == "app_unknown")
    }

    @Test("An app whose folder is gone can be looked at, and what it remembers be forgotten, as long as its versions are kept")
    func gone() throws {
        let scene = try Scene(isDurable: true)
        let client = try scene.client()
        _ = try client.post("/v1/apps/chat/decide", Scene.body(id: "m-1"))
        try FileManager.default.removeItem(atPath: "\(scene.folder)/rules/chat")
        #expect(try client.ask("GET", "/v1/apps/chat/versions").text.contains("\"hash\""))
        #expect(try client.ask("GET", "/v1/apps/chat/deferred").text == #"{"deferred":[]}"#)
        let state = "/v1/apps/chat/recipients/u-1/state"
        #expect(try client.ask("GET", state).text == #"{"count":1}"#)
        #expect(try client.ask("DELETE", state).text == "{}")
        #expect(try client.ask("GET", "/v1/apps/shop/versions").text == #"{"versions":[]}"#, "one that nobody has asked")
    }

    @Test("All that an app whose folder is gone remembers can be looked at and forgotten, also by a host that has just begun")
    func goneAsWhole() throws {
        let scene = try Scene(isDurable: true)
        let client = try scene.client()
        for person in ["u-1", "u-2", "u-3"] { _ = try client.post("/v1/apps/chat/decide", Scene.body(person, id: "m-1")) }
        #expect(try client.put("/v1/apps/chat/state/limit", "3").status == 200)
        try FileManager.default.removeItem(atPath: "\(scene.folder)/rules/chat")
        try eventually { scene.host.known["chat"] == nil }
        #expect(try client.ask("GET", "/v1/apps/chat/recipients/u-1").member("recipients", "u-1", "values", "count") == "1")
        #expect(try client.ask("GET", "/v1/apps/chat/state").text == #"{"limit":3}"#)
        let whole = try client.ask("GET", "/v1/apps/chat/export")
        #expect(try whole.member("recipients", "u-3", "values", "count") == "1" && whole.member("app", "limit") == "3", "\(whole.text)")
        #expect(try client.ask("DELETE", "/v1/apps/chat/recipients/u-1").status == 200)
        #expect(try client.ask("DELETE", "/v1/apps/chat/recipients/u-2/state/count").status == 200)
        #expect(try client.ask("DELETE", "/v1/apps/chat/state/limit").status == 200)
        let rest = try client.ask("GET", "/v1/apps/chat/export")
        #expect(!rest.text.contains("u-1") && !rest.text.contains("limit") && rest.text.contains("u-3"), "\(rest.text)")
        #expect(try client.post("/v1/apps/chat/reset", "").status == 200)
        #expect(try !client.ask("GET", "/v1/apps/chat/export").text.contains("u-"))
        for path in ["export", "state", "recipients/u-1"] {
            #expect(try client.ask("GET", "/v1/apps/nope/\(path)").member("code") == "app_unknown")
        }
        #expect(try client.post("/v1/apps/nope/reset", "").member("code") == "app_unknown")
        #expect(try client.post("/v1/apps/nope/import", "{}").member("code") == "app_unknown")
    }
}
