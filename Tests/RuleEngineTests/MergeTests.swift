// How several rules become one decision.
import PushMessage
import Testing

@testable import RuleEngine

@Suite struct MergeTests {
    private func display(_ rules: String) throws -> Display? {
        try Scene(rules: rules).answer().decision.display
    }

    @Test(
        "Suppress beats defer beats show, whoever comes first",
        arguments: [
            (#"show()"#, #"suppress "s""#, Display.Action.suppress, "B"), (#"suppress "s""#, #"show()"#, .suppress, "A"),
            (#"show()"#, #"defer("1h", "d")"#, .defer, "B"), (#"defer("1h", "d")"#, #"show()"#, .defer, "A"),
            (#"defer("1h", "d")"#, #"suppress "s""#, .suppress, "B"), (#"suppress "s""#, #"defer("1h", "d")"#, .suppress, "A"),
        ])
    func order(first: String, second: String, action: Display.Action, winner: String) throws {
        let display = try display(
            #"rule "A" { on = "present", decide = \#(first) } rule "B" { on = "present", decide = \#(second) }"#)
        #expect(display?.action == action)
        #expect(display?.rule == winner)
        #expect(display?.reason == (action == .suppress ? "s" : "d"))
    }

    @Test("Of two rules that show, the first gives the options")
    func sameAction() throws {
        let display = try display(
            #"rule "A" { on = "present", decide = { display = { "list" } } } rule "B" { on = "present", decide = { display = "show", reason = "b" } }"#
        )
        #expect(display?.options == .list)
        #expect(display?.rule == "A")
        #expect(display?.reason == "b")
    }

    @Test("A reason goes with its display: the loser's is dropped")
    func reasonOfLoser() throws {
        let display = try display(
            #"rule "A" { on = "present", decide = { display = "show", reason = "a" } } rule "B" { on = "present", decide = { display = "suppress" } }"#
        )
        #expect(display?.action == .suppress)
        #expect(display?.reason == #"the rule "B" says so"#)
    }

    @Test("A later rule that overrides replaces even a suppress, and a still later suppress beats it")
    func override() throws {
        let two =
            #"rule "A" { on = "present", decide = suppress "s" } rule "B" { on = "present", override = true, decide = show { "banner" } }"#
        #expect(try display(two) == Display(action: .show, options: .banner, reason: nil, rule: "B", until: nil))
        let three = try display(two + #" rule "C" { on = "present", decide = suppress "c" }"#)
        #expect(three?.action == .suppress && three?.rule == "C")
    }

    @Test("Other fields go to the first rule that sets them")
    func firstWins() throws {
        let answer = try Scene(
            rules: """
                rule "A" { on = "present", decide = { title = "a", labels = { k = "a" } } }
                rule "B" { on = "present", decide = { title = "b", body = "b", badge = 2, labels = { k = "b", l = "b" } } }
                rule "C" { on = "present", decide = { badge = 3, route = "shop://c" } }
                """
        ).answer()
        #expect(answer.decision.content.title == "a")
        #expect(answer.decision.content.body == "b")
        #expect(answer.decision.badge?.value == 2 && answer.decision.badge?.rule == "B")
        #expect(answer.decision.route?.url == "shop://c" && answer.decision.route?.rule == "C")
        #expect(answer.decision.labels.map(\.name) == ["k"] && answer.decision.labels.map(\.value) == ["a"])
    }

    @Test("Override replaces only what it sets")
    func overrideOneField() throws {
        let answer = try Scene(
            rules: """
                rule "A" { on = "present", decide = { title = "a", body = "a", badge = 1 } }
                rule "B" { on = "present", override = true, decide = { title = "b" } }
                """
        ).answer()
        #expect(answer.decision.content.title == "b")
        #expect(answer.decision.content.body == "a")
        #expect(answer.decision.badge?.value == 1)
    }

    @Test("No route is a choice that wins like any other")
    func noRoute() throws {
        let answer = try Scene(
            rules: """
                rule "A" { on = "open", decide = { route = false } }
                rule "B" { on = "open", decide = route "shop://b" }
                """, event: #""open""#
        ).answer()
        #expect(answer.decision.route == nil)
    }

    @Test("Higher priority comes first, then the place in the file")
    func priority() throws {
        let answer = try Scene(
            rules: """
                rule "A" { on = "present", decide = { title = "a" } }
                rule "B" { on = "present", decide = { title = "b" } }
                rule "C" { on = "present", priority = 1, decide = { title = "c" } }
                """
        ).answer()
        #expect(answer.decision.content.title == "c")
    }

    @Test("A final rule that matches ends the run, even when it wants nothing")
    func final() throws {
        let rules = """
            rule "A" { on = "present", final = true, when = function(msg) return msg.title == "Mina" end }
            rule "B" { on = "present", decide = suppress "b" }
            """
        #expect(try display(rules)?.action == .show)
        #expect(try display(rules.replacingMina())?.action == .suppress)
        let returnsNil = """
            rule "A" { on = "present", final = true, decide = function() return nil end }
            rule "B" { on = "present", decide = suppress "b" }
            """
        #expect(try display(returnsNil)?.action == .show)
    }

    @Test("A disabled rule and a rule for another event do not speak")
    func disabled() throws {
        let rules = """
            rule "A" { on = "present", enabled = false, decide = suppress "a" }
            rule "B" { on = "open", decide = suppress "b" }
            """
        #expect(try display(rules)?.action == .show)
    }

    @Test(
        "Matchers compare the message and the device",
        arguments: [
            (#"channel = "chat""#, true), (#"channel = { "promo", "chat" }"#, true), (#"channel = "promo""#, false),
            (#"category = "CALL""#, true), (#"topic = "news""#, false), (#"urgency = "high""#, true),
            (#"urgency = "normal""#, false), (#"silent = false"#, true), (#"silent = true"#, false),
            (#"state = "foreground""#, true), (#"state = { "background", "terminated" }"#, false), (#"tab = "chat""#, true),
            (#"tab = "home""#, false), (#"os = "ios""#, true), (#"os = "android""#, false), (#"min_os = "17.4""#, true),
            (#"min_os = "17.5""#, false), (#"min_os = "17.10""#, false), (#"app_version = ">=3.2""#, true),
            (#"app_version = ">=3.10""#, false), (#"app_version = "3.9""#, true), (#"app_version = "<3""#, false),
            (#"locale = "ko""#, true), (#"locale = "ko-KR""#, true), (#"locale = "ko_kr""#, true), (#"locale = "k""#, false),
            (#"locale = "ko-KP""#, false), (#"channel = "chat", tab = "home""#, false),
        ])
    func matchers(matcher: String, matches: Bool) throws {
        let answer = try Scene(
            rules: #"rule "A" { on = "present", \#(matcher), decide = suppress "a" }"#,
            message:
                #"{"headers":{"apns-priority":"10"},"payload":{"message_id":"m","aps":{"alert":{"title":"t"},"category":"CALL"},"channel":"chat"}}"#,
            device:
                #"{"recipient":"u-1","state":"foreground","os":{"name":"ios","version":"17.4.1"},"app_version":"3.9","screen":{"tab":"chat"},"locale":"ko-KR"}"#
        ).answer()
        #expect(answer.decision.display?.action == (matches ? .suppress : .show))
    }

    @Test(
        "A matcher on something that is not there does not match",
        arguments: [
            ("channel = \"chat\"", false), ("topic = \"a\"", false), ("category = \"a\"", false), ("urgency = \"high\"", false),
            ("silent = true", false), ("silent = false", false), ("tab = \"chat\"", false), ("locale = \"ko\"", false),
            ("app_version = \">=0\"", false), ("min_os = \"1\"", true),
        ])
    func absent(matcher: String, matches: Bool) throws {
        let answer = try Scene(
            rules: #"rule "A" { on = "resume", \#(matcher), decide = { labels = { matched = "yes" } } }"#, message: nil,
            event: #""resume""#
        ).answer()
        #expect(answer.decision.labels.isEmpty == !matches)
    }
}

extension String {
    fileprivate func replacingMina() -> String { split(separator: "Mina").joined(separator: "Nobody") }
}
