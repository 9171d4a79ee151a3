// What a decide table may say, read from JSON: the same reader serves tables of rules and tables that functions return.
import JSONDocument
import PushMessage
import Testing

@testable import RuleEngine

struct ContributionReaderTests {
    private let document = JSONDocument()

    private func read(_ json: String) throws -> Contribution {
        try document.read(json)
        return try ContributionReader.read(try #require(document.root))
    }

    private func fault(_ json: String) throws -> ContributionFault {
        try document.read(json)
        let root = try #require(document.root)
        return try #require(throws: ContributionFault.self) { try ContributionReader.read(root) }
    }

    @Test("An empty table says nothing", arguments: ["{}", "[]"])
    func empty(json: String) throws {
        #expect(try read(json).fields.isEmpty)
    }

    @Test("A field that is null is as if it were not there")
    func null() throws {
        #expect(try read(#"{"display": null, "badge": null}"#).fields.isEmpty)
    }

    @Test("A list of options shows with those, and an empty one with none")
    func options() throws {
        let some = try read(#"{"display": ["sound", "banner"]}"#)
        #expect(some.action == .show && some.options == [.banner, .sound] && some.fields == .display)
        let none = try read(#"{"display": []}"#)
        #expect(none.action == .show && none.options == [] && none.fields == .display)
    }

    @Test("show, suppress and defer are words", arguments: [("show", Display.Action.show), ("suppress", .suppress), ("defer", .defer)])
    func words(word: String, action: Display.Action) throws {
        let read = try read(#"{"display": "\#(word)"}"#)
        #expect(read.action == action)
        #expect(read.options == .all)
    }

    @Test("All plain fields are read as they stand")
    func plainFields() throws {
        let read = try read(
            #"""
            {"reason": "r", "pin": true, "title": "t", "subtitle": "s", "body": "b", "sound": "ping", "category": "c",
             "thread": "th", "interruption_level": "time-sensitive", "relevance": 0.5, "fetch_result": "failed"}
            """#)
        #expect(read.reason == "r" && read.title == "t" && read.subtitle == "s" && read.body == "b")
        #expect(read.sound == "ping" && read.category == "c" && read.thread == "th")
        #expect(read.pin && read.interruptionLevel == "time-sensitive" && read.relevance == 0.5 && read.fetchResult == .failed)
        #expect(
            read.fields == [
                .reason, .pin, .title, .subtitle, .body, .sound, .category, .thread, .interruptionLevel, .relevance, .fetchResult,
            ])
    }

    @Test(
        "A badge is a number, a signed text, clear, or a table",
        arguments: [
            ("5", BadgeChange.absolute(5)), ("0", .absolute(0)), (#""clear""#, .absolute(0)),
            (#""+1""#, .relative(1, evenIfSuppressed: false)), (#""-12""#, .relative(-12, evenIfSuppressed: false)),
            (#"{"add": -2}"#, .relative(-2, evenIfSuppressed: false)),
            (#"{"even_if_suppressed": true, "add": 3}"#, .relative(3, evenIfSuppressed: true)),
            (#""+2147483647""#, .relative(2_147_483_647, evenIfSuppressed: false)),
        ])
    func badges(json: String, change: BadgeChange) throws {
        #expect(try read(#"{"badge": \#(json)}"#).badge == change)
    }

    @Test(
        "What is not a badge is refused, however large",
        arguments: [
            "-1", "2147483648", "9223372036854775807", "-9223372036854775808", "1e400", "1.5", "true", "[]", "{}", #""1""#, #""+""#,
            #""+-1""#, #""+99999999999""#, #""+2147483648""#, #"{"add": 1.5}"#, #"{"add": -9223372036854775808}"#, #"{"ad": 1}"#,
        ])
    func badBadges(json: String) throws {
        let fault = try fault(#"{"badge": \#(json)}"#)
        #expect(fault.message.contains("badge"))
    }

    @Test("A route is a link, a place, or nowhere")
    func routes() throws {
        guard case .link(let link) = try read(#"{"route": "shop://cart"}"#).route else { throw Unexpected() }
        #expect(link == "shop://cart")
        guard case .nowhere = try read(#"{"route": false}"#).route else { throw Unexpected() }
        guard case .place(let place) = try read(#"{"route": {"tab": "chat", "path": ["a", 7], "mode": "push", "account": "u-2"}}"#).route
        else { throw Unexpected() }
        #expect(place.tab.map { $0 == "chat" } ?? false)
        #expect(place.path == ["a", "7"])
        #expect(place.mode == .push)
        #expect(place.account.map { $0 == "u-2" } ?? false)
        #expect(place.url == nil)
    }

    @Test("An empty path is a path, and none is none")
    func paths() throws {
        guard case .place(let empty) = try read(#"{"route": {"tab": "chat", "path": []}}"#).route else { throw Unexpected() }
        #expect(empty.path == [])
        guard case .place(let none) = try read(#"{"route": {"tab": "chat"}}"#).route else { throw Unexpected() }
        #expect(none.path == nil)
    }

    @Test("Topics are left before others are joined, and a list keeps its order")
    func topics() throws {
        var seen: [String] = []
        try read(#"{"topics": {"subscribe": ["a", "b"], "unsubscribe": ["c"]}}"#).topics.forEach { seen.append("\($0) \($1.string)") }
        #expect(seen == ["unsubscribe c", "subscribe a", "subscribe b"])
        seen = []
        try read(#"{"topics": [{"op": "subscribe", "topic": "a"}, {"op": "unsubscribe", "topic": "b"}]}"#).topics
            .forEach { seen.append("\($0) \($1.string)") }
        #expect(seen == ["subscribe a", "unsubscribe b"])
    }

    @Test("Attachments, labels and inbox are handed on")
    func lists() throws {
        let read = try read(
            #"{"attachments": [{"url": "https://x/1", "type": "png"}, {"url": "https://x/2"}], "labels": {"a": "b"}, "inbox": [1, {"x": null}]}"#
        )
        var urls: [String] = []
        read.attachments.forEach { urls.append($0.string + ($1.map { " " + $0.string } ?? "")) }
        #expect(urls == ["https://x/1 png", "https://x/2"])
        var labels: [String] = []
        read.labels.forEach { labels.append("\($0.string)=\($1.string)") }
        #expect(labels == ["a=b"])
        #expect(read.inbox?.count == 2)
    }

    @Test(
        "A deferred message is held until resume, for a while, until an instant or a wall time",
        arguments: [
            (#""resume""#, "resume"), ("90", "duration(90000)"), (#""2h30m""#, "duration(9000000)"), (#""1500ms""#, "duration(1500)"),
            (#""2026-01-01T12:00:00Z""#, "instant"), (#""08:00""#, "wall"), (#""2026-12-24""#, "wall"), (#""2028-02-29 23:59:59""#, "wall"),
        ])
    func holds(json: String, expected: String) throws {
        let held = try read(#"{"hold_until": \#(json)}"#).holdUntil
        #expect("\(held)".hasPrefix(expected))
    }

    @Test(
        "What is not a time is refused",
        arguments: [
            #""soon""#, #""""#, #""25:00""#, #""2026-02-29""#, #""2026-13-01""#, #""5""#, #""5x""#, "-1", "99999999999999", "1.5", "true",
            #""99999999999999999999h""#, #""2026-01-01T12:00""#,
        ])
    func badTimes(json: String) throws {
        #expect(try fault(#"{"hold_until": \#(json)}"#).path == [.key("hold_until")])
    }

    @Test("A misspelt field, option and word each say what was meant")
    func didYouMean() throws {
        let field = try fault(#"{"dispaly": ["banner"]}"#)
        #expect(field.kind == .unknownField && field.hint == "did you mean `display`?")
        let option = try fault(#"{"display": ["list", "baner"]}"#)
        #expect(option.message == #"`display[2]` = "baner" is not a display option"#)
        #expect(option.hint == #"did you mean "banner"?"#)
        #expect(option.path == [.key("display"), .place(2)])
        let member = try fault(#"{"route": {"tba": "chat"}}"#)
        #expect(member.hint == "did you mean `tab`?")
    }

    @Test(
        "What is not a table of fields is refused",
        arguments: [#""suppress""#, "5", "true", #"["banner"]"#])
    func notATable(json: String) throws {
        #expect(try fault(json).kind == .wrongType)
    }

    @Test(
        "A text that a function returned is not quoted in the discreet sentence",
        arguments: [
            #"{"display": "CANARY"}"#, #"{"display": ["CANARY"]}"#, #"{"badge": "CANARY"}"#,
            #"{"hold_until": "CANARY"}"#, #"{"topics": {"subscribe": ["CANARY !"]}}"#,
            #"{"topics": [{"op": "CANARY", "topic": "a"}]}"#, #"{"fetch_result": "CANARY"}"#, #"{"interruption_level": "CANARY"}"#,
            #"{"route": {"mode": "CANARY"}}"#, #""CANARY""#, #"{"pin": "CANARY"}"#,
        ])
    func canary(json: String) throws {
        let fault = try fault(json)
        #expect(fault.message.contains("CANARY"))
        #expect(!(fault.discreet + (fault.hint ?? "")).contains("CANARY"))
    }

    @Test(
        "A number that a function returned is shown",
        arguments: [
            #"{"badge": -4711}"#, #"{"relevance": 4711}"#, #"{"hold_until": -4711}"#, #"{"title": 4711}"#, #"{"route": 4711}"#,
            #"{"labels": {"a": 4711}}"#,
        ])
    func numberIsShown(json: String) throws {
        #expect(try fault(json).discreet.contains("4711"))
    }

    @Test("A slip of a known word is shown all the same")
    func slip() throws {
        #expect(try fault(#"{"display": ["baner"]}"#).discreet.contains("\"baner\""))
    }

    @Test("Every named field is known to the reader, and every field has a name")
    func allFields() throws {
        let examples = [
            "display": #""show""#, "reason": #""r""#, "hold_until": "1", "pin": "false", "title": #""t""#, "subtitle": #""t""#,
            "body": #""t""#, "sound": #""t""#, "category": #""t""#, "thread": #""t""#, "interruption_level": #""active""#,
            "relevance": "1", "attachments": "[]", "badge": "1", "route": "false", "topics": "[]", "fetch_result": #""no_data""#,
            "inbox": "1", "labels": "{}",
        ]
        for (name, field) in ContributionFields.named {
            let example = try #require(examples["\(name)"])
            #expect(try read("{\"\(name)\": \(example)}").fields == field)
        }
        #expect(ContributionFields.named.count == examples.count)
    }

    @Test("A value as deep as JSON may be is looked through for functions without a crash")
    func deepInbox() throws {
        let deep = String(repeating: "[", count: 60) + String(repeating: "]", count: 60)
        #expect(try read(#"{"inbox": \#(deep)}"#).fields == .inbox)
    }
}

private struct Unexpected: Error {}
