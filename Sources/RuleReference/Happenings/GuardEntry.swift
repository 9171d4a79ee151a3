// The built-in guards, which look after the rules and say so in the answer.
public import RuleEngine

public struct GuardEntry: Sendable {
    public let name: GuardName
    /// A sentence without a full stop.
    public let summary: String
    public let example: Example

    public static let all = GuardName.allCases.map(GuardEntry.init)

    private init(_ name: GuardName) {
        self.name = name
        (summary, example) = GuardEntry.told(name)
    }

    private static func suppresses(_ name: GuardName) -> String {
        "{\"display\": {\"action\": \"suppress\", \"rule\": \"\(name.speaker)\"}}"
    }
    private static let offers = #"{"message_id": "m-1", "aps": {"alert": "hi"}, "channel": "offers"}"#

    private static func told(_ name: GuardName) -> (String, Example) {
        switch name {
        case .duplicate:
            (
                "a copy of a message that was here already at this event is not shown again",
                .app("return { api = 1 }", gives: suppresses(name), Example.Scene(state: #"{"seen": [{"id": "m-1", "event": "present"}]}"#))
            )
        case .expired:
            (
                "past its time to live, or a message of the console after its hours: not shown",
                .app(
                    "return { api = 1 }", gives: suppresses(name),
                    Example.Scene("present", #"{"headers": {"apns-expiration": "1767182400"}, "payload": {"aps": {"alert": "hi"}}}"#))
            )
        case .permission:
            (
                "not allowed in the phone's settings: not shown; allowed quietly (provisional): into the list",
                .app("return { api = 1 }", gives: suppresses(name), Example.Scene(device: #"{"recipient": "u-1", "permission": "denied"}"#))
            )
        case .appSwitch:
            (
                "switched off in the app: not shown, unless the channel is critical",
                .app("return { api = 1 }", gives: suppresses(name), Example.Scene(device: #"{"recipient": "u-1", "app_push": false}"#))
            )
        case .channelSwitch:
            (
                "its channel is switched off: not shown, unless it is critical",
                .app(
                    "return { api = 1, channels = { offers = { default = false } } }", gives: suppresses(name),
                    Example.Scene("present", offers))
            )
        case .empty:
            (
                "nothing to read, or only spaces: a blank banner is never shown",
                .app(
                    "return { api = 1 }", gives: suppresses(name),
                    Example.Scene("present", #"{"message_id": "m-1", "aps": {"alert": "  "}}"#))
            )
        case .account:
            (
                "for somebody who is not logged in here: not shown, and a tap leads nowhere",
                .app(
                    "return { api = 1, fields = { account = \"user\" } }", gives: suppresses(name),
                    Example.Scene(
                        "present", #"{"message_id": "m-1", "aps": {"alert": "hi"}, "user": "u-2"}"#,
                        device: #"{"recipient": "u-1", "accounts": ["u-1"]}"#))
            )
        case .notSubscribed:
            (
                "of a topic that the person has left, or with a condition that is not met: not shown, and the topic is left again",
                .app(
                    "return { api = 1 }", gives: suppresses(name),
                    Example.Scene(
                        "present", #"{"message": {"topic": "news", "notification": {"title": "hi"}}}"#,
                        device: #"{"recipient": "u-1", "topics": []}"#))
            )
        case .link:
            (
                "a link that app.lua does not allow, or a picture on the web: the fallback, or no way at all",
                .app(
                    "return { api = 1, links = { schemes = { \"shop\" }, fallback = \"shop://home\" } }",
                    rules: "rule \"Tap\" { on = \"open\", decide = route \"https://example.com\" }",
                    gives: #"{"route": {"url": "shop://home", "rule": "guard:link"}}"#, Example.Scene("open"))
            )
        case .osOptions:
            (
                "before iOS 14 there is no banner and no list: an alert in their place",
                .app(
                    "return { api = 1 }", gives: #"{"display": {"options": ["alert"]}}"#,
                    Example.Scene(device: #"{"recipient": "u-1", "os": {"name": "ios", "version": "13.7"}}"#))
            )
        case .attachment:
            (
                "a picture that is not https, too late, too large, or of a kind that phones do not show: left out, the text is shown",
                .app(
                    "return { api = 1 }",
                    rules:
                        "rule \"Picture\" { on = \"enrich\", decide = { attachments = { { url = \"https://img.example.com/a.pdf\" } } } }",
                    gives: #"{"display": {"action": "show"}, "warnings": [{"code": "attachment_type"}]}"#,
                    Example.Scene("enrich", #"{"message_id": "m-1", "aps": {"alert": "hi", "mutable-content": 1}}"#))
            )
        }
    }
}
