// What the engine gives to scripts beside the machine's own: state, settings, texts, time. They answer only while a
// message is decided. A test holds the list against the engine's.
import RuleEngine

enum HostFunctions {
    /// What crosses between a script and the engine; docs/sandbox.md has all prices.
    static let crossing = "30 units of fuel, 3 for each value that crosses and 1 for 8 bytes of it"

    private static func call(
        _ name: String, _ parameters: [Parameter], _ gives: ValueType..., summary: String, details: [String] = [], cost: String = crossing,
        _ example: Example
    ) -> Function {
        Function(
            name: name, use: .call(parameters, gives: gives), time: .whileDeciding, summary: summary, details: details, cost: cost,
            example: example)
    }

    private static let key = Parameter("key", .text, "1 to 128 bytes")
    private static let zone = Parameter("zone", .form(.zone), optional: true, "the person's clock without it")

    // MARK: state

    private static func state(_ table: String, of owner: String, quota: String, kept: String) -> [Function] {
        let isApp = table == "state.app"
        let before = isApp ? #"{"app": {"visits": 2, "visit_day": "mon"}}"# : #"{"recipient": {"visits": 2, "visit_day": "mon"}}"#
        let scene = Example.Scene("present", state: before)
        return [
            call(
                "\(table).get", [key], .anything, summary: "what is remembered for \(owner) under a key; nil for nothing",
                details: ["What an earlier rule of the same evaluation has written is seen. \(kept)"],
                .value("\(table).get(\"visits\")", gives: "2", scene)),
            call(
                "\(table).set",
                [key, Parameter("value", .anything), Parameter("options", .table(SmallTables.stateOptions), optional: true)], .nothing,
                summary: "remembers a value for \(owner)",
                details: [
                    "It is kept together with the decision, or not at all; a dry run keeps nothing. A key keeps the type of its value until it is deleted. \(quota)"
                ],
                .rules(
                    "rule \"Remember who wrote\" {\n  on     = \"present\",\n  decide = function(msg)\n    \(table).set(\"last\", msg.title or \"\", { ttl = \"7d\" })\n    return { labels = { last = \(table).get(\"last\") } }\n  end,\n}",
                    gives: #"{"labels": {"last": "Mina"}}"#, Example.Scene())),
            call(
                "\(table).incr", [key, Parameter("n", .anyInteger, optional: true, "1 without it")], .anyInteger,
                summary: "adds to a number that is remembered for \(owner), from 0 on, and gives the sum",
                .value("\(table).incr(\"visits\")", gives: "3", scene)),
            call(
                "\(table).delete", [key], .nothing, summary: "forgets what is remembered for \(owner) under a key",
                .rules(
                    "rule \"Forget\" {\n  on     = \"present\",\n  decide = function()\n    \(table).delete(\"visits\")\n    return { labels = { there = tostring(\(table).has(\"visits\")) } }\n  end,\n}",
                    gives: #"{"labels": {"there": "false"}}"#, scene)),
            call(
                "\(table).keys", [Parameter("prefix", .text, optional: true)], .list(.text),
                summary: "the keys that are remembered for \(owner), sorted; only those that begin so",
                .value("\(table).keys(\"visit\")", gives: #"["visit_day", "visits"]"#, scene)),
            call(
                "\(table).has", [key], .truth, summary: "whether something is remembered for \(owner) under a key",
                .value("\(table).has(\"visits\")", gives: "true", scene)),
        ]
    }

    static let state: [Function] =
        state(
            "state", of: "the person", quota: "A person's state has room for 64 KiB.",
            kept: "Nothing of it is seen by another person or app.")
        + state("state.app", of: "the whole app", quota: "An app's state has room for 1 MiB.", kept: "All people of the app share it.")

    // MARK: settings, log, text, bucket

    static let others: [Function] = [
        call(
            "settings.get", [Parameter("code", .text)], .truth, summary: "whether a channel is on for this person",
            details: ["What the phone says counts first, then what is remembered, then app.lua."],
            .value("settings.get(\"offers\")", gives: "false", Example.Scene(state: #"{"settings": {"offers": false}}"#))),
        call(
            "settings.set", [Parameter("code", .text), Parameter("on", .truth)], .nothing,
            summary: "remembers that a channel is on or off for this person",
            .rules(
                "rule \"Tap on an offer: more of them\" {\n  on     = \"open\",\n  decide = function()\n    settings.set(\"offers\", true)\n    return { labels = { offers = tostring(settings.get(\"offers\")) } }\n  end,\n}",
                gives: #"{"labels": {"offers": "true"}}"#, Example.Scene("open", state: #"{"settings": {"offers": false}}"#))),
        call(
            "settings.reset", [], .nothing, summary: "forgets which channels this person has switched: app.lua says again what is on",
            .rules(
                "rule \"Login: switches as new\" {\n  on     = \"account\",\n  decide = function()\n    settings.reset()\n    return { labels = { offers = tostring(settings.get(\"offers\")) } }\n  end,\n}",
                gives: #"{"labels": {"offers": "true"}}"#,
                Example.Scene(#"{"name": "account", "op": "login", "account": "u-1"}"#, nil, state: #"{"settings": {"offers": false}}"#))),
        call(
            "log", [Parameter("value", .anything)], .nothing, summary: "writes a line into the trace: rulehost eval --trace shows it",
            details: ["At most 4 KiB a decision; without a trace it does nothing."],
            .rules(
                "rule \"Say what was seen\" { on = \"present\", decide = function(msg) log(msg.title) return { labels = { logged = \"yes\" } } end }",
                gives: #"{"labels": {"logged": "yes"}}"#, Example.Scene())),
        call(
            "text.fill", [Parameter("template", .text), Parameter("values", .map(.anything, by: "the name in braces"))], .text,
            summary: "a text in which every {name} is replaced by its value",
            details: [
                "A value that is missing is an error of the rule: give every place one, `msg.title or \"\"`. Braces around anything but a name stay."
            ],
            .value("text.fill(\"Hello {name}\", { name = msg.title })", gives: "\"Hello Mina\"")),
        call(
            "text.truncate",
            [
                Parameter("text", .text), Parameter("n", .anyInteger, "characters, the ellipsis included"),
                Parameter("ellipsis", .text, optional: true, "\"…\" without it"),
            ], .text, summary: "a text of at most n characters as a reader counts them, never cut inside of an emoji",
            .value("text.truncate(\"The harbour is closed\", 12)", gives: "\"The harbour…\"")),
        call(
            "text.plural",
            [
                Parameter("n", .either([.anyNumber, .text]), "or a text that is a number"),
                Parameter("forms", .table(SmallTables.pluralForms)),
            ], .text, summary: "the form that the person's language has for a number, with {n} filled in",
            details: [
                "Languages have one, two or up to six forms; `other` must be there. The language is the phone's, else app.lua's, else English."
            ],
            .value(
                "text.plural(3, { one = \"{n} message\", other = \"{n} messages\" })", gives: "\"3 messages\"",
                Example.Scene(device: #"{"recipient": "u-1", "locale": "en"}"#))),
        call(
            "text.tr", [Parameter("key", .text), Parameter("values", .map(.anything, by: "the name in braces"), optional: true)], .text,
            summary: "the app's own text of that key in the person's language, from lib/strings",
            details: [
                "lib/strings/ko-KR.lua, else ko.lua, else the file of the app's `locale`, else the key itself. A text with plural forms takes the one for the value of n."
            ],
            .value(
                "text.tr(\"greeting\", { name = msg.title })", gives: "\"Hello Mina\"",
                Example.Scene(device: #"{"recipient": "u-1", "locale": "en-GB"}"#, strings: "return { greeting = \"Hello {name}\" }"))),
        call(
            "bucket", [Parameter("salt", .text)], .integer(0...99),
            summary: "a number from 0 to 99 that is always the same for a person: bucket(\"new banner\") < 20 is a fifth of all people",
            details: ["The same salt gives the same people as `rollout = { 20, salt = \"…\" }`."],
            .value("bucket(\"wording\") == bucket(\"wording\")", gives: "true")),
    ]

    // MARK: time

    private static let instant = ValueType.either([.anyInteger, .form(.instant), .form(.wallTime)])

    static let time: [Function] = [
        call(
            "time.between", [Parameter("from", .form(.timeOfDay)), Parameter("to", .form(.timeOfDay)), zone], .truth,
            summary:
                "whether it is between two times of day: the first inclusive, the second exclusive, past midnight if it is the earlier one",
            .value("time.between(\"11:00\", \"13:00\")", gives: "true")),
        call(
            "time.add",
            [
                Parameter("instant", instant),
                Parameter("duration", .either([.form(.duration), .anyInteger]), "\"-1d\" is earlier; a number is seconds"), zone,
            ],
            .anyInteger, summary: "a moment that much later: ms, s, m, h to the millisecond, d and w by the wall clock",
            .value("time.add(time.now, \"1d12h\") - time.now", gives: "129600000")),
        call(
            "time.parse", [Parameter("text", .text), zone], ValueType.anyInteger.orNothing,
            summary: "the moment of a date, an instant or the next \"18:00\"; nil for anything else",
            .value("time.parse(\"2026-01-01T12:00:01Z\") - time.now", gives: "1000")),
        call(
            "time.start_of",
            [
                Parameter("unit", .words(AuthorVocabulary.calendarUnits)), Parameter("instant", instant, optional: true, "now without it"),
                zone,
            ], .anyInteger, summary: "when the minute, hour, day, week, month or year began",
            .value("(time.now - time.start_of(\"day\")) // 3600000", gives: "12")),
        Function(
            name: "time.now", use: .value(.anyInteger), time: .whileDeciding,
            summary: "the one moment at which the message is decided, in milliseconds since 1970",
            details: ["It does not move while rules run."], cost: crossing, example: .value("time.now", gives: "1767268800000")),
        Function(
            name: "time.wall", use: .value(.table(SmallTables.wallClock)), time: .whileDeciding,
            summary: "the person's clock on the wall at that moment",
            details: [], cost: crossing,
            example: .value("time.wall.hour", gives: "21", Example.Scene(device: #"{"recipient": "u-1", "timezone": "Asia/Seoul"}"#))),
    ]

    // MARK: methods of views

    static let methods: [Function] = [
        Function(
            name: "device:is_showing",
            use: .call(
                [Parameter("tab", .text), Parameter("item", ValueType.text.orNothing, optional: true, "a given nil is never showing")],
                gives: [.truth]),
            time: .whileDeciding,
            summary: "whether the app is in front with that tab, and with item on top, the last element of screen.path",
            details: ["In front is foreground or inactive. A number as item is compared by its digits."], cost: "a few units of fuel",
            example: .value(
                "device:is_showing(\"chat\", \"room-1\")", gives: "true",
                Example.Scene(device: #"{"state": "foreground", "screen": {"tab": "chat", "path": ["room-1"]}}"#)))
    ]
}
