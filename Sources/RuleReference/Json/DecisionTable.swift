// The keys of a decision as DecisionWriter writes it. A test holds every key that is written against this list.
import PushMessage
import RuleEngine

enum DecisionTable {
    private static let whole = Example.json(
        #"{"app": "chat", "ruleset": "3b811637cde8", "event": "present", "message_id": "m-1", "recipient": "u-1", "display": {"action": "suppress", "options": [], "reason": "the chat tab is on screen", "rule": "Chat tab open: stay quiet"}, "usage": {"fuel": 120}}"#
    )
    private static let rich = Example.json(
        #"{"app": "shop", "ruleset": "3b811637cde8", "event": "open", "badge": {"value": 1, "change": 1, "absolute": false, "reason": "+1: shown"}, "content": {"title": "Only today"}, "route": {"tab": "cart", "path": ["order-7"]}, "topics": [{"op": "subscribe", "topic": "news"}], "labels": {"campaign": "spring"}, "usage": {"fuel": 120}}"#
    )
    private static let failed = Example.json(
        #"{"app": "shop", "ruleset": "3b811637cde8", "event": "present", "display": {"action": "show", "options": ["banner"]}, "warnings": [{"code": "no_recipient", "path": "recipient", "message": "the device names no recipient"}], "errors": [{"code": "rule_raised", "rule": "Offers", "file": "rules.lua", "line": 3, "message": "no"}], "trace": {"rules": [{"rule": "Offers", "file": "rules.lua", "line": 3, "outcome": "error", "lines": [{"call": "decide", "file": "rules.lua", "line": 4, "source": "error \"no\"", "times": 1, "values": [{"path": "msg.title", "value": "Only today"}]}]}], "guards": [{"guard": "empty", "effect": "not shown"}]}, "usage": {"fuel": 120}}"#
    )
    private static let waited = Example.json(
        #"{"app": "shop", "ruleset": "3b811637cde8", "event": "resume", "inbox": [{"order": 7}], "deferred": [{"app": "shop", "ruleset": "3b811637cde8", "event": "due", "display": {"action": "defer", "options": [], "until": {"at": "2026-01-02T07:00:00Z", "local": "2026-01-02 08:00", "zone": "Europe/Berlin"}}, "usage": {"fuel": 9}}], "usage": {"fuel": 120}}"#
    )

    private static func key(_ name: String, _ type: ValueType, _ presence: Key.Presence, _ summary: String, _ example: Example = whole)
        -> Key
    {
        Key(name, type, presence, summary, example)
    }
    /// A key that is absent when there is nothing to say.
    private static func key(_ name: String, _ type: ValueType, _ summary: String, _ example: Example = whole) -> Key {
        Key(name, type, .sometimes, summary, example)
    }

    static let table = Table(
        "decision", "the answer to one event, as JSON; keys always stand in this order and are absent when there is nothing to say",
        [
            key("app", .text, .always, "the app that has decided"),
            key("ruleset", .form(.ruleset), .always, "the hash of its rules"),
            key("event", .words(EventName.allCases.map(\.rawValue)), .always, "the event"),
            key("message_id", .text, "the message's id"),
            key("recipient", .text, "whose phone it is"),
            key("duplicate", .only(true), "it was here already; no rule was asked"),
            key("display", .table(display), "whether and how the message is shown"),
            key("content", .table(content), "what rules replaced in the message", rich),
            key("badge", .table(badge), "the number on the icon", rich),
            key("route", .table(route), "where a tap leads", rich),
            key("topics", .list(.table(topic)), "topics to join and to leave, in order", rich),
            key("token_action", .words(TokenAction.allCases.map(\.rawValue)), "what the app does with a push token"),
            key("fetch_result", .words(AuthorVocabulary.fetchResults), "what the app answers at receive"),
            key("inbox", .anything, "the value that is kept for the app; at resume the list of all that are handed over", waited),
            key("deferred", .list(.named("decision")), "at resume: what was decided about messages that waited for it", waited),
            key("labels", .map(.text, by: "the label's name"), "texts for statistics", rich),
            key(
                "payload", .map(.anything, by: "a key of the message's own format"), "the message in its own format with the decision in it"
            ),
            key("warnings", .list(.table(warning)), "what is probably not meant", failed),
            key("errors", .list(.table(error)), "rules that failed", failed),
            key("trace", .table(trace), "why: every rule that was looked at, with --trace", failed),
            key("usage", .table(usage), .always, "what it has cost"),
        ])

    static let display = Table(
        "decision.display", "whether and how the message is shown",
        [
            key("action", .words(AuthorVocabulary.displays), .always, "shown, not shown, or held back"),
            key(
                "options", .list(.words(DisplayOptions.names)), .always,
                "how, when it is shown; alert in place of banner and list before iOS 14"),
            key("reason", .text, "a sentence for people, or cap or duplicate"),
            key("detail", .text, "the sentence behind a reason of one word"),
            key("rule", .text, "the rule that decided, or guard: and the name of a guard"),
            key("until", .either([.words(["resume"]), .table(until)]), "until when it is held back", waited),
        ])

    static let until = Table(
        "decision.display.until", "a moment",
        [
            key("at", .form(.instant), .always, "the moment", waited),
            key("local", .form(.wallTime), .always, "what the wall clock shows then", waited),
            key("zone", .form(.zone), .always, "in this zone", waited),
        ])

    static let content = Table(
        "decision.content", "what rules replaced in the message",
        [
            key("title", .text, "the title", rich), key("subtitle", .text, "the subtitle", rich), key("body", .text, "the text", rich),
            key("sound", .text, "the sound; none is no sound", rich), key("category", .text, "the category", rich),
            key("thread", .text, "the thread", rich),
            key("interruption_level", .words(AuthorVocabulary.interruptionLevels), "the interruption level", rich),
            key("relevance", .number(0...1), "the relevance", rich),
            key("attachments", .list(.table(attachment)), "pictures, sounds, films", rich),
        ])

    private static let picture = Example.json(
        #"{"app": "p", "ruleset": "3b811637cde8", "event": "enrich", "content": {"attachments": [{"url": "https://img.example.com/a.jpg", "type": "image/jpeg", "extension": "jpg", "max_bytes": 10485760, "budget_seconds": 25}]}, "usage": {"fuel": 1}}"#
    )

    static let attachment = Table(
        "decision.content.attachments", "one picture, sound or film",
        [
            key("url", .text, .always, "where it is", picture), key("type", .text, "its media type", picture),
            key("extension", .text, "how the file is to be named", picture),
            key("max_bytes", .anyInteger, "what a phone takes of its kind", picture),
            key("bytes", .anyInteger, "what it has, once it is fetched", picture),
            key("budget_seconds", .anyInteger, "how long the app may try", picture),
        ])

    static let badge = Table(
        "decision.badge", "the number on the icon",
        [
            key("value", .count, .always, "the number afterwards", rich),
            key("change", .anyInteger, .always, "by how much it changed", rich),
            key("absolute", .truth, .always, "whether the number itself was given, not a change", rich),
            key("reason", .text, .always, "why it changed", rich), key("rule", .text, "the rule that did it", rich),
        ])

    static let route = Table(
        "decision.route", "where a tap leads",
        [
            key("url", .text, "a link", rich), key("tab", .text, "the tab to choose", rich),
            key("path", .list(.text), "the screens to open above it", rich),
            key("mode", .words(AuthorVocabulary.routeModes), "in place of the open screens, or on top of them", rich),
            key("account", .text, "the account to switch to first", rich),
            key("pending", .only(true), "the app has to start first: it is answered again at resume", rich),
            key("reason", .text, "a sentence for people", rich), key("rule", .text, "the rule that decided, or guard:link", rich),
        ])

    static let topic = Table(
        "decision.topics", "one operation",
        [
            key("op", .words(AuthorVocabulary.topicOperations), .always, "to join or to leave", rich),
            key("topic", .text, .always, "the topic", rich),
        ])

    static let warning = Table(
        "decision.warnings", "what is probably not meant",
        [
            key("code", .words(WarningCode.allCases.map(\.rawValue)), .always, "which kind it is", failed),
            key("path", .text, .always, "where, in the message, the device or the event", failed),
            key("message", .text, .always, "a sentence", failed), key("hint", .text, "what to do", failed),
        ])

    static let error = Table(
        "decision.errors", "a rule that failed",
        [
            key("code", .text, .always, "why", failed), key("rule", .text, "which rule", failed),
            key("file", .text, .always, "its file", failed),
            key("line", .anyInteger, .always, "the line, from 1", failed), key("message", .text, .always, "what happened", failed),
            key("hint", .text, "what to do", failed),
        ])

    static let trace = Table(
        "decision.trace", "why the decision is what it is", others: .anything,
        [
            key("rules", .list(.table(traceRule)), .always, "every rule that was looked at", failed),
            key("guards", .list(.table(traceGuard)), .always, "guards that did something", failed),
            key("notes", .list(.text), "what the host itself did", failed), key("log", .list(.text), "what rules wrote with log", failed),
        ])

    static let traceRule = Table(
        "decision.trace.rules", "one rule that was looked at", others: .anything,
        [
            key("rule", .text, .always, "its name", failed), key("file", .text, .always, "its file", failed),
            key("line", .anyInteger, .always, "its line, from 1", failed),
            key("outcome", .words(Trace.Outcome.allCases.map(\.rawValue)), .always, "what came of it", failed),
            key("because", .text, "which matcher, when or error decided that", failed),
            key("set", .map(.anything, by: "a field of decide"), "what it set", failed),
            key("lost", .map(.text, by: "a field of decide"), "which rule's value counts instead", failed),
            key("lines", .list(.table(traceLine)), "what its functions did line by line, with --trace=lines", failed),
            key("lines_left_out", .anyInteger, "runs of lines beyond those that are kept"),
        ])

    static let traceLine = Table(
        "decision.trace.rules.lines", "a line that ran, once for each call of a function", others: .anything,
        [
            key("call", .words(Trace.RanLine.Call.allCases.map(\.rawValue)), .always, "which function of the rule was called", failed),
            key("file", .text, .always, "its file", failed), key("line", .anyInteger, .always, "its number, from 1", failed),
            key("source", .text, .always, "as it is written", failed),
            key("times", .anyInteger, .always, "how often it ran in this call", failed),
            key("values", .list(.table(traceValue)), .always, "what it read, wrote or returned, each once", failed),
            key("values_left_out", .anyInteger, "values beyond those that are kept"),
        ])

    static let traceValue = Table(
        "decision.trace.rules.lines.values", "a value that a line touched", others: .anything,
        [
            key("path", .text, .always, "msg.data.room, state.get(\"n\"), or return", failed),
            key("value", .anything, .always, "what is long is cut, marked by …", failed),
        ])

    static let traceGuard = Table(
        "decision.trace.guards", "a guard that did something", others: .anything,
        [
            key("guard", .words(GuardName.allCases.map(\.rawValue)), .always, "its name", failed),
            key("effect", .text, .always, "what it did", failed),
        ])

    static let usage = Table(
        "decision.usage", "what it has cost",
        [
            key("fuel", .anyInteger, .always, "units of fuel"), key("memory_bytes", .anyInteger, "memory, with --usage"),
            key("microseconds", .anyInteger, "on the clock, from the question to the answer, with --usage"),
        ])
}
