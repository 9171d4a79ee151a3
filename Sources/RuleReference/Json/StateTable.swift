// What an app remembers as JSON: a state file, and the short form of a case. A test holds the keys against those of
// RuleStore's readers.
import PushMessage
import RuleEngine
import RuleStore

enum StateTable {
    private static let file = Example.json(
        #"""
        {
          "app": {"sent_today": 12},
          "expires": {"sent_today": "2026-01-02T00:00:00Z"},
          "recipients": {
            "u-1": {
              "values": {"last_room": "room-1"},
              "expires": {"last_room": "2026-02-01T00:00:00Z"},
              "settings": {"app_push": true, "timezone": "Asia/Seoul", "channels": {"offers": false}},
              "topics": {"wanted": ["news"], "confirmed": ["news"]},
              "badge": 4,
              "inbox": [{"order": 7}],
              "pending": [{"tab": "chat", "path": ["room-1"]}],
              "deferred": [{"id": "m-2", "event": "send", "attempt": 1, "until": "resume", "message": {"aps": {"alert": "hi"}}}],
              "tokens": {"apns": "ba7816bf8f01cfea"},
              "seen": [{"id": "m-1", "first": "2026-01-01T09:41:00Z", "events": ["present"], "badge_counted": true, "caps": ["Offers"]}],
              "caps": {"Offers": {"shown": ["2026-01-01T09:41:00Z"], "until": "2026-01-02T09:41:00Z"}}
            }
          }
        }
        """#)
    private static let inCase = Example.json(
        #"{"recipient": {"last_room": "room-1"}, "app": {"sent_today": 12}, "settings": {"offers": false}, "topics": ["news"], "badge": 4, "seen": [{"id": "m-1", "event": "present"}], "caps": {"Offers": ["2026-01-01T09:41:00Z"]}}"#
    )

    private static func key(_ name: String, _ type: ValueType, _ summary: String, needed: Bool = false, _ example: Example = file) -> Key {
        Key(name, type, needed ? .needed : .optional(otherwise: nil), summary, example)
    }

    private static let values = ValueType.map(.anything, by: "the key of state")
    private static let expiries = ValueType.map(.form(.instant), by: "the key of state")
    private static let events = ValueType.words(StateVocabulary.seenEvents)

    static let table = Table(
        "state-file", "a state file: what an app remembers, for --state-file and --apply",
        [
            key("app", values, "what rules keep for the whole app, with state.app"),
            key("expires", expiries, "when values of it are forgotten"),
            key("recipients", .map(.table(recipient), by: "the recipient"), "what is remembered for each person"),
        ])

    static let recipient = Table(
        "state-file.recipients", "what is remembered for one person",
        [
            key("values", values, "what rules keep, with state"),
            key("expires", expiries, "when values of it are forgotten"),
        ] + parts(seen: seen, caps: .map(.table(cap), by: "the cap's key"), file))

    private static func parts(seen: ValueType, caps: ValueType, _ example: Example) -> [Key] {
        [
            key("settings", .table(settings), "switches that the person has touched, and the zone", example),
            key("topics", .either([.list(.text), .table(topics)]), "topics; a list sets both kinds", example),
            key("badge", .count, "the number on the icon", example),
            key("inbox", .list(.anything), "what waits for the app until resume", example),
            key("pending", .list(.anything), "ways of taps that wait until resume, oldest first", example),
            key("deferred", .list(.table(deferred)), "messages that are held back", example),
            key("tokens", .table(tokens), "fingerprints of push tokens", example),
            key("seen", seen, "messages that have been here", example),
            key("caps", caps, "when a cap has counted a message", example),
        ]
    }

    static let settings = Table(
        "state-file.settings", "switches that the person has touched; the code of a channel may also stand beside them", others: .truth,
        [
            key("app_push", .truth, "the switch of the whole app"),
            key("timezone", .form(.zone), "where the person is when the phone does not say"),
            key("channels", .map(.truth, by: "the channel's code"), "switches of channels"),
        ])

    static let topics = Table(
        "state-file.topics", "topics",
        [
            key("wanted", .list(.text), "those that the person is to have"),
            key("confirmed", .list(.text), "those that the phone has confirmed"),
        ])

    static let tokens = Table(
        "state-file.tokens", "fingerprints of push tokens",
        [
            key("apns", .text, "of the APNs token"), key("fcm", .text, "of the registration token"),
            key("waiting", .text, "of a registration token that came before its APNs token"),
        ])

    static let deferred = Table(
        "state-file.deferred", "a message that is held back",
        [
            key("id", .text, "by which `due` names it", needed: true),
            key("event", .words(EventName.allCases.filter(\.canDefer).map(\.rawValue)), "the event that held it back", needed: true),
            key("attempt", .integer(1...Int(Int32.max)), "how often it has been held back"),
            key("until", .either([.words(["resume"]), .table(DecisionTable.until)]), "until when"),
            key("rule", .text, "the rule that did it"), key("ruleset", .form(.ruleset), "the rules that are to decide it"),
            key("format", .words(MessageFormat.allCases.map(\.rawValue)), "how the message was read"),
            key("message", .map(.anything, by: "a key of the message's own format"), "the message", needed: true),
            key("device", .named("device"), "what was known of the phone"),
        ])

    private static let seen = ValueType.list(.table(seenInFile))

    static let seenInFile = Table(
        "state-file.seen", "a message that has been here",
        [
            key("id", .text, "its id", needed: true), key("first", .form(.instant), "when it came first", needed: true),
            key("events", .list(events), "at which events it was here"), key("generated", .truth, "its id is made of what it says"),
            key("content", .text, "a hash of what it says"), key("badge_counted", .truth, "the badge has counted it"),
            key("caps", .list(.text), "the caps that have counted it"), key("route", .anything, "where its tap led"),
        ])

    static let cap = Table(
        "state-file.caps", "what a cap has counted",
        [
            key("shown", .list(.form(.instant)), "when messages were shown"), key("until", .form(.instant), "until when the count matters"),
        ])

    // MARK: in a case

    static let caseTable = Table(
        "case.state", "what is remembered for the recipient of the case's device, and for the app",
        [
            key("recipient", values, "what rules keep, with state", inCase),
            key("app", values, "what rules keep for the whole app", inCase),
        ]
            + parts(
                seen: .list(.either([.text, .table(seenInCase)])),
                caps: .map(.either([.list(.form(.instant)), .table(cap)]), by: "the cap's key"), inCase))

    static let seenInCase = Table(
        "case.state.seen", "a message that has been here",
        [
            key("id", .text, "its id", needed: true, inCase), key("event", events, "at which event", needed: true, inCase),
            key("at", .form(.instant), "when; just now without it", inCase),
        ])
}
