// How much an app and its scripts may use, with the numbers of the rooms that enforce them.
import LuaSandbox
import PushMessage
import RuleEngine

public struct LimitEntry: Sendable {
    /// "fuel"
    public let name: String
    /// With its unit: "1,000,000 units".
    public let value: String
    /// A sentence without a full stop.
    public let summary: String
    /// What is said when it is over: an error's or a warning's code, or words.
    public let after: String
    public let example: Example

    public static let all: [LimitEntry] = {
        let script = ScriptLimits()
        let load = LoadLimits()
        return [
            LimitEntry(
                "fuel", "\(grouped(Int(script.callFuel))) units", "the work of one message; a unit is about ten nanoseconds", "budget_fuel",
                raises("rule \"Endless\" { on = \"present\", decide = function() while true do end end }", "budget_fuel")),
            LimitEntry(
                "load_fuel", "\(grouped(Int(script.loadFuel))) units", "the work of reading an app's files in", "budget_fuel",
                .page(kind: "lua", text: "while true do end")),
            LimitEntry(
                "memory", bytes(script.memory), "all memory of an app's scripts", "budget_memory",
                .page(kind: "lua", text: "local s, t = (\"x\"):rep(200000), {}\nfor i = 1, 1000 do t[i] = s .. i end")),
            LimitEntry(
                "block", bytes(script.block), "one table or text in memory", "budget_memory",
                raises(
                    "rule \"One table\" { on = \"present\", decide = function() local t = {} for i = 1, 200000 do t[i] = i end end }",
                    "budget_memory")),
            LimitEntry(
                "text", bytes(script.string), "one text", "budget_memory",
                raises(
                    "rule \"One text\" { on = \"present\", decide = function() return { body = (\"x\"):rep(300000) } end }", "budget_memory"
                )),
            LimitEntry(
                "time", "\(script.callMilliseconds) ms", "processor time of one message: a net under the fuel, which ends a script before",
                "budget_time",
                .none(why: "fuel ends a script before")),
            LimitEntry(
                "source", bytes(script.source), "one Lua file", "file_too_large", .none(why: "the file would be too long to show")),
            LimitEntry(
                "sources", bytes(load.bytes), "all Lua files of an app", "app_too_large", .none(why: "the files would be too long to show")),
            LimitEntry(
                "files", "\(load.files)", "the Lua files of an app", "too_many_files", .none(why: "the files would be too many to show")),
            LimitEntry(
                "rules", grouped(load.rules), "the rules of an app", "script_raised",
                .page(kind: "lua", text: "for i = 1, 1001 do\n  rule(\"Rule \" .. i) { on = \"present\", decide = suppress \"no\" }\nend")),
            LimitEntry(
                "paths", "\(FieldMap.mostPaths)", "the paths of one field in app.lua", "bad_value",
                .none(why: "the list would be too long to show")),
            LimitEntry(
                "value", "\(bytes(script.valueBytes)), \(grouped(script.valueNodes)) entries, depth \(script.valueDepth)",
                "a value that leaves a script: what decide returns, what state, log and json.encode are given",
                "bad_value, or rule_raised where a function is given it",
                raises(
                    "rule \"Too many entries\" {\n  on     = \"present\",\n  decide = function()\n    local list = {}\n    for i = 1, 2000 do list[i] = i end\n    return { inbox = list }\n  end,\n}",
                    "bad_value")),
            LimitEntry(
                "caught_errors", grouped(script.caughtErrors), "the errors that pcall may catch for one message", "budget_fuel",
                raises(
                    "rule \"Stubborn\" { on = \"present\", decide = function() while true do pcall(error, \"no\") end end }", "budget_fuel")
            ),
            LimitEntry(
                "state_key", "\(AuthorVocabulary.stateKeyBytes) bytes", "a key of state", "rule_raised",
                raises("rule \"Long key\" { on = \"present\", decide = function() state.set((\"k\"):rep(200), 1) end }", "rule_raised")),
            LimitEntry(
                "state", bytes(AuthorVocabulary.recipientStateBytes), "what is remembered for one person", "rule_raised",
                raises(
                    "rule \"Hoarder\" { on = \"present\", decide = function() for i = 1, 9 do state.set(\"k\" .. i, (\"x\"):rep(9000)) end end }",
                    "rule_raised")),
            LimitEntry(
                "app_state", bytes(AuthorVocabulary.appStateBytes), "what is remembered for a whole app", "rule_raised",
                .none(why: "one message has not enough fuel to fill it")),
            LimitEntry(
                "log", bytes(AuthorVocabulary.logBytes), "what log may write for one decision",
                "the rest is dropped, and the trace says so",
                .rules(
                    "rule \"Talkative\" { on = \"present\", decide = function() for i = 1, 100 do log((\"x\"):rep(100)) end return { labels = { done = \"yes\" } } end }",
                    gives: #"{"labels": {"done": "yes"}}"#, Example.Scene())),
            LimitEntry(
                "inbox", "\(grouped(AuthorVocabulary.inboxValues)) values, \(bytes(AuthorVocabulary.inboxBytes))",
                "what is kept for the app until resume", "inbox_full",
                .none(why: "it would be too long to show")),
            LimitEntry(
                "state_keys",
                "\(grouped(AuthorVocabulary.recipientStateKeys)) of a person, \(grouped(AuthorVocabulary.appStateKeys)) of an app",
                "the keys of state", "rule_raised", .none(why: "one message has not enough fuel to make so many")),
            LimitEntry(
                "cap_count", grouped(AuthorVocabulary.capCount), "what a cap can count to", "bad_value",
                .none(why: "it is refused when the rules are loaded")),
            LimitEntry(
                "cap_keys", grouped(AuthorVocabulary.mostCapKeys), "the keys of caps that still count, of one person", "bad_value",
                .none(why: "it takes a thousand messages to reach it")),
            LimitEntry(
                "topics", grouped(AuthorVocabulary.topics), "the topics of one person, as many as FCM has room for", "topics_full",
                .none(why: "one decision cannot ask for so many")),
            LimitEntry(
                "routes", bytes(AuthorVocabulary.keptRouteBytes),
                "the routes of taps and keys of caps that are kept with one person's messages",
                "the oldest leave", .none(why: "it takes many messages to reach it")),
            LimitEntry(
                "deferred", "\(grouped(DeferredMessages.most)) messages, \(bytes(DeferredMessages.mostBytes))",
                "what is held back for one person", "deferred_full",
                .none(why: "it would be too long to show")),
            LimitEntry(
                "attempts", "\(AuthorVocabulary.deferralAttempts)", "how often a message is held back before it is shown", "deferred_again",
                .rules(
                    "rule \"Not yet\" { on = \"due\", decide = function() return defer(\"1h\") end }",
                    gives: #"{"display": {"action": "show"}, "warnings": [{"code": "deferred_again"}]}"#,
                    Example.Scene(
                        #"{"name": "due", "deferred_id": "m-1"}"#, nil,
                        state:
                            #"{"deferred": [{"id": "m-1", "event": "send", "attempt": 100, "until": "resume", "message": {"message_id": "m-1", "aps": {"alert": "hi"}}}]}"#
                    ))),
        ]
    }()

    private init(_ name: String, _ value: String, _ summary: String, _ after: String, _ example: Example) {
        self.name = name
        self.value = value
        self.summary = summary
        self.after = after
        self.example = example
    }

    private static func raises(_ rules: String, _ code: String) -> Example {
        .rules(rules, gives: "{\"errors\": [{\"code\": \"\(code)\"}]}", Example.Scene())
    }

    private static func bytes(_ count: Int) -> String {
        count % (1 << 20) == 0 ? "\(count >> 20) MiB" : count % 1024 == 0 ? "\(count >> 10) KiB" : "\(grouped(count)) bytes"
    }

    static func grouped(_ number: Int) -> String {
        let digits = String(number)
        var text = ""
        for (place, digit) in digits.enumerated() {
            if place > 0, (digits.count - place) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return text
    }
}
