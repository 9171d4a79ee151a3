// The keys of a rule, and of the tables in them: what RuleReader, MatcherReader, TimingReader and LimitReader read.
import PushMessage
import RuleEngine

enum RuleTable {
    static let table = Table(
        "rule", "a rule: when it speaks, and what it wants", Array([main, matchers, functions, timing, order].joined()))

    private static func quietly(_ line: String, on event: String = "present", _ scene: Example.Scene) -> Example {
        .rules(
            """
            rule "Example" {
              on     = "\(event)",
              \(line),
              decide = suppress "it fits",
            }
            """, gives: #"{"display": {"action": "suppress", "rule": "Example"}}"#, scene)
    }

    private static let main: [Key] = [
        Key(
            "on", ValueType.words(EventName.allCases.map(\.rawValue)).oneOrMore, .needed,
            "the event, or a list of events, at which the rule is asked",
            details: ["`rulehost docs events` lists them."],
            .rules(
                "rule \"Quiet\" { on = { \"send\", \"present\" }, decide = { display = { \"list\" } } }",
                gives: #"{"display": {"action": "show", "options": ["list"]}}"#, Example.Scene("send")))
    ]

    // MARK: matchers

    private static let matchers = Matcher.Field.allCases.map(matcher)

    private static func message(_ more: String) -> Example.Scene {
        Example.Scene("present", #"{"message_id": "m-1", "aps": {"alert": "hi"}, "# + more + "}")
    }
    private static func phone(_ device: String) -> Example.Scene { Example.Scene(device: "{\(device)}") }

    private static func matcher(_ field: Matcher.Field) -> Key {
        let name = field.rawValue
        switch field {
        case .channel:
            return Key(
                name, ValueType.text.oneOrMore, "fits a message of this channel, or of one of these",
                quietly("channel = \"offers\"", message(#""channel": "offers""#)))
        case .topic:
            return Key(
                name, ValueType.text.oneOrMore, "fits a message to this topic, or to one of these",
                quietly(
                    "topic  = \"news\"",
                    Example.Scene("present", #"{"message": {"topic": "news", "notification": {"title": "hi"}}}"#)))
        case .category:
            return Key(
                name, ValueType.text.oneOrMore, "fits a message of this category",
                quietly(
                    "category = \"INVITE\"",
                    Example.Scene("present", #"{"message_id": "m-1", "aps": {"alert": "hi", "category": "INVITE"}}"#)))
        case .state:
            return Key(
                name, ValueType.words(DeviceState.allCases.map(\.rawValue)).oneOrMore, "fits a phone on which the app is in this state",
                details: ["not_running is another word for terminated."],
                quietly("state  = \"foreground\"", phone(#""state": "foreground""#)))
        case .os:
            return Key(
                name, ValueType.words(AuthorVocabulary.systems).oneOrMore, "fits a phone with this system",
                quietly("os     = \"android\"", phone(#""os": {"name": "android"}"#)))
        case .minOS:
            return Key(
                name, ValueType.either([.form(.version), .integer(0...Int.max)]).oneOrMore,
                "fits a phone whose system has at least this version",
                details: ["Versions are compared number by number: 17.10 is later than 17.9, so that one with a point stands in quotes."],
                quietly("min_os = \"16.4\"", phone(#""os": {"name": "ios", "version": "17.10"}"#)))
        case .appVersion:
            return Key(
                name, ValueType.either([.form(.versionRequirement), .integer(0...Int.max)]).oneOrMore,
                "fits an app of this version, or compared with it: \">=3.2\", \"<4\"",
                quietly("app_version = \">=3.2\"", phone(#""app_version": "3.10.0""#)))
        case .locale:
            return Key(
                name, ValueType.form(.locale).oneOrMore, "fits a phone in this language; \"ko\" also fits ko-KR",
                quietly("locale = \"ko\"", phone(#""locale": "ko-KR""#)))
        case .tab:
            return Key(
                name, ValueType.text.oneOrMore, "fits while this tab is on the screen",
                quietly("tab    = \"chat\"", phone(#""state": "foreground", "screen": {"tab": "chat"}"#)))
        case .silent:
            return Key(
                name, .truth, "fits messages that show nothing (true), or all others (false)",
                .rules(
                    "rule \"Silent: fetched\" { on = \"receive\", silent = true, decide = { fetch_result = \"new_data\" } }",
                    gives: #"{"fetch_result": "new_data"}"#, Example.Scene("receive", #"{"aps": {"content-available": 1}}"#)))
        case .urgency:
            return Key(
                name, ValueType.words(AuthorVocabulary.urgencies).oneOrMore, "fits a message of this priority",
                quietly(
                    "urgency = \"high\"",
                    Example.Scene("present", #"{"headers": {"apns-priority": "10"}, "payload": {"aps": {"alert": "hi"}}}"#)))
        }
    }

    // MARK: functions

    private static let asked: [Parameter] = [
        Parameter("msg", .named("msg")), Parameter("device", .named("device")), Parameter("event", .named("event")),
    ]

    private static let functions: [Key] = [
        Key(
            "when", .function(asked, .anything), "a function that says whether the rule fits, for what no matcher says",
            details: [
                "It is asked after the matchers. Everything but nil and false is a yes. It may read state, but what it writes counts only with `decide`."
            ],
            quietly(
                "when   = function(msg, device) return device:is_showing(\"chat\", msg.data.chat_id) end",
                Example.Scene(
                    "present", #"{"message_id": "m-1", "aps": {"alert": "hi"}, "chat_id": "r-1"}"#,
                    device: #"{"state": "foreground", "screen": {"tab": "chat", "path": ["r-1"]}}"#))),
        Key(
            "decide", .either([.named("decide"), .function(asked, ValueType.named("decide").orNothing)]),
            .optional(otherwise: "the rule must be `final` or have `quiet` or `cap`"),
            "what the rule wants: a table, or a function that returns one, or nil for no wish",
            details: ["`rulehost docs decide` lists its fields."],
            .rules(
                "rule \"Say who wrote\" { on = \"present\", decide = function(msg) return { subtitle = \"from \" .. (msg.title or \"somebody\") } end }",
                gives: #"{"content": {"subtitle": "from Mina"}}"#, Example.Scene())),
    ]

    // MARK: hours, dates, shares

    private static let acting = EventName.allCases.filter(\.hasQuietHours)

    private static let timing: [Key] = [
        Key(
            "quiet", .table(QuietTable.table), at: acting, "hours of the day in which the rule only says that it is quiet",
            details: [
                "Within the hours a rule whose matchers and `when` fit suppresses, or does what `otherwise` says; its `decide` is not called. Messages of a critical channel know no quiet hours. The clock is the rule's zone, else the phone's, else the one in the person's settings, else app.lua's, else UTC."
            ],
            .rules(
                "rule \"Offers: never at night\" { on = \"send\", quiet = { \"21:00\", \"08:00\", otherwise = \"defer\" } }",
                gives: #"{"display": {"action": "defer", "until": {"local": "2026-01-02 08:00", "zone": "Europe/Berlin"}}}"#,
                Example.Scene("send", device: #"{"recipient": "u-1", "timezone": "Europe/Berlin"}"#, now: "2026-01-01T22:00:00Z"))),
        Key(
            "cap", .table(CapTable.table), at: acting, "how many messages of the rule one person is shown in a time",
            details: [
                "A message counts when it is shown in the end, once, whatever events it causes. While the cap is full the rule suppresses, or does what `otherwise` says; its `decide` is not called."
            ],
            .rules(
                "rule \"Offers: three a day\" { on = \"present\", cap = { 3, per = \"day\" } }",
                gives: #"{"display": {"action": "suppress", "reason": "cap", "detail": "3 of 3 shown in the last 24 hours"}}"#,
                Example.Scene(
                    state: #"{"caps": {"Offers: three a day": ["2026-01-01T09:00:00Z", "2026-01-01T10:00:00Z", "2026-01-01T11:00:00Z"]}}"#))
        ),
        Key(
            "rollout", .either([ShareTable.percent, .table(ShareTable.table("rule.rollout"))]),
            "the percent of all people for whom the rule is, always the same ones",
            details: ["A larger percent keeps the people of a smaller one. Without a recipient the rule does not fit, which is a warning."],
            .rules(
                "rule \"New wording\" { on = \"present\", rollout = 100, decide = { title = \"Only today\" } }",
                gives: #"{"content": {"title": "Only today"}}"#, Example.Scene())),
        Key(
            "holdout", .either([ShareTable.percent, .table(ShareTable.table("rule.holdout"))]),
            "the percent of all people for whom the rule is not",
            details: ["With the same salt it is for exactly those that a rollout of the same percent leaves out."],
            .rules(
                "rule \"New wording\" { on = \"present\", holdout = 0, decide = { title = \"Only today\" } }",
                gives: #"{"content": {"title": "Only today"}}"#, Example.Scene())),
        Key(
            "starts", .either([.form(.boundary), .table(BoundaryTable.table("rule.starts"))]),
            "from when on the rule counts; a date alone is the beginning of that day",
            quietly("starts = \"2026-01-01\"", Example.Scene())),
        Key(
            "expires", .either([.form(.boundary), .table(BoundaryTable.table("rule.expires"))]),
            "until when the rule counts; a date alone is through the end of that day",
            quietly("expires = \"2026-12-24\"", Example.Scene())),
    ]

    // MARK: order

    private static let order: [Key] = [
        Key(
            "priority", .anyNumber, .optional(otherwise: "0"), "a higher one is asked first; then by file, then by place in the file",
            .rules(
                """
                rule "Second" { on = "present", decide = { title = "second" } }
                rule "First" { on = "present", priority = 10, decide = { title = "first" } }
                """, gives: #"{"content": {"title": "first"}}"#, Example.Scene())),
        Key(
            "final", .truth, .optional(otherwise: "false"), "true: when the rule fits, no later rule is asked, even if decide gives nil",
            .rules(
                """
                rule "Stop" { on = "present", final = true }
                rule "Never asked" { on = "present", decide = suppress "later" }
                """, gives: #"{"display": {"action": "show"}}"#, Example.Scene())),
        Key(
            "override", .truth, .optional(otherwise: "false"),
            "true: what the rule sets replaces what earlier rules have set, a suppress too",
            .rules(
                """
                rule "Quiet" { on = "present", decide = suppress "quiet" }
                rule "But not this one" { on = "present", override = true, decide = { display = "show" } }
                """, gives: #"{"display": {"action": "show", "rule": "But not this one"}}"#, Example.Scene())),
        Key(
            "enabled", .truth, .optional(otherwise: "true"), "false puts the rule to sleep",
            .rules(
                "rule \"Asleep\" { on = \"present\", enabled = false, decide = suppress \"no\" }",
                gives: #"{"display": {"action": "show"}}"#, Example.Scene())),
        Key("note", .text, "a note for people", quietly("note   = \"asked for by support\"", Example.Scene())),
    ]
}

enum QuietTable {
    private static func example(_ quiet: String, gives: String = #"{"display": {"action": "suppress"}}"#) -> Example {
        .rules(
            "rule \"Quiet\" { on = \"present\", quiet = { \(quiet) } }", gives: gives,
            Example.Scene(device: #"{"recipient": "u-1", "timezone": "Europe/Berlin"}"#, now: "2026-01-01T22:00:00Z"))
    }

    static let table = Table(
        "rule.quiet", "hours of the day in which a rule is quiet",
        [
            Key(
                "from", .form(.timeOfDay), .needed, place: 1, "the time from which it is quiet, inclusive",
                example("from = \"21:00\", to = \"08:00\"")),
            Key(
                "to", .form(.timeOfDay), .needed, place: 2,
                "the time until which it is quiet, exclusive; an earlier one than `from` is the next day's",
                details: ["\"24:00\" is the end of the day; twice the same time means never."], example("\"21:00\", \"08:00\"")),
            Key(
                "zone", .form(.zone), .optional(otherwise: "the person's clock"), "the clock that counts",
                example("\"21:00\", \"08:00\", zone = \"UTC\"")),
            Key(
                "days", ValueType.words(AuthorVocabulary.weekdays).oneOrMore, .optional(otherwise: "every day"),
                "the days on which the hours begin",
                example("\"21:00\", \"08:00\", days = { \"mon\", \"thu\" }")),
            Key(
                "otherwise", .words(RuleQuiet.Otherwise.allCases.map(\.rawValue)), .optional(otherwise: "\"suppress\""),
                "what happens in the hours: not shown, held back until they are over, or into the list without noise",
                example("\"21:00\", \"08:00\", otherwise = \"list\"", gives: #"{"display": {"action": "show", "options": ["list"]}}"#)),
        ])
}

enum CapTable {
    private static func example(_ cap: String) -> Example {
        .rules(
            "rule \"Capped\" { on = \"present\", cap = { \(cap) } }", gives: #"{"display": {"action": "suppress", "reason": "cap"}}"#,
            Example.Scene(state: #"{"caps": {"Capped": ["2026-01-01T11:59:30Z"], "offers": ["2026-01-01T11:59:30Z"]}}"#))
    }

    static let table = Table(
        "rule.cap", "how many messages of a rule one person is shown in a time",
        [
            Key("n", .integer(1...Int(Int32.max)), .needed, place: 1, "how many", example("1, per = \"day\"")),
            Key(
                "per", .either([.words(AuthorVocabulary.capUnits), .form(.duration), .integer(1...AuthorVocabulary.longestSeconds)]),
                .optional(otherwise: "\"day\""), "in which time: a unit, a duration, or a number of seconds", example("1, per = \"12h\"")),
            Key(
                "key",
                .either([
                    .text,
                    .function(
                        [Parameter("msg", .named("msg")), Parameter("device", .named("device")), Parameter("event", .named("event"))],
                        ValueType.text.orNothing),
                ]),
                .optional(otherwise: "the rule's name"),
                "rules with the same key count together; a function counts each room or each sender alone",
                example("1, key = \"offers\"")),
            Key(
                "window", .words(AuthorVocabulary.capWindows), .optional(otherwise: "\"rolling\""),
                "\"rolling\": the last 24 hours, for example; \"calendar\": today, or this week from Monday",
                example("1, per = \"day\", window = \"calendar\"")),
            Key(
                "otherwise", .words(RuleCap.Otherwise.allCases.map(\.rawValue)), .optional(otherwise: "\"suppress\""),
                "what happens when the cap is full: not shown, held back until there is room, or into the list without noise",
                .rules(
                    "rule \"Capped\" { on = \"present\", cap = { 1, per = \"day\", otherwise = \"list\" } }",
                    gives: #"{"display": {"action": "show", "options": ["list"]}}"#,
                    Example.Scene(state: #"{"caps": {"Capped": ["2026-01-01T11:59:30Z"]}}"#))),
        ])
}

enum ShareTable {
    static let percent = ValueType.integer(0...100)

    static func table(_ name: String) -> Table {
        let key = name.split(separator: ".").last.map(String.init) ?? name
        let all = key == "rollout" ? 100 : 0
        let shown = #"{"content": {"title": "New"}}"#
        return Table(
            name, "a part of all people",
            [
                Key(
                    "percent", percent, .needed, place: 1, "how many of a hundred",
                    .rules(
                        "rule \"New\" { on = \"present\", \(key) = { percent = \(all) }, decide = { title = \"New\" } }", gives: shown,
                        Example.Scene())),
                Key(
                    "salt", .text, .optional(otherwise: "the rule's name"), "rules with the same salt are for the same people",
                    .rules(
                        "rule \"New\" { on = \"present\", \(key) = { \(all), salt = \"wording\" }, decide = { title = \"New\" } }",
                        gives: shown, Example.Scene())),
            ])
    }
}

enum BoundaryTable {
    static func table(_ name: String) -> Table {
        let key = name.split(separator: ".").last.map(String.init) ?? name
        let date = key == "starts" ? "2026-01-01" : "2026-12-24 18:00"
        let example = Example.rules(
            "rule \"Dated\" { on = \"present\", \(key) = { \"\(date)\", zone = \"Asia/Seoul\" }, decide = { title = \"New\" } }",
            gives: #"{"content": {"title": "New"}}"#, Example.Scene())
        return Table(
            name, "a date with a zone of its own",
            [
                Key("at", .form(.boundary), .needed, place: 1, "the date", example),
                Key("zone", .form(.zone), .optional(otherwise: "the person's clock"), "the clock that counts", example),
            ])
    }
}
