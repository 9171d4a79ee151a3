// Tables that functions take or give.
import RuleEngine

enum SmallTables {
    static let stateOptions = Table(
        "state.set", "how long a value is remembered",
        [
            Key(
                "ttl", .either([.form(.duration), .integer(1...AuthorVocabulary.longestSeconds)]), .optional(otherwise: "for ever"),
                "the value is forgotten after that time; a number is seconds",
                .rules(
                    "rule \"Seen today\" { on = \"present\", decide = function() state.set(\"seen\", true, { ttl = \"24h\" }) return { labels = { seen = \"yes\" } } end }",
                    gives: #"{"labels": {"seen": "yes"}}"#, Example.Scene()))
        ])

    static let pluralForms = Table(
        "text.plural", "a text for each form that the language has for numbers",
        AuthorVocabulary.pluralForms.map { form in
            Key(
                form, .text, form == "other" ? .needed : .optional(otherwise: "the form `other`"),
                form == "other" ? "the form of all other numbers" : "the form `\(form)`, in languages that have it",
                .value(
                    "text.plural(1, { \(form == "other" ? "" : "\(form) = \"{n} item\", ")other = \"{n} items\" })",
                    gives: form == "one" ? "\"1 item\"" : "\"1 items\"", Example.Scene(device: #"{"recipient": "u-1", "locale": "en"}"#)))
        })

    private static func clock(_ part: String, _ value: String) -> Example {
        .value("time.wall.\(part)", gives: value, Example.Scene(device: #"{"recipient": "u-1", "timezone": "Asia/Seoul"}"#))
    }

    static let wallClock = Table(
        "time.wall", "the person's clock on the wall",
        [
            Key("year", .anyInteger, .always, "the year", clock("year", "2026")),
            Key("month", .integer(1...12), .always, "the month", clock("month", "1")),
            Key("day", .integer(1...31), .always, "the day of the month", clock("day", "1")),
            Key("hour", .integer(0...23), .always, "the hour", clock("hour", "21")),
            Key("minute", .integer(0...59), .always, "the minute", clock("minute", "0")),
            Key("second", .integer(0...59), .always, "the second", clock("second", "0")),
            Key("weekday", .integer(1...7), .always, "the day of the week, 1 is Monday and 7 Sunday", clock("weekday", "4")),
            Key("zone", .form(.zone), .always, "the clock's zone", clock("zone", "\"Asia/Seoul\"")),
        ])

    /// What `show` takes: options by place, and fields of `decide`.
    static let show = Table(
        "show", "options in the order that you like, and fields of decide but display", others: .words(AuthorVocabulary.displayOptions),
        DecideTable.table.keys.filter { $0.name != "display" })
}
