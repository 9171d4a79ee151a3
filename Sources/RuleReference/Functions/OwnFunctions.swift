// The words of the rule language itself and Lua's basic functions, in the order of the machine's allow-list, which says
// what bounds each. A test holds both lists against each other.
import LuaSandbox
import RuleEngine

extension Function {
    /// One of the machine's own: what it costs stands in the allow-list.
    static func own(
        _ name: String, _ parameters: [Parameter], _ gives: ValueType..., time: Time = .anyTime, does summary: String,
        details: [String] = [], _ example: Example
    ) -> Function {
        Function(
            name: name, use: .call(parameters, gives: gives), time: time, summary: summary, details: details,
            cost: LuaMachine.ownReasons[name] ?? "", example: example)
    }

    static func constant(_ name: String, _ type: ValueType, _ summary: String, _ example: Example) -> Function {
        Function(
            name: name, use: .value(type), time: .anyTime, summary: summary, details: [], cost: LuaMachine.ownReasons[name] ?? "",
            example: example)
    }
}

enum OwnFunctions {
    static let basic: [Function] = [
        .own(
            "assert", [Parameter("value", .anything), Parameter("message", .text, optional: true)], .anything,
            does: "gives its arguments back when the first one is true, else raises the message",
            details: ["An error in a rule drops what that rule wanted; the others count."],
            .value("assert(1 < 2, \"never raised\")", gives: "true")),
        .own(
            "error", [Parameter("message", .text), Parameter("level", .anyInteger, optional: true)], .nothing,
            does: "raises an error: the rule's wishes are dropped and the decision carries the message",
            .value("select(2, pcall(error, \"no room\", 0))", gives: "\"no room\"")),
        .own(
            "ipairs", [Parameter("list", .list(.anything))], .function([], .anything),
            does: "goes over a list from 1 to its first nil: for place, value in ipairs(list) do … end",
            .rules(
                """
                rule "Rooms: count them" {
                  on     = "present",
                  decide = function(msg)
                    local count = 0
                    for _ in ipairs(msg.data.rooms or {}) do count = count + 1 end
                    return { labels = { rooms = tostring(count) } }
                  end,
                }
                """, gives: #"{"labels": {"rooms": "2"}}"#,
                Example.Scene("present", #"{"aps": {"alert": "hi"}, "message_id": "m-1", "rooms": ["a", "b"]}"#))),
        .own(
            "next", [Parameter("table", .map(.anything, by: "any key")), Parameter("key", .anything, optional: true)], .anything,
            .anything, does: "the first key of a table, or the one after a key, with its value; nil at the end",
            details: ["`next(t) == nil` says whether a table is empty. The order is that of `pairs`."],
            .value("next({}) == nil", gives: "true")),
        .own(
            "pairs", [Parameter("table", .map(.anything, by: "any key"))], .function([], .anything),
            does: "goes over all of a table: for key, value in pairs(t) do … end",
            details: [
                "The order is always the same: numbers ascending, then texts by their bytes, then false and true; msg, device and event in the order of their JSON. Keys that are tables or functions have no order, so that more than one of them is an error."
            ],
            .rules(
                """
                rule "Keys: name them" {
                  on     = "present",
                  decide = function(msg)
                    local names = {}
                    for key in pairs(msg.data) do names[#names + 1] = key end
                    return { labels = { keys = table.concat(names, " ") } }
                  end,
                }
                """, gives: #"{"labels": {"keys": "zebra apple"}}"#,
                Example.Scene("present", #"{"aps": {"alert": "hi"}, "zebra": 1, "apple": 2}"#))),
        .own(
            "pcall", [Parameter("body", .function([], .anything)), Parameter("…", .anything, optional: true, repeats: true)], .truth,
            .anything, does: "calls a function and catches its error: true and its results, or false and the message",
            details: ["The end of a budget is never caught. At most 1,000 errors may be caught for one message."],
            .value("pcall(error, \"no\")", gives: "false")),
        .own(
            "select", [Parameter("n", .either([.anyInteger, .words(["#"])])), Parameter("…", .anything, repeats: true)], .anything,
            does: "the arguments from the n-th on; with \"#\" how many there are",
            .value("select(\"#\", \"a\", \"b\")", gives: "2")),
        .own(
            "tonumber", [Parameter("value", .anything), Parameter("base", .integer(2...36), optional: true)],
            ValueType.anyNumber.orNothing, does: "a text as a number; nil when it is none",
            details: ["FCM carries only texts, so that a number in msg.data is mostly a text: tonumber(msg.data.count) or 0."],
            .value("tonumber(\"12\") + 1", gives: "13")),
        .own(
            "tostring", [Parameter("value", .anything)], .text, does: "a value as text",
            details: ["Tables and functions show no address: `table`, or `table: msg.data` for a part of the message."],
            .value("tostring(12) .. \" items\"", gives: "\"12 items\"")),
        .own(
            "type", [Parameter("value", .anything)],
            .words(["nil", "boolean", "number", "string", "table", "function"]),
            does: "the type of a value; msg, device and event are tables",
            .value("type(msg.data)", gives: "\"table\"")),
    ]

    static let words: [Function] = [
        .own(
            "require", [Parameter("name", .text)], .anything, time: .whileLoading,
            does:
                "what a module of this app (\"lib.room\" is lib/room.lua) or of all apps (\"shared.text\" is _shared/lib/text.lua) returns",
            details: [
                "The name is written out in the file; a module runs once, and what it returns is read-only while messages are decided."
            ],
            .rules(
                """
                local room = require "lib.room"

                rule "Tap: to the room" {
                  on     = "open",
                  decide = function(msg) return { route = { tab = "chat", path = { room.of(msg) } } } end,
                }
                """, gives: #"{"route": {"tab": "chat", "path": ["r-1"]}}"#,
                Example.Scene(
                    "open", #"{"message_id": "m-1", "aps": {"alert": "hi"}, "room": "r-1"}"#,
                    module: "return { of = function(msg) return msg.data.room end }"))),
        .own(
            "rule", [Parameter("name", .text), Parameter("keys", .named("rule"))], .nothing, time: .whileLoading,
            does: "declares a rule: rule \"what it does, as a sentence\" { … }",
            details: [
                "Rules stand in files beside app.lua. The name appears in every answer and must be the only one of its kind in the app. `rulehost docs rule` lists the keys."
            ],
            .rules(
                """
                rule "Chat tab open: stay quiet" {
                  on     = "present",
                  tab    = "chat",
                  decide = suppress "the chat tab is on screen",
                }
                """,
                gives: #"{"display": {"action": "suppress", "reason": "the chat tab is on screen", "rule": "Chat tab open: stay quiet"}}"#,
                Example.Scene(device: #"{"state": "foreground", "screen": {"tab": "chat"}}"#))),
        .own(
            "suppress", [Parameter("reason", .text, optional: true)], .named("decide"),
            does: "a decision: the message is not shown",
            details: [
                "It may stand for `decide` itself, or be what a function returns. Suppress beats defer beats show, whatever the order of rules."
            ],
            .rules(
                "rule \"Offers: never\" { on = \"present\", decide = suppress \"no offers here\" }",
                gives: #"{"display": {"action": "suppress", "options": [], "reason": "no offers here"}}"#, Example.Scene())),
        .own(
            "show",
            [
                Parameter(
                    "what",
                    .either([.named("show"), .words(AuthorVocabulary.displayOptions), .list(.words(AuthorVocabulary.displayOptions))]),
                    optional: true)
            ],
            .named("decide"),
            does: "a decision: the message is shown, with the options in braces or with all of them",
            details: ["Besides the options the table takes every field of `decide` but `display`."],
            .rules(
                "rule \"Front: banner and count\" { on = \"present\", decide = show { \"banner\", badge = \"+1\" } }",
                gives: #"{"display": {"action": "show", "options": ["banner"]}, "badge": {"value": 1, "change": 1}}"#, Example.Scene())),
        .own(
            "defer",
            [
                Parameter("hold_until", DecideTable.holdUntil, optional: true, "nil: until the app is opened"),
                Parameter("reason", .text, optional: true),
            ], .named("decide"), does: "a decision: the message is held back and decided again later",
            details: ["Held back until a time, for a while, or until the app is opened: see `decide.hold_until` and the event `due`."],
            .rules(
                "rule \"Parcels: in two hours\" { on = \"send\", decide = defer(\"2h\", \"not yet\") }",
                gives: #"{"display": {"action": "defer", "reason": "not yet", "until": {"at": "2026-01-01T14:00:00Z"}}}"#,
                Example.Scene("send"))),
        .own(
            "route", [Parameter("where", DecideTable.route)], .named("decide"),
            does: "a decision: where a tap leads, a link or a place in the app; false is nowhere",
            .rules(
                "rule \"Tap: to the cart\" { on = \"open\", decide = route { tab = \"cart\", path = { \"order-7\" } } }",
                gives: #"{"route": {"tab": "cart", "path": ["order-7"]}}"#, Example.Scene("open"))),
    ]
}
