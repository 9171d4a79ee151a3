// The fields of what `decide` gives: those that ContributionReader reads, nested ones included.
import RuleEngine

enum DecideTable {
    static let holdUntil = ValueType.either([
        .words(["resume"]), .form(.duration), .form(.timeOfDay), .form(.wallTime), .form(.instant), .anyInteger,
    ])
    static let route = ValueType.either([.form(.url), .table(routeTable), .only(false)])

    private static func decide(
        _ fields: String, on event: String = "present", gives: String, _ scene: Example.Scene? = nil
    ) -> Example {
        .rules("rule \"Example\" { on = \"\(event)\", decide = { \(fields) } }", gives: gives, scene ?? Example.Scene(event))
    }

    static let table = Table(
        "decide", "what a rule wants of the decision; a field that is left out is no wish",
        Array([display, content, [badge], others].joined()))

    private static let others: [Key] = [
        Key(
            "route", route, "where a tap leads: a link, a place in the app, or false for nowhere",
            details: [
                "At `open` it is the way of the tap; at `send`, `enrich` and `present` it is given to the app together with the message. An app that has to start first gets it again, once, at `resume`."
            ],
            decide(
                "route = { tab = \"chat\", path = { \"room-1\" } }", on: "open", gives: #"{"route": {"tab": "chat", "path": ["room-1"]}}"#)),
        Key(
            "topics", .either([.table(topics), .list(.table(topicOperation))]),
            "topics to join and to leave; as a list where the order counts",
            details: ["Of the table the topics to leave come first. What changes nothing is left out of the answer."],
            decide("topics = { subscribe = { \"news\" } }", gives: #"{"topics": [{"op": "subscribe", "topic": "news"}]}"#)),
        Key(
            "fetch_result", .words(AuthorVocabulary.fetchResults), .optional(otherwise: "new_data when a rule fitted, else no_data"),
            at: [.receive],
            "what the app answers to the phone at `receive`",
            decide(
                "fetch_result = \"new_data\"", on: "receive", gives: #"{"fetch_result": "new_data"}"#,
                Example.Scene("receive", #"{"message_id": "m-1", "aps": {"content-available": 1}}"#))),
        Key(
            "inbox", .anything, "a value for the app: kept, and handed over at `resume`, once, in order",
            details: [
                "There is room for \(AuthorVocabulary.inboxValues) values and \(AuthorVocabulary.inboxBytes >> 10) KiB; beyond it the oldest leave, with the warning inbox_full."
            ],
            decide("inbox = { order = 7 }", gives: #"{"inbox": {"order": 7}}"#)),
        Key(
            "labels", .map(.text, by: "the label's name"), "texts by name, for statistics and logs",
            details: ["Of several rules the first one's labels count, all of them."],
            decide("labels = { campaign = \"spring\" }", gives: #"{"labels": {"campaign": "spring"}}"#)),
    ]

    // MARK: display

    private static let canDefer = EventName.allCases.filter(\.canDefer) + [.due]

    private static let display: [Key] = [
        Key(
            "display", .either([.list(.words(AuthorVocabulary.displayOptions)), .words(AuthorVocabulary.displays)]),
            "how the message is shown: a list of options, \"show\" for all of them, \"suppress\", or \"defer\" to hold it back",
            details: ["Suppress beats defer beats show, whatever the order of rules."],
            decide("display = { \"banner\", \"list\" }", gives: #"{"display": {"action": "show", "options": ["banner", "list"]}}"#)),
        Key(
            "reason", .text, "a sentence for whoever asks why",
            decide("display = \"suppress\", reason = \"offers are quiet\"", gives: #"{"display": {"reason": "offers are quiet"}}"#)),
        Key(
            "hold_until", holdUntil, .optional(otherwise: "\"resume\": when the app is opened"), at: canDefer,
            "with \"defer\": for how long or until when",
            details: [
                "A duration (\"2h30m\", or seconds), a time of day, a date with a time, an instant, a moment such as time.add gives, or \"resume\"."
            ],
            decide(
                "display = \"defer\", hold_until = \"2h\"", on: "send",
                gives: #"{"display": {"action": "defer", "until": {"at": "2026-01-01T14:00:00Z"}}}"#)),
        Key(
            "pin", .truth, .optional(otherwise: "false: by the rules that are there then"), at: canDefer,
            "with \"defer\": true = to be decided by the rules of now",
            decide(
                "display = \"defer\", hold_until = \"2h\", pin = true", on: "send", gives: #"{"display": {"action": "defer"}}"#)),
    ]

    // MARK: content

    private static func replaced(_ field: String, _ meaning: String, _ value: String, type: ValueType = .text, json: String) -> Key {
        Key(
            field, type, "replaces the message's \(meaning)", decide("\(field) = \(value)", gives: "{\"content\": {\"\(field)\": \(json)}}")
        )
    }

    private static let content: [Key] = [
        replaced("title", "title", "\"Only today\"", json: "\"Only today\""),
        replaced("subtitle", "subtitle", "\"until 8 pm\"", json: "\"until 8 pm\""),
        replaced("body", "text", "\"Everything must go\"", json: "\"Everything must go\""),
        replaced("sound", "sound; \"none\" is no sound", "\"bell.caf\"", json: "\"bell.caf\""),
        replaced("category", "category, which chooses the buttons", "\"INVITE\"", json: "\"INVITE\""),
        replaced("thread", "thread, by which the phone groups", "\"room-1\"", json: "\"room-1\""),
        replaced(
            "interruption_level", "interruption level", "\"passive\"", type: .words(AuthorVocabulary.interruptionLevels),
            json: "\"passive\""),
        replaced("relevance", "relevance, by which the phone sorts", "0.5", type: .number(0...1), json: "0.5"),
        Key(
            "attachments", .list(.table(attachment)), "pictures, sounds or films that the notification shows",
            details: [
                "Only https, and only of a message with mutable-content 1 and an alert. A phone shows the first one that it can fetch."
            ],
            decide(
                "attachments = { { url = \"https://img.example.com/a.jpg\" } }", on: "enrich",
                gives: #"{"content": {"attachments": [{"url": "https://img.example.com/a.jpg"}]}}"#,
                Example.Scene("enrich", #"{"message_id": "m-1", "aps": {"alert": "hi", "mutable-content": 1}}"#))),
    ]

    static let attachment = Table(
        "decide.attachments", "one picture, sound or film",
        [
            Key(
                "url", .form(.url), .needed, "where it is, over https",
                decide(
                    "attachments = { { url = \"https://img.example.com/a.png\" } }", on: "enrich",
                    gives: #"{"content": {"attachments": [{"url": "https://img.example.com/a.png"}]}}"#,
                    Example.Scene("enrich", #"{"message_id": "m-1", "aps": {"alert": "hi", "mutable-content": 1}}"#))),
            Key(
                "type", .text, .optional(otherwise: "what the address or its first bytes say"), "its media type",
                decide(
                    "attachments = { { url = \"https://img.example.com/a\", type = \"image/jpeg\" } }", on: "enrich",
                    gives: #"{"content": {"attachments": [{"type": "image/jpeg", "extension": "jpg"}]}}"#,
                    Example.Scene("enrich", #"{"message_id": "m-1", "aps": {"alert": "hi", "mutable-content": 1}}"#))),
        ])

    // MARK: badge

    private static let badge = Key(
        "badge", .either([.count, .form(.badgeChange), .words(["clear"]), .table(badgeTable)]),
        "the number on the icon: 5 sets it, \"+1\" and \"-1\" change it, \"clear\" is 0",
        details: [
            "A change counts once for a message, at the first event at which it is shown; a number counts at each event. It never falls below 0."
        ],
        decide(
            "badge = \"+1\"", gives: #"{"badge": {"value": 4, "change": 1}}"#, Example.Scene(device: #"{"recipient": "u-1", "badge": 3}"#)))

    static let badgeTable = Table(
        "decide.badge", "a change of the badge",
        [
            Key(
                "add", .integer(-Int(Int32.max)...Int(Int32.max)), .needed, "what is added, also below 0",
                decide("badge = { add = 2 }", gives: #"{"badge": {"value": 2, "change": 2}}"#)),
            Key(
                "even_if_suppressed", .truth, .optional(otherwise: "false"), "true: it counts also when the message is not shown",
                decide(
                    "display = \"suppress\", badge = { add = 1, even_if_suppressed = true }",
                    gives: #"{"display": {"action": "suppress"}, "badge": {"value": 1}}"#)),
        ])

    // MARK: route

    private static func way(_ route: String, gives: String) -> Example {
        decide("route = { \(route) }", on: "open", gives: "{\"route\": {\(gives)}}")
    }

    static let routeTable = Table(
        "decide.route", "a place in the app; at least one of tab, path, url and account",
        [
            Key("tab", .text, "the tab to choose", way("tab = \"cart\"", gives: #""tab": "cart""#)),
            Key(
                "path", .list(.either([.text, .anyInteger])), "the screens to open above it, outermost first",
                way("tab = \"chat\", path = { \"room-1\" }", gives: #""path": ["room-1"]"#)),
            Key("url", .form(.url), "a link", way("url = \"shop://cart\"", gives: #""url": "shop://cart""#)),
            Key(
                "mode", .words(AuthorVocabulary.routeModes), .optional(otherwise: "\"replace\""),
                "\"replace\" the open screens, or \"push\" on top of them",
                way("tab = \"cart\", mode = \"push\"", gives: #""mode": "push""#)),
            Key("account", .text, "the account to switch to first", way("tab = \"cart\", account = \"u-2\"", gives: #""account": "u-2""#)),
        ])

    // MARK: topics

    private static let topicList = ValueType.list(.form(.topic))

    static let topics = Table(
        "decide.topics", "topics to leave, then topics to join",
        [
            Key(
                "subscribe", topicList, "topics to join",
                decide("topics = { subscribe = { \"news\" } }", gives: #"{"topics": [{"op": "subscribe", "topic": "news"}]}"#)),
            Key(
                "unsubscribe", topicList, "topics to leave",
                decide(
                    "topics = { unsubscribe = { \"news\" } }", gives: #"{"topics": [{"op": "unsubscribe", "topic": "news"}]}"#,
                    Example.Scene(device: #"{"recipient": "u-1", "topics": ["news"]}"#))),
        ])

    static let topicOperation = Table(
        "decide.topics.list", "one operation of a list, where the order counts",
        [
            Key(
                "op", .words(AuthorVocabulary.topicOperations), .needed, "to join or to leave",
                decide(
                    "topics = { { op = \"subscribe\", topic = \"news\" } }", gives: #"{"topics": [{"op": "subscribe", "topic": "news"}]}"#)),
            Key(
                "topic", .form(.topic), .needed, "the topic",
                decide(
                    "topics = { { op = \"subscribe\", topic = \"news\" } }", gives: #"{"topics": [{"op": "subscribe", "topic": "news"}]}"#)),
        ])
}
