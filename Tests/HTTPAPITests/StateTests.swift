// What verbs ask of a running host: the audit, the state of a whole app, single keys, and what of it a token opens.
import Foundation
import HTTPClient
import RuleHosting
import Testing

@testable import HTTPAPI

struct StateTests {
    @Test("A key, a recipient, a state file and everything are changed, each with what has changed and a line of the audit")
    func changes() throws {
        let scene = try Scene(isDurable: true)
        let client = try scene.client()
        let person = "/v1/apps/chat/recipients/u-1"
        #expect(
            try client.put("\(person)/state/theme?dry_run=1", #""dark""#).text
                == #"{"app":"chat","dry_run":true,"changes":[{"path":"recipients[\"u-1\"].values.theme","new":"dark"}]}"#
                .replacingOccurrences(of: #"[\"u-1\"]"#, with: ".u-1"))
        #expect(try client.ask("GET", "\(person)/state").text == "{}")
        #expect(try client.put("\(person)/state/theme?why=as%20she%20asked", #""dark""#).text.contains(#""dry_run":false"#))
        #expect(try client.ask("GET", "\(person)/state").text == #"{"theme":"dark"}"#)
        _ = try client.put("/v1/apps/chat/state/limit", "3")
        #expect(try client.ask("GET", "/v1/apps/chat/state").text == #"{"limit":3}"#)
        let file = #"{"recipients": {"u-2": {"badge": 4}}}"#
        #expect(try client.post("/v1/apps/chat/import", file).text.contains(#"{"path":"recipients.u-2.badge","new":4}"#))
        let all = try client.ask("GET", "/v1/apps/chat/export")
        #expect(try all.member("recipients", "u-2", "badge") == "4" && all.member("app", "limit") == "3")
        #expect(try client.ask("GET", person).member("app") == nil, "a recipient is told without what all share")
        #expect(try client.ask("DELETE", "\(person)/state/theme").text.contains(#""old":"dark""#))
        _ = try client.ask("DELETE", "/v1/apps/chat/recipients/u-2")
        #expect(try client.ask("GET", "/v1/apps/chat/export").member("recipients", "u-2") == nil)
        _ = try client.post("/v1/apps/chat/reset", "")
        #expect(try client.ask("GET", "/v1/apps/chat/state").text == "{}")
        let audit = try client.ask("GET", "/v1/apps/chat/audit?newest=9").text
        for word in ["state_set", "state_import", "state_delete", "state_reset", "as she asked", "recipient u-1, key theme"] {
            #expect(audit.contains(word), "\(word)")
        }
        #expect(!audit.contains("dark"))
    }

    @Test("Why somebody's data was changed by hand stands in the audit, whichever part it was", arguments: RecipientPart.allCases)
    func reasons(_ part: RecipientPart) throws {
        let scene = try Scene()
        let client = try scene.client()
        let path = "/v1/apps/chat/recipients/u-1/\(part.rawValue)"
        let bodies: [RecipientPart: String] = [
            .badge: "3", .state: #"{"k":1}"#, .settings: #"{"app_push":true}"#, .topics: #"{"wanted":["a"]}"#,
        ]
        let body = try #require(bodies[part])
        #expect(try client.put(path + "?why=as%20she%20asked", body).status == 200)
        #expect(try client.ask("DELETE", path + "?why=ticket%207").status == 200)
        #expect(try client.ask("GET", path + "?why=curious").member("code") == "query_unknown")
        let audit = try client.ask("GET", "/v1/apps/chat/audit").text
        for (action, why) in [("state_set", "as she asked"), ("state_delete", "ticket 7")] {
            let entry = #""action":"\#(action)","subject":"recipient u-1, \#(part.rawValue)","why":"\#(why)""#
            #expect(audit.contains(entry), "\(audit)")
        }
    }

    @Test("A request that needs no body takes an empty object for none, and says of any other what it is")
    func bodiless() throws {
        let scene = try Scene(isDurable: true)
        let client = try scene.client()
        let person = "/v1/apps/chat/recipients/u-1"
        _ = try client.put("\(person)/state/a", "1")
        func ask(_ method: String, _ path: String, _ body: String) throws -> Client.Received {
            try client.ask(method, path, "Host: localhost\r\nContent-Length: \(body.utf8.count)\r\n", body)
        }
        for body in ["{}", " ", "null", " { }\n"] {
            #expect(try ask("DELETE", "\(person)/state/a?dry_run=1", body).status == 200, "\(body)")
            #expect(try ask("DELETE", "\(person)?dry_run=1", body).status == 200, "\(body)")
            #expect(try ask("GET", "/v1/apps/chat/export", body).status == 200, "\(body)")
        }
        for body in [#"{"recipient":"u-1"}"#, "[]", "0", "hello"] {
            let answer = try ask("DELETE", person, body)
            #expect(answer.status == 400 && answer.text.contains("this request takes no body"), "\(answer.text)")
            #expect(try ask("GET", "/v1/apps", body).status == 400)
        }
        let large = #"{"a":"\#(String(repeating: "x", count: 5_000))"}"#
        let refused = try scene.client().ask("DELETE", person, "Host: localhost\r\nContent-Length: \(large.utf8.count)\r\n", large)
        #expect(refused.status == 400 && refused.text.contains("this request takes no body"))
        #expect(try client.ask("GET", "\(person)/state").text == #"{"a":1}"#)
    }

    @Test("A recipient whom no path can name is forgotten by name", arguments: ["..", ".", "a\n", "\u{0}", "", "u-2"])
    func unpathable(_ recipient: String) throws {
        let scene = try Scene(isDurable: true)
        let client = try scene.client()
        _ = try client.put("/v1/apps/chat/recipients/other/state/a", "1")
        let text = String(decoding: try JSONSerialization.data(withJSONObject: recipient, options: .fragmentsAllowed), as: UTF8.self)
        #expect(try client.post("/v1/apps/chat/import", #"{"recipients": {\#(text): {"badge": 4}}}"#).status == 200)
        for wrong in [#"{"recipent":\#(text)}"#, #"{"recipient":4}"#, "[]", #"{"recipient":\#(text),"all":true}"#] {
            #expect(try client.post("/v1/apps/chat/reset", wrong).status == 400)
        }
        if !recipient.utf8.contains(where: { $0 < 0x20 }) {
            let seen = try client.ask("GET", "/v1/apps/chat/export?recipient=\(recipient)")
            #expect(try seen.member("recipients", recipient, "badge") == "4" && seen.member("recipients", "other") == nil)
            #expect(try client.ask("GET", "/v1/apps/chat/export?recipient=nobody").text.contains("badge") == false)
        }
        #expect(try client.post("/v1/apps/chat/reset?why=asked", #"{"recipient":\#(text)}"#).text.contains("\"old\":4"))
        #expect(try client.ask("GET", "/v1/apps/chat/export").text.contains("badge") == false)
        #expect(try client.ask("GET", "/v1/apps/chat/recipients/other/state").text == #"{"a":1}"#)
        #expect(try client.post("/v1/apps/chat/reset", "{}").text.contains("other"))
    }

    @Test("What rules would have no room beside is refused, of a person and of the app, and who holds too much may be given less")
    func quotas() throws {
        let scene = try Scene()
        let client = try scene.client()
        let person = "/v1/apps/chat/recipients/u-1"
        let text = { (count: Int) in "\"\(String(repeating: "x", count: count - 2))\"" }
        // With its key as many as there may be.
        #expect(try client.put("\(person)/state/k", text(65_535)).status == 200)
        for (path, body) in [
            ("\(person)/state/k", text(65_536)), ("\(person)/state/other", "1"), ("\(person)/state", #"{"k":\#(text(65_536))}"#),
            ("\(person)/state/other?dry_run=1", "1"),
        ] {
            let refused = try client.put(path, body)
            #expect(refused.status == 422, "\(path)")
            #expect(try refused.member("code") == "state_invalid" && refused.member("pointer") == "")
            #expect(try refused.member("detail")?.contains("and at most 65536 are kept for one recipient") == true)
        }
        #expect(try client.put("\(person)/badge", "3").status == 200)
        #expect(try client.put("\(person)/state/k", "1").status == 200)
        let keys = { (count: Int) in "{" + (0..<count).map { "\"k\($0)\":1" }.joined(separator: ",") + "}" }
        #expect(try client.put("\(person)/state", keys(1_024)).status == 200)
        #expect(
            try client.put("\(person)/state/one-more", "1").member("detail")?.contains(
                "there would be 1025 keys, and at most 1024 are kept for one recipient") == true)
        let file = #"{"app": {"a": 1}, "recipients": {"u/2": {"values": {"k": \#(text(65_536))}}}}"#
        let refused = try client.post("/v1/apps/chat/import", file)
        #expect(try refused.status == 422 && refused.member("pointer") == "/recipients/u~12/values")
        #expect(try client.ask("GET", "/v1/apps/chat/state").text == "{}", "nothing of it is kept")
        for place in 0..<3 { #expect(try client.put("/v1/apps/chat/state/k\(place)", text(349_000)).status == 200) }
        let shared = try client.put("/v1/apps/chat/state/k3", text(5_000))
        #expect(try shared.status == 422 && shared.member("detail")?.hasSuffix("and at most 1048576 are kept for an app") == true)
    }

    @Test("What is no value, no state or no key is refused with its place, and changes nothing")
    func refused() throws {
        let scene = try Scene()
        let client = try scene.client()
        #expect(try client.put("/v1/apps/chat/state/k", "null").member("code") == "request_invalid")
        #expect(try client.put("/v1/apps/chat/state/k", "{").member("code") == "json_unfinished")
        #expect(try client.put("/v1/apps/chat/state/\(String(repeating: "k", count: 129))", "1").member("code") == "request_invalid")
        #expect(try client.post("/v1/apps/chat/import", #"{"recipients": {"u": {"badge": "3"}}}"#).member("code") == "state_invalid")
        for (body, pointer) in [
            (#"{"recipients": {"u/1": {"badge": "3"}}}"#, "/recipients/u~11/badge"), (#"{"recipints": {}}"#, "/recipints"),
            (#"{"recipients": {"u": {"topics": {"wanted": ["a", 1]}}}}"#, "/recipients/u/topics/wanted/1"), ("[]", ""), ("{", ""),
        ] {
            let answer = try client.post("/v1/apps/chat/import", body)
            #expect(try answer.status == 422 && answer.member("pointer") == pointer, "\(answer.text)")
        }
        for (part, body, pointer, words) in [
            ("badge", #""three""#, "", "badge: "), ("settings", #"{"channels": {"a": 1}}"#, "/channels/a", "settings.channels.a: "),
            ("topics", #"{"wanted": [1]}"#, "/wanted/0", "topics.wanted[0]: "), ("settings", "[]", "", "settings: "),
            ("topics", #"{"wantd": []}"#, "/wantd", "topics: there is no key \"wantd\""),
        ] {
            let answer = try client.put("/v1/apps/chat/recipients/u/\(part)", body)
            #expect(try answer.status == 400 && answer.member("pointer") == pointer, "\(answer.text)")
            #expect(try answer.member("detail")?.hasPrefix(words) == true, "\(answer.text)")
        }
        // Rules could not count with it, and would fail for this person from then on.
        for (path, body, pointer) in [
            ("state/k", "1e400", ""), ("recipients/u/state/k", #"{"a": [1, -1e400]}"#, "/a/1"),
            ("recipients/u/state", #"{"k": 1e400}"#, "/k"),
        ] {
            let answer = try client.put("/v1/apps/chat/\(path)", body)
            #expect(try answer.member("code") == "state_invalid" && answer.member("pointer") == pointer, "\(answer.text)")
            #expect(answer.text.contains("larger than any that rules can read"))
        }
        let far = try client.post("/v1/apps/chat/import", #"{"app": {"k": 1}, "recipients": {"u": {"inbox": [[1e400]]}}}"#)
        #expect(try far.status == 422 && far.member("pointer") == "/recipients/u/inbox/0/0", "\(far.text)")
        #expect(try client.put("/v1/apps/nope/state/k", "1").member("code") == "app_unknown")
        #expect(try client.ask("GET", "/v1/apps/chat/export").text.filter { $0 != " " && $0 != "\n" } == #"{"recipients":{}}"#)
    }

    @Test("The audit of all apps holds those of the token, and whoever may only read changes nothing")
    func tokens() throws {
        let scene = try Scene(tokens: try TokenTable(Array(TokenTests.file.utf8)))
        let client = try scene.client()
        func fields(_ token: String) -> String { "Host: localhost\r\nAuthorization: Bearer \(token)\r\n" }
        for app in ["chat", "shop"] {
            let answer = try client.post("/v1/apps/\(app)/import", #"{"app": {"n": 1}}"#, "Authorization: Bearer all\r\n")
            #expect(answer.status == 200, "\(answer.text)")
        }
        #expect(try client.ask("GET", "/v1/audit", fields("all")).text.contains(#""app":"shop""#))
        let read = try client.ask("GET", "/v1/audit", fields("read"))
        #expect(read.status == 200 && read.text.contains(#""app":"chat""#) && !read.text.contains("shop"))
        #expect(try client.ask("GET", "/v1/apps/chat/export", fields("read")).member("code") == "token_role")
        #expect(try client.ask("DELETE", "/v1/apps/chat/recipients/u", fields("read")).member("code") == "token_role")
        #expect(try client.ask("GET", "/v1/apps/shop/state", fields("read")).member("code") == "token_app")
    }
}
