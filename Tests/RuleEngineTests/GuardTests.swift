// The built-in guards: what each one does at each event, with each permission and switch.
import PushMessage
import Testing

@testable import RuleEngine

@Suite struct GuardTests {
    private static let displaying: [EventName] = [.send, .enrich, .present, .due]

    private func decision(
        _ event: EventName, device: String = "", app: String = "", rules: String = "", message: String = Scene.alert,
        state: AppState = AppState()
    ) throws -> Decision {
        try Scene(
            rules: rules, app: "return { api = 1\(app.isEmpty ? "" : ", " + app) }", message: message,
            device: "{\"recipient\":\"u-1\",\"state\":\"foreground\"\(device.isEmpty ? "" : "," + device)}",
            event: "\"\(event.rawValue)\"", state: state
        ).answer().decision
    }

    private static let permissions = Permission.allCases.flatMap { permission in EventName.allCases.map { (permission, $0) } }

    @Test("Permission, at every event and with each of its six values", arguments: permissions)
    func permission(permission: Permission, event: EventName) throws {
        let decision = try decision(
            event, device: #""permission":"\#(permission.rawValue)""#,
            rules: #"rule "R" { on = "receive", decide = show() }"#)
        guard GuardTests.displaying.contains(event) || event == .receive else {
            #expect(decision.display == nil)
            return
        }
        switch permission {
        case .denied, .notDetermined:
            #expect(decision.display?.action == .suppress)
            #expect(decision.display?.options == [])
            #expect(decision.display?.rule == "guard:permission")
            #expect(decision.display?.reason?.isEmpty == false)
        case .provisional:
            #expect(decision.display?.action == .show)
            #expect(decision.display?.options == .list)
        case .authorized, .ephemeral, .unknown:
            #expect(decision.display?.action == .show)
            #expect(decision.display?.options.contains(.banner) == true)
        }
    }

    @Test("A rule that shows at a tap is not guarded")
    func openIsNotGuarded() throws {
        let decision = try decision(
            .open, device: #""permission":"denied","app_push":false"#, rules: #"rule "R" { on = "open", decide = show() }"#)
        #expect(decision.display?.action == .show)
    }

    @Test("A provisional permission leaves nothing of a display without banner and list")
    func provisionalSound() throws {
        let decision = try decision(
            .present, device: #""permission":"provisional""#,
            rules: #"rule "R" { on = "present", decide = show { "sound" } }"#)
        #expect(decision.display?.action == .show)
        #expect(decision.display?.options == [])
    }

    @Test("The app's switch: the device's word, else the stored one", arguments: displaying)
    func appSwitch(event: EventName) throws {
        #expect(try decision(event, device: #""app_push":false"#).display?.rule == "guard:app_switch")
        var state = AppState()
        state.one.appPush = false
        #expect(try decision(event, state: state).display?.rule == "guard:app_switch")
        #expect(try decision(event, device: #""app_push":true"#, state: state).display?.action == .show)
    }

    static let channels = #"channels = { chat = { title = "Chat" }, promo = { title = "Offers", default = false } }"#

    @Test(
        "A channel's switch: device, else stored, else the manifest's default",
        arguments: [
            ("chat", "", Bool?.none, true), ("promo", "", nil, false), ("chat", #""channels":{"chat":false}"#, nil, false),
            ("promo", #""channels":{"promo":true}"#, nil, true), ("chat", "", false, false), ("promo", "", true, true),
            ("chat", #""channels":{"chat":true}"#, false, true), ("other", "", nil, true), ("other", "", false, false),
        ])
    func channelSwitch(channel: String, device: String, stored: Bool?, isShown: Bool) throws {
        var state = AppState()
        if let stored { state.one.channels[channel] = stored }
        let decision = try decision(
            .present, device: device, app: GuardTests.channels,
            message: #"{"message_id":"m","aps":{"alert":"Hello"},"channel":"\#(channel)"}"#, state: state)
        #expect(decision.display?.action == (isShown ? .show : .suppress))
        if !isShown { #expect(decision.display?.rule == "guard:channel_switch") }
    }

    @Test("Unknown channels, and messages without one, are on unless the manifest says otherwise")
    func unknownChannel() throws {
        let app = GuardTests.channels + ", unknown_channel = false"
        let other = #"{"message_id":"m","aps":{"alert":"Hello"},"channel":"other"}"#
        #expect(try decision(.present, app: app, message: other).display?.rule == "guard:channel_switch")
        #expect(
            try decision(.present, device: #""channels":{"other":true}"#, app: app, message: other).display?.action == .suppress)
        #expect(try decision(.present, app: app).display?.rule == "guard:channel_switch")
        #expect(try decision(.present, app: GuardTests.channels).display?.action == .show)
    }

    @Test("Without channels in the manifest no channel's switch is looked at")
    func noChannels() throws {
        let other = #"{"message_id":"m","aps":{"alert":"Hello"},"channel":"other"}"#
        #expect(try decision(.present, device: #""channels":{"other":false}"#, message: other).display?.action == .show)
    }

    @Test("A critical channel passes both switches, never the permission")
    func critical() throws {
        let app = #"channels = { alarm = { critical = true, default = false } }"#
        let message = #"{"message_id":"m","aps":{"alert":"Fire"},"channel":"alarm"}"#
        #expect(try decision(.present, device: #""app_push":false"#, app: app, message: message).display?.action == .show)
        #expect(
            try decision(.present, device: #""permission":"denied""#, app: app, message: message).display?.rule
                == "guard:permission")
    }

    @Test(
        "Empty text is never displayed",
        arguments: [EventName.enrich, .present, .due], [#"{"aps":{"badge":5}}"#, #"{"aps":{"alert":"","sound":"default"}}"#])
    func empty(event: EventName, message: String) throws {
        #expect(try decision(event, message: message).display?.rule == "guard:empty")
    }

    @Test("Text that a rule empties is empty, text that it adds is not")
    func emptiedByRule() throws {
        let empties = #"rule "R" { on = "present", decide = { title = "", body = "" } }"#
        #expect(try decision(.present, rules: empties).display?.rule == "guard:empty")
        let one = #"rule "R" { on = "present", decide = { title = "" } }"#
        #expect(try decision(.present, rules: one).display?.action == .show)
        let adds = #"rule "R" { on = "receive", decide = { display = "show", body = "New" } }"#
        let silent = #"{"message_id":"m","aps":{"content-available":1}}"#
        #expect(try decision(.receive, rules: adds, message: silent).display?.action == .show)
        let blank = #"rule "R" { on = "receive", decide = show() }"#
        #expect(try decision(.receive, rules: blank, message: silent).display?.rule == "guard:empty")
    }

    @Test(
        "Text of nothing but spaces is empty, in the message and from a rule",
        arguments: [
            (" ", true), ("\\n \\t", true), ("\u{a0}", true), ("\u{200b}\u{3000}\u{feff}", true), ("\u{a0}x", false), ("안녕", false),
            ("ー", false), ("…", false), ("é", false),
        ])
    func blank(text: String, isBlank: Bool) throws {
        let expected = isBlank ? "guard:empty" : nil
        #expect(
            try decision(.present, message: #"{"message_id":"m","aps":{"alert":"\#(text)"}}"#).display?.rule == expected)
        let rules = "rule \"R\" { on = \"present\", decide = { title = \"\(text)\", body = \"\" } }"
        #expect(try decision(.present, rules: rules).display?.rule == expected)
    }

    @Test("Localised text is text")
    func localised() throws {
        let message = #"{"message_id":"m","aps":{"alert":{"loc-key":"HELLO"}}}"#
        #expect(try decision(.present, message: message).display?.action == .show)
    }

    @Test("What is sent without text carries what it has: nothing, a badge, a sound")
    func sentWithoutText() throws {
        let silent = try decision(.send, message: #"{"aps":{"content-available":1}}"#).display
        #expect(silent?.action == .show && silent?.options == [])
        let badge = try decision(.send, message: #"{"aps":{"badge":0}}"#).display
        #expect(badge?.action == .show && badge?.options == .badge)
        #expect(try decision(.send, message: #"{"aps":{"alert":""},"k":"v"}"#).display?.rule == "guard:empty")
    }

    @Test("A message past its time is not shown; at the very end it is past", arguments: displaying)
    func expired(event: EventName) throws {
        func message(_ seconds: Int) -> String {
            #"{"headers":{"apns-expiration":"\#(seconds)"},"payload":{"aps":{"alert":"Hello"}}}"#
        }
        let now = Int(Scene().now.milliseconds / 1000)
        #expect(try decision(event, message: message(now)).display?.rule == "guard:expired")
        #expect(try decision(event, message: message(now + 1)).display?.action == .show)
    }

    @Test("A message for an account that is not logged in is not shown, and its tap leads nowhere")
    func account() throws {
        let app = #"fields = { account = { "for" } }"#
        let message = #"{"message_id":"m","aps":{"alert":"Hello"},"for":"u-9"}"#
        let rules = #"rule "R" { on = "open", decide = route "shop://x" }"#
        #expect(
            try decision(.present, device: #""accounts":["u-1"]"#, app: app, message: message).display?.rule == "guard:account")
        #expect(
            try decision(.present, device: #""accounts":["u-1","u-9"]"#, app: app, message: message).display?.action == .show)
        #expect(try decision(.present, app: app, message: message).display?.action == .show)
        #expect(
            try decision(.open, device: #""accounts":["u-1"]"#, app: app, rules: rules, message: message).route == nil)
        let stopped = try decision(.open, device: #""accounts":["u-1"]"#, app: app, rules: rules, message: message).warnings
        #expect(stopped.map(\.code) == [.accountMismatch] && stopped.first?.path == "route")
        #expect(stopped.first?.message.contains("not logged in on this device") == true)
        #expect(
            try decision(.open, device: #""accounts":["u-9"]"#, app: app, rules: rules, message: message).route?.url == "shop://x")
    }

    static let toNews = #"{"message":{"topic":"news","notification":{"title":"News"}}}"#

    @Test("A message of a topic that was left is not shown, and the topic is left again")
    func notSubscribed() throws {
        let left = try decision(.present, device: #""topics":[]"#, message: GuardTests.toNews)
        #expect(left.display?.rule == "guard:not_subscribed")
        #expect(left.topics == [TopicOperation(kind: .unsubscribe, topic: "news")])
        #expect(try decision(.present, device: #""topics":["news"]"#, message: GuardTests.toNews).display?.action == .show)
        let unknown = try decision(.present, message: GuardTests.toNews)
        #expect(unknown.display?.action == .show && unknown.topics.isEmpty)
        var state = AppState()
        state.one.wantedTopics = []
        #expect(try decision(.present, message: GuardTests.toNews, state: state).display?.rule == "guard:not_subscribed")
    }

    @Test("A link that is not allowed gives way to the fallback, or is removed with a reason")
    func link() throws {
        let rules = #"rule "R" { on = "open", decide = function() return route "javascript:alert(1)" end }"#
        let removed = try decision(.open, rules: rules)
        #expect(removed.route == nil)
        #expect(removed.warnings.map(\.code) == [.linkNotAllowed])
        let replaced = try decision(.open, app: #"links = { fallback = "shop://home" }"#, rules: rules)
        #expect(replaced.route?.url == "shop://home" && replaced.route?.rule == "guard:link")
        let tab = try decision(
            .open, rules: #"rule "R" { on = "open", decide = function() return route { tab = "home", url = "javascript:x" } end }"#)
        #expect(tab.route?.tab == "home" && tab.route?.url == nil)
        let allowed = try decision(
            .open, app: #"links = { schemes = { "https" }, hosts = { "*.example.com" } }"#,
            rules: #"rule "R" { on = "open", decide = route "https://a.example.com/x" }"#)
        #expect(allowed.route?.url == "https://a.example.com/x" && allowed.route?.rule == "R")
    }

    @Test("Before iOS 14 an alert stands for banner and list")
    func osOptions() throws {
        func options(_ os: String, _ event: EventName = .present) throws -> DisplayOptions? {
            try decision(event, device: #""os":\#(os)"#).display?.options
        }
        #expect(try options(#"{"name":"ios","version":"13.7"}"#) == [.sound, .alert])
        #expect(try options(#"{"name":"ios","version":"14.0"}"#) == [.banner, .list, .sound])
        #expect(try options(#"{"name":"ios","version":"9"}"#, .send) == [.sound, .alert])
        let old = try decision(
            .present, device: #""os":{"version":"13"}"#, rules: #"rule "R" { on = "present", decide = show { "badge" } }"#)
        #expect(old.display?.options == .badge)
        let quiet = try decision(.present, device: #""os":{"version":"13"},"permission":"provisional""#)
        #expect(quiet.display?.options == .alert)
    }

    @Test("An insecure or strange attachment is dropped with its reason, the text is shown")
    func attachment() throws {
        let rules = #"""
            rule "R" { on = "enrich", decide = { attachments = {
              { url = "https://x.com/a.png" }, { url = "http://x.com/b.png" }, { url = "https://x.com/c.webp" }, { url = "d" } } } }
            """#
        let decision = try decision(.enrich, rules: rules)
        #expect(decision.content.attachments == [Content.Attachment(url: "https://x.com/a.png", type: nil, budgetSeconds: 25)])
        #expect(decision.warnings.map(\.code) == [.insecureURL, .attachmentType, .invalidURL])
        #expect(decision.display?.action == .show)
        let none = try self.decision(
            .enrich, rules: #"rule "R" { on = "enrich", decide = { attachments = { { url = "http://x.com/b.png" } } } }"#)
        #expect(none.content.attachments == nil)
    }

    @Test(
        "The manifest can turn every guard off or make it a warning",
        arguments: [
            ("permission", #""permission":"denied""#, ""), ("app_switch", #""app_push":false"#, ""),
            ("channel_switch", "", "unknown_channel = false, channels = { a = {} }"),
        ])
    func modes(name: String, device: String, app: String) throws {
        let other = app.isEmpty ? "" : app + ", "
        #expect(try decision(.present, device: device, app: app).display?.rule == "guard:\(name)")
        let off = try decision(.present, device: device, app: other + #"guards = { \#(name) = "off" }"#)
        #expect(off.display?.action == .show && off.warnings.isEmpty)
        let warned = try decision(.present, device: device, app: other + #"guards = { \#(name) = "warn" }"#)
        #expect(warned.display?.action == .show)
        #expect(warned.warnings.map(\.code) == [.guardWarning])
    }

    @Test("What a rule has suppressed keeps the rule's name and reason")
    func ruleFirst() throws {
        let decision = try decision(
            .present, device: #""permission":"denied""#, rules: #"rule "R" { on = "present", decide = suppress "because" }"#)
        #expect(decision.display?.rule == "R" && decision.display?.reason == "because")
    }
}
