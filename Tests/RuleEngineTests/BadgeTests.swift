// The number on the app's icon.
import PushMessage
import Testing

@testable import RuleEngine

@Suite struct BadgeTests {
    private func badge(_ badge: String, device: Int? = nil, stored: Int? = nil, display: String = "") throws -> Badge? {
        var state = AppState()
        state.one.badge = stored
        return try Scene(
            rules: #"rule "R" { on = "present", decide = { badge = \#(badge)\#(display) } }"#,
            device: #"{"recipient":"u-1","state":"foreground"\#(device.map { ",\"badge\":\($0)" } ?? "")}"#, state: state
        ).answer().decision.badge
    }

    @Test(
        "A change counts from the device's badge, else from the stored one, and never below 0",
        arguments: [
            (#""+1""#, Int?.none, Int?.none, 1, 1, false), (#""+1""#, 3, nil, 4, 1, false), (#""+1""#, 3, 7, 4, 1, false),
            (#""+1""#, nil, 7, 8, 1, false), (#""+1""#, 0, 2, 1, 1, false), (#""-5""#, 0, nil, 0, 0, false),
            (#""-5""#, 3, nil, 0, -3, false), (#""-1""#, 3, nil, 2, -1, false), ("5", 3, nil, 5, 2, true), ("0", 3, nil, 0, -3, true),
            (#""clear""#, 3, nil, 0, -3, true), ("{ add = 2 }", 3, nil, 5, 2, false),
            (#""+2147483647""#, 2_147_483_647, nil, 2_147_483_647, 0, false),
        ])
    func arithmetic(change: String, device: Int?, stored: Int?, value: Int, difference: Int, isAbsolute: Bool) throws {
        let answer = try #require(try badge(change, device: device, stored: stored))
        #expect(answer.value == value && answer.change == difference && answer.isAbsolute == isAbsolute && answer.rule == "R")
    }

    @Test("A difference counts only when the message is shown, or when the rule insists; a value always")
    func suppressed() throws {
        #expect(try badge(#""+1""#, display: #", display = "suppress""#) == nil)
        #expect(try badge(#""+1""#, display: #", display = "defer", hold_until = "1h""#) == nil)
        #expect(try badge("{ add = 1, even_if_suppressed = true }", display: #", display = "suppress""#)?.value == 1)
        #expect(try badge("4", display: #", display = "suppress""#)?.value == 4)
    }

    @Test("One message counts once, whatever events it causes")
    func once() throws {
        var scene = Scene(rules: #"rule "R" { on = { "present", "receive", "open" }, decide = show { badge = "+1" } }"#)
        let first = try scene.answer()
        #expect(first.decision.badge?.value == 1)
        #expect(first.state.one.badge == 1)
        scene.state = first.state
        scene.event = #""open""#
        let tapped = try scene.answer()
        #expect(tapped.decision.badge == nil)
        #expect(!tapped.effects.contains(.setBadge(1)) && !tapped.effects.contains(.setBadge(2)))
        scene.message = #"{"message_id":"m-2","aps":{"alert":"Other"}}"#
        scene.event = #""present""#
        #expect(try scene.answer().decision.badge?.value == 2)
    }

    @Test("A suppressed message does not count, so the next one is the first")
    func suppressedThenShown() throws {
        var scene = Scene(
            rules:
                #"rule "R" { on = "present", decide = { badge = "+1" } } rule "S" { on = "present", tab = "chat", decide = suppress "s" }"#,
            device: #"{"recipient":"u-1","state":"foreground","screen":{"tab":"chat"}}"#)
        let first = try scene.answer()
        #expect(first.decision.badge == nil && first.state.one.badge == nil)
        scene.state = first.state
        scene.device = #"{"recipient":"u-1","state":"foreground"}"#
        scene.message = #"{"message_id":"m-2","aps":{"alert":"Other"}}"#
        #expect(try scene.answer().decision.badge?.value == 1)
    }

    @Test("A value that a rule names applies at each event; the message's own only once")
    func absoluteAgain() throws {
        var scene = Scene(rules: #"rule "R" { on = { "present", "open" }, decide = { badge = "clear" } }"#)
        scene.state = try scene.answer().state
        scene.event = #""open""#
        #expect(try scene.answer().decision.badge == Badge(value: 0, change: 0, cause: .cleared, rule: "R"))

        var own = Scene(message: #"{"message_id":"m","aps":{"alert":"Hello","badge":4,"content-available":1}}"#)
        own.state = try own.answer().state
        own.event = #""receive""#
        #expect(try own.answer().decision.badge == nil)
        own.state = AppState()
        #expect(try own.answer().decision.badge?.value == 4)
    }

    @Test("A silent message's badge is the same decision as a shown one's")
    func silent() throws {
        let answer = try Scene(message: #"{"aps":{"content-available":1,"badge":4}}"#, event: #""receive""#).answer()
        #expect(answer.decision.badge == Badge(value: 4, change: 4, cause: .message, rule: nil))
        #expect(answer.decision.display == nil)
    }

    @Test("A copy of the app's own is shown and not counted", arguments: [#""+1""#, "5"])
    func localCopy(badge: String) throws {
        let answer = try Scene(
            rules: #"rule "R" { on = "present", decide = show { badge = \#(badge) } }"#,
            device: #"{"recipient":"u-1","state":"foreground","local_copy":true}"#
        ).answer()
        #expect(answer.decision.display?.action == .show)
        #expect(answer.decision.badge == nil && answer.effects.isEmpty)
    }

    @Test("Text without an id is the same message for a few seconds only")
    func generatedID() throws {
        var scene = Scene(
            rules: #"rule "R" { on = "present", decide = { badge = "+1" } }"#, message: #"{"aps":{"alert":"Hello"}}"#)
        scene.state = try scene.answer().state
        scene.now = Instant(milliseconds: scene.now.milliseconds + 5_000)
        #expect(try scene.answer().decision.isDuplicate)
        #expect(try scene.answer().decision.badge == nil)
        scene.now = Instant(milliseconds: scene.now.milliseconds + 1)
        #expect(try scene.answer().decision.badge?.value == 2)
    }

    @Test("Without a message a difference needs a rule that insists")
    func withoutMessage() throws {
        func badge(_ badge: String) throws -> Badge? {
            var state = AppState()
            state.one.badge = 3
            return try Scene(
                rules: #"rule "R" { on = "resume", decide = { badge = \#(badge) } }"#, message: nil, event: #""resume""#,
                state: state
            ).answer().decision.badge
        }
        #expect(try badge(#""-1""#) == nil)
        #expect(try badge("{ add = -1, even_if_suppressed = true }")?.value == 2)
        #expect(try badge(#""clear""#)?.value == 0)
    }
}
