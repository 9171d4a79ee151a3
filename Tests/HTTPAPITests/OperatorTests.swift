// What people do with a running host: look at what is remembered and repair it, try files that are not saved, bring versions to stages.
import Foundation
import HTTPClient
import RuleHosting
import Testing

struct OperatorTests {
    private static let person = "/v1/apps/chat/recipients/u-1"

    @Test("What is remembered of a person is looked at, put right and forgotten, part by part", arguments: [false, true])
    func recipient(isDurable: Bool) throws {
        let scene = try Scene(isDurable: isDurable)
        let client = try scene.client()
        #expect(try client.ask("GET", Self.person + "/state").text == "{}")
        #expect(try client.ask("GET", Self.person + "/badge").text == "null")
        _ = try client.post("/v1/apps/chat/decide", Scene.body(id: "m-1"))
        #expect(try client.ask("GET", Self.person + "/state").text == #"{"count":1}"#)
        #expect(try client.put(Self.person + "/state", #"{"count": 41, "theme": "dark"}"#).text == #"{"count":41,"theme":"dark"}"#)
        #expect(try client.post("/v1/apps/chat/decide", Scene.body(id: "m-2")).member("labels", "count") == "42")
        #expect(try client.put(Self.person + "/badge", "7").text == "7")
        #expect(
            try client.put(Self.person + "/settings", #"{"app_push": false, "channels": {"promo": true}}"#).text
                == #"{"app_push":false,"channels":{"promo":true}}"#)
        #expect(try client.put(Self.person + "/topics", #"{"wanted": ["news"]}"#).member("wanted") != nil)
        #expect(try client.ask("DELETE", Self.person + "/state").text == "{}")
        #expect(try client.ask("GET", Self.person + "/badge").text == "7", "the other parts stay")
        #expect(try client.ask("GET", "/v1/apps/chat/recipients/u-2/badge").text == "null", "and other people")
        // A name may have anything in it.
        #expect(try client.put("/v1/apps/chat/recipients/a%2Fb%20%C3%BC/badge", "1").text == "1")
        #expect(try client.ask("GET", "/v1/apps/chat/recipients/a%2fb%20%c3%bc/badge").text == "1")
    }

    @Test(
        "What is no state changes nothing, and says why",
        arguments: [
            ("badge", "\"three\"", 400, "state_invalid"), ("badge", "", 400, "json_empty"), ("state", "[1]", 400, "state_invalid"),
            ("settings", "{\"app_push\": 1}", 400, "state_invalid"), ("topics", "{\"wanted\": 3}", 400, "state_invalid"),
            ("state", "{", 400, "json_unfinished"), ("state", "null", 400, "state_invalid"), ("settings", "null", 400, "state_invalid"),
            ("topics", "null", 400, "state_invalid"),
            ("topics", #"["a", "a"]"#, 400, "state_invalid"), ("topics", #"[""]"#, 400, "state_invalid"),
            ("topics", #"{"wanted": ["a"], "confirmed": ["a", "b", "a"]}"#, 400, "state_invalid"), ("badge", "2.5", 400, "state_invalid"),
            ("badge", "-1.0", 400, "state_invalid"),
        ])
    func invalid(part: String, body: String, status: Int, code: String) throws {
        let scene = try Scene()
        let client = try scene.client()
        let before = try client.ask("GET", "\(Self.person)/\(part)").text
        let answer = try client.put("\(Self.person)/\(part)", body)
        #expect(try answer.status == status && answer.member("code") == code, "\(answer.text)")
        #expect(try client.ask("GET", "\(Self.person)/\(part)").text == before)
        #expect(try client.put("/v1/apps/nope/recipients/u-1/\(part)", body).member("code") == "app_unknown")
    }

    @Test("A whole number is one however it is written, and a badge of null is none; a version in force is not tried on some")
    func numbers() throws {
        let scene = try Scene(isDurable: true)
        let client = try scene.client()
        for (body, badge) in [("93.0", "93"), ("1e2", "100"), ("null", "null"), ("7", "7")] {
            #expect(try client.put(Self.person + "/badge", body).text == badge)
        }
        let hash = try #require(try client.ask("GET", "/v1/apps/chat").member("ruleset"))
        // It is read, and refused for what it comes to: all have that version.
        let same = try client.post("/v1/apps/chat/promote", #"{"hash": "\#(hash)", "percent": 75.0}"#)
        #expect(try same.status == 409 && same.member("code") == "version_refused")
        #expect(try same.member("detail")?.hasSuffix("it is the one that the others have on draft") == true)
        #expect(try client.post("/v1/apps/chat/promote", #"{"hash": "\#(hash)", "percent": 7.5}"#).status == 400)
    }

    @Test("Files that are not saved are tried on what is remembered, and nothing of it is kept")
    func tryOut() throws {
        let scene = try Scene()
        let client = try scene.client()
        _ = try client.post("/v1/apps/chat/decide", Scene.body(id: "m-1"))
        let draft =
            #"rule \"Draft\" { on = \"present\", decide = function() return show { labels = { n = tostring(state.incr(\"count\")) } } end }"#
        for _ in 0..<2 {
            let answer = try client.post(
                "/v1/apps/chat/try", Scene.body(id: "m-2", more: #","files":{"rules.lua":"\#(draft)"}"#))
            #expect(try answer.status == 200 && answer.member("labels", "n") == "2", "\(answer.text)")
            #expect(try answer.member("trace")?.contains("Draft") == true)
        }
        #expect(try client.post("/v1/apps/chat/decide", Scene.body(id: "m-2")).member("labels", "count") == "2")
        let broken = try client.post("/v1/apps/chat/try", Scene.body(id: "m-3", more: #","files":{"rules.lua":"rule"}"#))
        #expect(broken.status == 422 && broken.text.contains("\"faults\":[{\"code\":\"lua_syntax\""), "\(broken.text)")
        let wrong = try client.post("/v1/apps/chat/try", Scene.body(id: "m-3", more: #","files":{"rules.lua":3}"#))
        #expect(try wrong.status == 400 && wrong.member("pointer") == "/files/rules.lua")
    }

    private static func cases(_ count: String) -> String {
        #"[{\"name\": \"counts\", \"event\": \"present\", \"message\": {\"aps\": {\"alert\": \"Hi\"}}, "#
            + #"\"device\": {\"recipient\": \"u-1\", \"state\": \"foreground\"}, \"expect\": {\"labels\": {\"count\": \"\#(count)\"}}}]"#
    }

    @Test("A new app whose cases fail is told by its cases, not as rules that do not load")
    func newApp() throws {
        let scene = try Scene()
        try scene.add("late", Scene.counting, cases: Self.cases("7").replacingOccurrences(of: #"\""#, with: "\""))
        let answer = try scene.client().post("/v1/apps/late/decide", Scene.body(id: "m-1"))
        let words = "the app's cases fail, and there are no earlier rules: cases/a.json: the case \"counts\": labels.count must be"
        #expect(try answer.status == 503 && answer.member("detail")?.hasPrefix(words) == true, "\(answer.text)")
        #expect(try answer.member("code") == "case_failed" && answer.member("hint")?.contains("--cases warn") == true, "\(answer.text)")
    }

    @Test("Cases among the files of a trial are run as after a save, and what fails is told with its place")
    func cases() throws {
        let scene = try Scene()
        let client = try scene.client()
        _ = try client.post("/v1/apps/chat/decide", Scene.body(id: "m-1"))
        let path = "/v1/apps/chat/try"
        let good = try client.post(path, Scene.body(id: "m-2", more: #","files":{"cases/a.json":"\#(Self.cases("1"))"}"#))
        #expect(try good.member("labels", "count") == "2", "the decision is on what is remembered: \(good.text)")
        #expect(good.text.hasSuffix(#","cases":{"passed":1,"failed":0,"faults":[]}}"#), "a case is not: \(good.text)")
        let body = #"{"files":{"cases/a.json":"\#(Self.cases("7"))","cases/b.json":"["}}"#
        let failed = try client.post(path, body)
        #expect(
            failed.status == 200
                && failed.text.hasPrefix(#"{"cases":{"passed":0,"failed":2,"faults":[{"code":"case_invalid","file":"cases/b.json""#),
            "\(failed.text)")
        #expect(
            failed.text.contains(
                #""code":"case_failed","file":"cases/a.json","line":1,"message":"the case \"counts\": labels.count must be"#),
            "\(failed.text)")
        #expect(failed.text.contains(#""hint":"`rulehost test --filter cases/a.json` shows"#), "\(failed.text)")
        let without = try client.post(
            path, #"{"event":"present","message":{"aps":{"alert":"x"}},"device":{},"cases":false,"# + body.dropFirst())
        #expect(try without.status == 200 && without.member("cases") == nil)
        // A journey is a list, which has no room beside it.
        let journey = try client.post(path, #"{"message":{"aps":{"alert":"x"}},"device":{"state":"foreground"},"cases":true}"#)
        #expect(
            journey.text.hasPrefix(#"{"journey":[{"app":"chat""#)
                && journey.text.hasSuffix(#"],"cases":{"passed":0,"failed":0,"faults":[]}}"#), "\(journey.text)")
        #expect(try client.post(path, #"{"cases":1}"#).member("pointer") == "/cases")
        #expect(try client.post(path, #"{"files":{}}"#).status == 400)
        let broken = try client.post(path, #"{"cases":true,"files":{"rules.lua":"rule"}}"#)
        #expect(try broken.status == 422 && broken.member("title") == "The rules do not load", "\(broken.text)")
    }

    @Test("With all cases those of the folder are run with the files in their places, and a case may name a file beside it")
    func allCases() throws {
        let scene = try Scene()
        let client = try scene.client()
        try FileManager.default.createDirectory(atPath: "\(scene.folder)/rules/chat/cases", withIntermediateDirectories: true)
        let saved = Self.cases("1").replacingOccurrences(of: "\\\"", with: "\"").replacingOccurrences(of: "[{", with: "[\n  {\n    ")
        try saved.write(toFile: "\(scene.folder)/rules/chat/cases/a.json", atomically: true, encoding: .utf8)
        let path = "/v1/apps/chat/try"
        #expect(try client.post(path, #"{"cases":true}"#).member("cases", "passed") == "1")
        let named =
            #""cases/b.json":"[{\"name\": \"named\", \"event\": \"present\", \"message\": \"hello.json\", \"expect\": {\"message_id\": \"m-9\"}}]""#
        let hello = #""cases/hello.json":"{\"message_id\": \"m-9\", \"aps\": {\"alert\": \"Hi\"}}""#
        let both = try client.post(path, #"{"cases":true,"files":{\#(named),\#(hello)}}"#)
        #expect(both.text == #"{"cases":{"passed":2,"failed":0,"faults":[]}}"#, "\(both.text)")
        let quiet = try client.post(path, #"{"cases":true,"files":{"rules.lua":"-- none"}}"#)
        #expect(quiet.text.contains(#""failed":1,"faults":[{"code":"case_failed","file":"cases/a.json","line":2,"#), "\(quiet.text)")
        #expect(quiet.text.contains(#""excerpt":"    \"name\": \"counts\""#), "the line that names the case: \(quiet.text)")
        let removed = try client.post(path, #"{"cases":true,"files":{"rules.lua":"-- none","cases/a.json":null}}"#)
        #expect(removed.text == #"{"cases":{"passed":0,"failed":0,"faults":[]}}"#, "\(removed.text)")
    }

    @Test("Versions are listed, and one goes back to the one before")
    func versions() throws {
        let scene = try Scene(isDurable: true)
        let client = try scene.client()
        let first = try #require(try client.ask("GET", "/v1/apps/chat").member("ruleset"))
        let listed = try client.ask("GET", "/v1/apps/chat/versions")
        #expect(listed.text.hasPrefix(#"{"versions":["#) && listed.text.contains("\"hash\":\"\(first)\""), "\(listed.text)")
        let promoted = try client.post("/v1/apps/chat/promote", #"{"hash": "\#(first)", "stage": "draft", "why": "QA agrees"}"#)
        #expect(promoted.status == 200, "\(promoted.text)")
        let versions = try client.ask("GET", "/v1/apps/chat/versions").text
        #expect(versions.contains("\"draft\""), "\(versions)")
        let unknown = try client.post("/v1/apps/chat/promote", #"{"hash": "0000"}"#)
        #expect(try unknown.status >= 400 && unknown.member("code") != nil)
        #expect(try client.post("/v1/apps/chat/promote", #"{"percent": 5}"#).member("code") == "request_invalid")
        #expect(try client.post("/v1/apps/chat/promote", #"{"hash": "\#(first)", "percent": 100}"#).status == 400)
        #expect(try client.post("/v1/apps/chat/rollback", #"{"hash": "\#(first)"}"#).status == 400)
    }

    @Test("Messages that are held back are listed with their moment")
    func deferred() throws {
        let scene = try Scene(isDurable: true)
        try scene.add("late", "rule \"Later\" { on = \"present\", decide = defer(\"2099-01-01T00:00:00Z\", \"later\") }")
        let client = try scene.client()
        #expect(try client.ask("GET", "/v1/apps/late/deferred").text == #"{"deferred":[]}"#)
        let answer = try client.post("/v1/apps/late/decide", Scene.body(id: "m-1"))
        #expect(try answer.member("display", "action") == "defer", "\(answer.text)")
        let waiting = try client.ask("GET", "/v1/apps/late/deferred?newest=5")
        #expect(waiting.text.contains(#""recipient":"u-1""#) && waiting.text.contains(#""at":"2099-01-01T00:00:00"#), "\(waiting.text)")
        #expect(try client.ask("GET", "/v1/apps/chat/deferred").text == #"{"deferred":[]}"#)
        #expect(try client.ask("GET", "/v1/apps/late/deferred?newest=0").member("code") == "query_invalid")
    }
}
