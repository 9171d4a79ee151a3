// Cases, traffic and devices as JSON. The reader of cases takes its keys from here.
import PushMessage
import RuleEngine

public enum CaseTable {
    private static let one = Example.json(
        #"""
        [
          {
            "name": "The home tab is on screen: everything is shown",
            "proves": ["display"],
            "message": {"message_id": "m-1", "aps": {"alert": "Are you there?"}},
            "device": {"recipient": "u-1", "state": "foreground", "screen": {"tab": "home"}},
            "event": "present",
            "expect": {"display": {"action": "show"}}
          }
        ]
        """#)
    private static let steps = Example.json(
        #"""
        [
          {
            "name": "Counted once, then cleared",
            "note": "asked for by support",
            "now": "2026-01-15T22:00:00Z",
            "message": {"message_id": "m-1", "aps": {"alert": "hi", "badge": 1}},
            "device": {"recipient": "u-1"},
            "event": "present",
            "state": {"badge": 0},
            "expect": {"badge": {"value": 1}},
            "then": [{"event": "resume", "message": null, "expect": {"badge": null}, "expect_state": {"badge": 1}}]
          }
        ]
        """#)

    private static let event = ValueType.either([.words(EventName.allCases.map(\.rawValue)), .named("event")])

    private static let stepKeys: [Key] = [
        Key("name", .text, "a sentence that is true when the case passes; a case needs one", one),
        Key("note", .text, "a note for people", steps),
        Key(
            "message", .either([.map(.anything, by: "a key of the message's own format"), .text]),
            .optional(otherwise: "as in the step before; null is none"),
            "the message, or the name of a file beside the case or under examples/", one),
        Key("device", .either([.named("device"), .text]), .optional(otherwise: "as in the step before"), "the phone, likewise", one),
        Key(
            "event", event, .optional(otherwise: "everything that the message causes on that phone"),
            "one event, or an object with its details", one),
        Key("now", .form(.instant), .optional(otherwise: "2026-01-01T12:00:00Z, or as in the step before"), "the time", steps),
        Key(
            "state", .named("case.state"), .optional(otherwise: "nothing, or what the step before has left"), "what is remembered before",
            steps),
        Key(
            "expect", .either([.named("decision"), .list(.named("decision"))]),
            "with an event a part of the decision, else a list of them, one for each event", one),
        Key("expect_state", .named("case.state"), "a part of what is remembered afterwards", steps),
    ]

    static let step = Table("case.then", "a following step on the same state; what it does not say is as in the step before", stepKeys)

    public static let table = Table(
        "case", "an example with the answer that must come out; a file in cases/ holds a list of them",
        Array([[nameKey], Array(stepKeys.dropFirst()), ownKeys].joined()))

    private static let nameKey = Key("name", .text, .needed, "a sentence that is true when the case passes", one)
    private static let ownKeys: [Key] = [
        Key("proves", .list(.words(Rule.keys)), "the keys of a rule, or of what it decides, that it is an example of", one),
        Key("then", .list(.table(step)), "further steps on the same state", steps),
    ]

    /// What the reader of cases knows.
    public static let keys = table.names
    public static let thenKeys = step.names
    /// Of a decision, so that a slip in `expect` does not pass as something that must be absent.
    public static let decisionKeys = DecisionTable.table.names
    /// Of its parts that are one table.
    public static let partKeys: [String: [String]] = Dictionary(
        uniqueKeysWithValues: DecisionTable.table.keys.compactMap { key in
            if case .table(let part) = key.type, part.others == nil { (key.name, part.names) } else { nil }
        })

    // MARK: traffic

    private static let line = Example.json(
        #"{"at": "2026-01-15T22:00:00Z", "app": "chat", "event": "present", "message": {"message_id": "m-1", "aps": {"alert": "hi"}}, "device": {"recipient": "u-1"}}"#
    )

    static let traffic = Table(
        "traffic", "one line of recorded traffic; a decision log has more keys", others: .anything,
        [
            Key("at", .form(.instant), .needed, "when it happened", line),
            Key("app", .text, .needed, "whose rules decide", line),
            Key(
                "event", event, .optional(otherwise: "everything that the message causes on that phone"),
                "one event, or an object with its details", line),
            Key("message", .map(.anything, by: "a key of the message's own format"), "the message", line),
            Key("device", .named("device"), "the phone", line),
        ])
}
