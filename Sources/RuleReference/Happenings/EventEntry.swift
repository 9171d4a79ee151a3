// The events: what is happening to a message, and what is answered when no rule says anything.
public import RuleEngine

public struct EventEntry: Sendable {
    public let event: EventName
    /// A sentence without a full stop.
    public let summary: String
    /// Whole paragraphs.
    public let details: [String]
    public let example: Example

    public static let all = EventName.allCases.map(EventEntry.init)

    private init(_ event: EventName) {
        let told = EventEntry.told(event)
        self.event = event
        summary = told.summary
        var details = told.details
        if event.displaysByDefault {
            details.append("Where no rule says anything the message is shown: banner, list, sound and badge if it has them.")
        } else if event != .receive {
            details.append("The answer has no display.")
        }
        if event.canDefer { details.append("A rule can hold the message back here.") }
        if event.hasQuietHours { details.append("`quiet` and `cap` act here.") }
        if event.needsDetails { details.append("It needs details: an object with the event's name and what happened.") }
        self.details = details
        example = told.example
    }

    private static func told(_ event: EventName) -> (summary: String, details: [String], example: Example) {
        switch event {
        case .send:
            (
                "the phone will show the message by itself, because the app is not in front",
                ["Asked by whoever sends the message. The decision has the `payload` to be sent in its place."],
                .rules(
                    "rule \"Sent: shorter\" { on = \"send\", decide = { body = \"hi\" } }", gives: #"{"content": {"body": "hi"}}"#,
                    Example.Scene("send"))
            )
        case .enrich:
            (
                "the same, and the message lets the app work on it first (mutable-content)",
                ["Asked by the notification service extension. `event.fetched` says what came of its pictures."],
                .rules(
                    "rule \"Picture\" { on = \"enrich\", decide = function(msg) return { attachments = { { url = msg.image } } } end }",
                    gives: #"{"content": {"attachments": [{"url": "https://img.example.com/a.jpg"}]}}"#,
                    Example.Scene(
                        "enrich",
                        #"{"message_id": "m-1", "aps": {"alert": "hi", "mutable-content": 1}, "fcm_options": {"image": "https://img.example.com/a.jpg"}}"#
                    ))
            )
        case .receive:
            (
                "the app gets the message without anything on the screen",
                ["The answer has `fetch_result`. A display means: post a local notification."],
                .rules(
                    "rule \"Fetched\" { on = \"receive\", decide = { fetch_result = \"new_data\" } }",
                    gives: #"{"fetch_result": "new_data"}"#,
                    Example.Scene("receive", #"{"message_id": "m-1", "aps": {"content-available": 1}}"#))
            )
        case .present:
            (
                "the app is in front and is asked whether to show the message", [],
                .rules(
                    "rule \"In front: quiet\" { on = \"present\", decide = { display = { \"list\" } } }",
                    gives: #"{"display": {"action": "show", "options": ["list"]}}"#, Example.Scene())
            )
        case .open:
            (
                "the person tapped", ["`event.action` is the action that was chosen; nil: the notification itself."],
                .rules(
                    "rule \"Tap\" { on = \"open\", decide = route \"shop://cart\" }", gives: #"{"route": {"url": "shop://cart"}}"#,
                    Example.Scene("open"))
            )
        case .resume:
            (
                "the app is in front and its screens are ready",
                [
                    "The answer hands over what has waited: the newest `route`, all `inbox` values, and decisions about messages held back until \"resume\"."
                ],
                .rules(
                    "rule \"Clean icon\" { on = \"resume\", decide = { badge = \"clear\" } }", gives: #"{"badge": {"value": 0}}"#,
                    Example.Scene("resume", nil, device: #"{"recipient": "u-1", "badge": 3}"#))
            )
        case .token:
            (
                "the phone has a new push token", ["The answer has `token_action`: register, wait, send_to_server or none."],
                .rules(
                    "rule \"Token\" { on = \"token\", decide = function(msg, device, event) return { labels = { kind = event.kind } } end }",
                    gives: #"{"token_action": "register", "labels": {"kind": "apns"}}"#,
                    Example.Scene(#"{"name": "token", "kind": "apns", "value": "abc"}"#, nil))
            )
        case .account:
            (
                "somebody logs in or out", ["The topics of app.lua are joined and left, in order."],
                .app(
                    "return { api = 1, topics = { \"user-{account}\" } }",
                    gives: #"{"topics": [{"op": "subscribe", "topic": "user-u-1"}]}"#,
                    Example.Scene(#"{"name": "account", "op": "login", "account": "u-1"}"#, nil))
            )
        case .settings:
            (
                "the person has touched switches", ["What was touched is remembered before rules are asked."],
                .rules(
                    "rule \"Offers off: leave\" {\n  on     = \"settings\",\n  when   = function() return not settings.get(\"offers\") end,\n  decide = { topics = { { op = \"unsubscribe\", topic = \"offers\" } } },\n}",
                    gives: #"{"topics": [{"op": "unsubscribe", "topic": "offers"}]}"#,
                    Example.Scene(
                        #"{"name": "settings", "changed": {"channels": {"offers": false}}}"#, nil,
                        device: #"{"recipient": "u-1", "topics": ["offers"]}"#))
            )
        case .due:
            (
                "a message that was held back is looked at again",
                ["The rules of the event that held it back are asked, and those with on = \"due\", each once."],
                .rules(
                    "rule \"Late\" { on = \"due\", decide = function(msg, device, event) return { labels = { late = event.deferred_id } } end }",
                    gives: #"{"display": {"action": "show"}, "labels": {"late": "m-1"}}"#,
                    Example.Scene(
                        #"{"name": "due", "deferred_id": "m-1"}"#, nil,
                        state:
                            #"{"deferred": [{"id": "m-1", "event": "send", "until": "resume", "message": {"message_id": "m-1", "aps": {"alert": "hi"}}}]}"#
                    ))
            )
        }
    }
}
