// What whoever judges a canary sees: the decisions of its rules beside those that all others have.
import EffectStore
import HTTPClient
import HTTPServer
import RuleHosting
import Testing

@testable import HTTPAPI

struct CanaryTests {
    private static func rules(_ mark: String) -> String {
        """
        rule "\(mark)" {
          on = "present",
          decide = function(msg)
            if msg.data.broken == "\(mark)" then error("oh") end
            return msg.data.quiet == "\(mark)" and suppress "quiet" or show { "banner" }
          end,
        }
        """
    }

    private func hash(_ client: Client, after old: String? = nil) throws -> String {
        var hash = try client.ask("GET", "/v1/apps/chat").member("ruleset")
        while hash == old { hash = try client.ask("GET", "/v1/apps/chat").member("ruleset") }
        return try #require(hash)
    }

    /// One message for each of 200 people, of which each side fails for one and is quiet for the next in its own way.
    private func decide(_ client: Client, _ round: Int) throws {
        let lines = (0..<200).map { number in
            let data = [#","broken":"new""#, #","quiet":"new""#, #","quiet":"old""#, ""][number % 4]
            return #"{"app":"chat","event":"present","message":{"message_id":"m-\#(round)","aps":{"alert":"Hello"}\#(data)},"#
                + #""device":{"recipient":"u-\#(number)","state":"foreground"}}"#
        }
        let answers = try client.post("/v1/decide", lines.joined(separator: "\n")).text
        #expect(answers.split(separator: "\n").count == 200)
    }

    @Test(
        "A key that is misspelt is told with the one that is meant, and one that is no text as that",
        arguments: [
            (#"{"hash": "a", "percnt": 3}"#, "promote", "the body has no key `percnt`", "did you mean `percent`?"),
            (#"{"percent": 3}"#, "rollback", "the body has no key `percent`", "it knows stage, why"),
            (#"{"stage": 1}"#, "rollback", "`stage` is not a text", #"write {"hash": "…", "stage": "…", "why": "…"}"#),
        ])
    func keys(body: String, deed: String, detail: String, hint: String) throws {
        let scene = try Scene()
        let answer = try scene.client().post("/v1/apps/chat/\(deed)", body)
        #expect(try answer.status == 400 && answer.member("detail") == detail && answer.member("hint") == hint, "\(answer.text)")
    }

    @Test("Versions say which one some recipients have, and how many, also of a host that keeps nothing", arguments: [false, true])
    func marked(isDurable: Bool) throws {
        let scene = try Scene(isDurable: isDurable)
        let client = try scene.client()
        let first = try hash(client)
        try scene.write("chat", Self.rules("new"))
        let new = try hash(client, after: first)
        #expect(try client.post("/v1/apps/chat/promote", #"{"hash":"\#(first)","percent":20}"#).status == 200)
        func stages() throws -> [String: [String]] {
            try scene.host.versions(of: "chat").reduce(into: [:]) { $0[$1.hash] = $1.stages }
        }
        #expect(try stages() == [first: ["draft:canary:20"], new: ["draft"]])
        let back = try client.post("/v1/apps/chat/rollback", "{}")
        #expect(back.status == 200 && back.text.contains(#""ended_canary":{"ruleset":"\#(first)","percent":20}"#), "\(back.text)")
        #expect(try stages() == [first: [], new: ["draft"]])
        // It is told once.
        #expect(try !client.ask("GET", "/v1/apps/chat").text.contains("\"ended_canary\":{\"ruleset\":\"\(first)\",\"percent\""))
    }

    @Test(
        "While an app has a canary its decisions and errors are told by side, from zero for each canary; those of the last one stay readable",
        arguments: [HostSettings.Isolation.thread, .process])
    func sides(_ isolation: HostSettings.Isolation) throws {
        let scene = try Scene(isDurable: true, isWatched: true) { settings in
            settings.isolation = isolation
            settings.program = Scene.program
        }
        let client = try scene.client()
        let first = try hash(client)
        try scene.write("chat", Self.rules("new"))
        let new = try hash(client, after: first)
        try scene.write("chat", Self.rules("old"))
        let old = try hash(client, after: new)
        try decide(client, 0)
        #expect(try client.ask("GET", "/v1/apps/chat").member("counters", "rulesets") == nil)
        #expect(try !client.ask("GET", "/metrics").text.contains("rulehost_canary_decisions_total{"))
        #expect(try client.post("/v1/apps/chat/promote", #"{"hash": "\#(new)", "percent": 30}"#).status == 200)
        try decide(client, 1)
        let answer = try client.ask("GET", "/v1/apps/chat")
        func count(_ side: String, _ steps: String...) throws -> Int {
            switch steps.count {
            case 1: try #require(Int(answer.member("counters", "rulesets", side, steps[0]) ?? ""))
            default: try #require(Int(answer.member("counters", "rulesets", side, steps[0], steps[1]) ?? ""))
            }
        }
        #expect(try answer.member("canary", "ruleset") == new && answer.member("ruleset") == old)
        var all = 0
        for side in ["base", "canary"] {
            for action in ["show", "suppress", "defer", "none"] { all += try count(side, "decisions", action) }
        }
        #expect(all == 200)
        #expect(try count("base", "errors") == 0 && 1...50 ~= count("canary", "errors"))
        #expect(try 1...49 ~= count("base", "decisions", "suppress") && 1...49 ~= count("canary", "decisions", "suppress"))
        let metrics = try client.ask("GET", "/metrics").text
        for (side, action) in [("base", "show"), ("base", "suppress"), ("canary", "show"), ("canary", "suppress")] {
            let line = #"rulehost_canary_decisions_total{app="chat",ruleset="\#(side)",action="\#(action)"} "#
            #expect(metrics.contains("\n\(line)\(try count(side, "decisions", action))\n"), "\(line)")
        }
        #expect(metrics.contains("\nrulehost_canary_errors_total{app=\"chat\",ruleset=\"canary\"} \(try count("canary", "errors"))\n"))
        // Another one has done nothing yet.
        #expect(try answer.member("counters", "ended_canary") == nil)
        let (shown, errors) = (try count("canary", "decisions", "show"), try count("canary", "errors"))
        func checkEnded() throws {
            let now = try client.ask("GET", "/v1/apps/chat")
            #expect(try now.member("counters", "ended_canary", "ruleset") == new, "\(now.text)")
            #expect(try now.member("counters", "ended_canary", "rulesets", "canary", "decisions", "show") == "\(shown)")
            #expect(try now.member("counters", "ended_canary", "rulesets", "canary", "errors") == "\(errors)")
        }
        #expect(try client.post("/v1/apps/chat/promote", #"{"hash": "\#(first)", "percent": 30}"#).status == 200)
        try checkEnded()
        for side in ["base", "canary"] {
            #expect(try client.ask("GET", "/v1/apps/chat").member("counters", "rulesets", side, "decisions", "show") == "0")
        }
        #expect(try client.post("/v1/apps/chat/promote", #"{"hash": "\#(first)"}"#).status == 200)
        try decide(client, 2)
        // The one after it has decided nothing.
        try checkEnded()
        #expect(try client.ask("GET", "/v1/apps/chat").member("counters", "rulesets") == nil)
        #expect(try !client.ask("GET", "/metrics").text.contains("rulehost_canary_decisions_total{"))
    }
}
