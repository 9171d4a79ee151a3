// What app.lua returns: the keys that ManifestReader reads, nested ones included.
import PushMessage
import RuleEngine

enum AppTable {
    private static let offers = #"{"message_id": "m-1", "aps": {"alert": "hi"}, "channel": "offers"}"#
    private static let quiet = #"{"display": {"action": "suppress"}}"#

    static let table = Table(
        "app", "what app.lua returns: what the app is, and where texts are found",
        [
            Key(
                "api", .integer(1...1), .needed, "the version of the rule language, 1",
                .app("return { api = 1 }", gives: #"{"display": {"action": "show"}}"#)),
            Key("title", .text, "the app's name for people", .app("return { api = 1, title = \"Shop\" }", gives: #"{"app": "example"}"#)),
            Key(
                "timezone", .form(.zone), .optional(otherwise: "UTC"), "where people are whose phone does not say",
                .app(
                    "return { api = 1, timezone = \"Asia/Seoul\" }",
                    rules:
                        "rule \"Hour\" { on = \"present\", decide = function() return { labels = { hour = tostring(time.wall.hour) } } end }",
                    gives: #"{"labels": {"hour": "21"}}"#)),
            Key(
                "locale", .form(.locale), "the language of people whose phone does not say, and of texts that theirs does not have",
                .app(
                    "return { api = 1, locale = \"en\" }",
                    rules: "rule \"Hello\" { on = \"present\", decide = function() return { title = text.tr \"hello\" } end }",
                    gives: #"{"content": {"title": "Hello"}}"#, Example.Scene(strings: "return { hello = \"Hello\" }"))),
            Key(
                "tabs", .list(.text), "the app's tabs; others are noticed where rules name them",
                .app("return { api = 1, tabs = { \"home\", \"chat\" } }", gives: #"{"display": {"action": "show"}}"#)),
            Key(
                "channels", .map(.table(channel), by: "the channel's code"), "the switches that the app shows to people, by their codes",
                details: ["Without it no channel switch is looked at."],
                .app(
                    "return { api = 1, channels = { offers = { title = \"Offers\", default = false } } }", gives: quiet,
                    Example.Scene("present", offers))),
            Key(
                "unknown_channel", .truth, .optional(otherwise: "true"),
                "whether a message of a channel that is not listed, or of none, is shown",
                .app(
                    "return { api = 1, channels = { news = {} }, unknown_channel = false }", gives: quiet, Example.Scene("present", offers))
            ),
            Key(
                "fields", .map(ValueType.form(.fieldPath).oneOrMore, by: "a field of msg"),
                "where else the fields of a message may stand: paths that are tried in turn, before the usual places",
                details: [
                    "A path goes from the message as it was sent: data.title, list[0].name, [\"odd key\"].x. With json: in front the part before | may be text that holds JSON. Any field of msg may be mapped but "
                        + MessageField.allCases.filter { !$0.isMappable }.map { "\($0.name)" }.joined(separator: ", ") + "."
                ],
                .app(
                    "return { api = 1, fields = { title = { \"headline\", \"json:extra|title\" } } }",
                    rules: "rule \"Title\" { on = \"present\", decide = function(msg) return { labels = { title = msg.title } } end }",
                    gives: #"{"labels": {"title": "Hello"}}"#,
                    Example.Scene("present", #"{"aps": {"alert": {"body": "hi"}}, "extra": "{\"title\":\"Hello\"}"}"#))),
            Key(
                "links", .table(links), "which links a tap may lead to, and where they stand",
                .app(
                    "return { api = 1, links = { schemes = { \"shop\" }, fallback = \"shop://home\" } }",
                    rules: "rule \"Tap\" { on = \"open\", decide = function(msg) return { route = msg.link } end }",
                    gives: #"{"route": {"url": "shop://home"}}"#,
                    Example.Scene("open", #"{"aps": {"alert": "hi"}, "link": "https://example.com"}"#))),
            Key(
                "topics", .list(.form(.topicTemplate)),
                "the topics of whoever is logged in, with {recipient} or {account} for the person's id",
                .app(
                    "return { api = 1, topics = { \"APPPUSH%{account}\", \"everybody\" } }",
                    gives: #"{"topics": [{"op": "subscribe", "topic": "APPPUSH%u-1"}, {"op": "subscribe", "topic": "everybody"}]}"#,
                    Example.Scene(#"{"name": "account", "op": "login", "account": "u-1"}"#, nil))),
            Key(
                "limits", .table(limits), "lower limits than the host's; higher ones do not count",
                .app("return { api = 1, limits = { fuel = 200000, milliseconds = 5 } }", gives: #"{"display": {"action": "show"}}"#)),
            Key(
                "dedupe", .table(dedupe), "how long a message is recognised as one that was here already",
                .app("return { api = 1, dedupe = { window = \"7d\" } }", gives: #"{"display": {"action": "show"}}"#)),
            Key(
                "on_error", .words(AuthorVocabulary.errorAnswers), .optional(otherwise: "\"show\": the message as it was sent"),
                "what to do with a message when a rule failed and no other has decided about its display",
                .app(
                    "return { api = 1, on_error = \"suppress\" }",
                    rules: "rule \"Fails\" { on = \"present\", decide = function() error \"no\" end }",
                    gives: #"{"display": {"action": "suppress"}, "errors": [{"code": "rule_raised"}]}"#)),
            Key(
                "guards", .map(.either([.truth, .words(AuthorVocabulary.guardModes)]), by: "the name of a guard"),
                "built-in guards that are put to sleep, false or \"off\", or only say what they would do, \"warn\"",
                details: ["`rulehost docs guards` lists them."],
                .app(
                    "return { api = 1, guards = { empty = \"warn\" } }",
                    gives: #"{"display": {"action": "show"}, "warnings": [{"code": "guard_warning"}]}"#,
                    Example.Scene("present", #"{"message_id": "m-1", "aps": {"alert": " "}}"#))),
        ])

    static let channel = Table(
        "app.channels", "one switch that the app shows to people",
        [
            Key(
                "title", .text, "the channel's name for people",
                .app(
                    "return { api = 1, channels = { offers = { title = \"Offers\" } } }", gives: #"{"display": {"action": "show"}}"#,
                    Example.Scene("present", offers))),
            Key(
                "default", .truth, .optional(otherwise: "true"), "whether it is on for somebody who never touched it",
                .app("return { api = 1, channels = { offers = { default = false } } }", gives: quiet, Example.Scene("present", offers))),
            Key(
                "critical", .truth, .optional(otherwise: "false"),
                "true: it comes through switches and quiet hours, never through a permission that was denied",
                .app(
                    "return { api = 1, channels = { offers = { default = false, critical = true } } }",
                    gives: #"{"display": {"action": "show"}}"#,
                    Example.Scene("present", offers))),
        ])

    private static func tap(_ link: String) -> Example.Scene {
        Example.Scene("open", #"{"aps": {"alert": "hi"}, "link": ""# + link + "\"}")
    }
    private static let toLink = "rule \"Tap\" { on = \"open\", decide = function(msg) return { route = msg.link } end }"

    static let links = Table(
        "app.links", "which links a tap may lead to, and where they stand",
        [
            Key(
                "schemes", .list(.form(.scheme)), .optional(otherwise: "every scheme but javascript, data, file, blob and vbscript"),
                "the schemes that are allowed",
                .app(
                    "return { api = 1, links = { schemes = { \"shop\" } } }", rules: toLink,
                    gives: #"{"route": null, "warnings": [{"code": "link_not_allowed"}]}"#,
                    tap("https://example.com"))),
            Key(
                "hosts", .list(.form(.host)), .optional(otherwise: "any host"), "the hosts that http and https may lead to",
                .app(
                    "return { api = 1, links = { hosts = { \"*.example.com\" } } }", rules: toLink,
                    gives: #"{"route": {"url": "https://shop.example.com/cart"}}"#, tap("https://shop.example.com/cart"))),
            Key(
                "fallback", .form(.url), .optional(otherwise: "nowhere"), "where a tap leads in place of a link that is not allowed",
                .app(
                    "return { api = 1, links = { schemes = { \"shop\" }, fallback = \"shop://home\" } }", rules: toLink,
                    gives: #"{"route": {"url": "shop://home"}}"#, tap("https://example.com"))),
            Key(
                "order", .list(.text), "the places that may hold a link, in the order in which they are tried",
                .app(
                    "return { api = 1, links = { order = { \"url\", \"link\" } } }", rules: toLink,
                    gives: #"{"route": {"url": "shop://b"}}"#,
                    Example.Scene("open", #"{"aps": {"alert": "hi"}, "link": "shop://a", "url": "shop://b"}"#))),
        ])

    private static func limit(_ line: String) -> Example {
        .app("return { api = 1, limits = { \(line) } }", gives: #"{"display": {"action": "show"}}"#)
    }

    static let limits = Table(
        "app.limits", "lower limits than the host's",
        [
            Key("fuel", .integer(1...Int.max), "the fuel of one message; a unit is about ten nanoseconds", limit("fuel = 200000")),
            Key("memory_bytes", .integer(1...Int.max), "all memory of the app's scripts", limit("memory_bytes = 2000000")),
            Key("milliseconds", .integer(1...Int.max), "processor time of one message, as a net under the fuel", limit("milliseconds = 5")),
        ])

    private static let window = ValueType.either([.form(.duration), .integer(0...AuthorVocabulary.longestSeconds)])

    static let dedupe = Table(
        "app.dedupe", "how long a message is recognised as one that was here already",
        [
            Key(
                "window", window, .optional(otherwise: "28 days"), "by its id",
                .app("return { api = 1, dedupe = { window = \"7d\" } }", gives: #"{"display": {"action": "show"}}"#)),
            Key(
                "content_window", window, .optional(otherwise: "5 seconds"), "by what it says, where it has no id",
                .app("return { api = 1, dedupe = { content_window = \"10s\" } }", gives: #"{"display": {"action": "show"}}"#)),
        ])
}
