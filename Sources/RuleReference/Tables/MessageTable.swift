// The fields of `msg`, which are those of the normalised message: `rulehost inspect` shows them for a message of yours.
import PushMessage
import RuleEngine

enum MessageTable {
    static let table = Table("msg", "the message, normalised; read-only", MessageField.allCases.map(key))

    static let sound = nested(
        "sound", "the message's sound",
        [
            ("name", .text, .sometimes, "the sound's file, or default", #"{"aps": {"alert": "hi", "sound": "bell.caf"}}"#, #""bell.caf""#),
            (
                "critical", .truth, .sometimes, "whether it breaks through a mute phone",
                #"{"aps": {"alert": "hi", "sound": {"name": "a.caf", "critical": 1}}}"#, "true"
            ),
            (
                "volume", .number(0...1), .sometimes, "how loud, from 0 to 1",
                #"{"aps": {"alert": "hi", "sound": {"name": "a.caf", "critical": 1, "volume": 0.5}}}"#, "0.5"
            ),
        ])

    private static let localised =
        #"{"aps": {"alert": {"title-loc-key": "T", "title-loc-args": ["a"], "subtitle-loc-key": "S", "subtitle-loc-args": ["b"], "loc-key": "B", "loc-args": ["c"]}}}"#

    static let loc = nested(
        "loc", "keys and arguments for the app's own translations",
        [
            ("title_key", .text, .sometimes, "the key of the title", localised, "\"T\""),
            ("title_args", .list(.text), .sometimes, "what is put into the title", localised, "[\"a\"]"),
            ("subtitle_key", .text, .sometimes, "the key of the subtitle", localised, "\"S\""),
            ("subtitle_args", .list(.text), .sometimes, "what is put into the subtitle", localised, "[\"b\"]"),
            ("body_key", .text, .sometimes, "the key of the text", localised, "\"B\""),
            ("body_args", .list(.text), .sometimes, "what is put into the text", localised, "[\"c\"]"),
        ])

    private static let carrier =
        #"{"google.c.cm.lt_start": "2026-01-01 18:00:00", "google.c.cm.lt_end": "2026-01-02 18:00:00", "gcm.notification.body": "hi", "gcm.message_id": "1"}"#

    static let scheduled = nested(
        "scheduled", "the hours of a message of the Firebase console, on the recipient's own clock",
        [
            ("from", .form(.wallTime), .sometimes, "when it begins to be shown", carrier, "\"2026-01-01 18:00:00\""),
            ("to", .form(.wallTime), .sometimes, "until when it is shown", carrier, "\"2026-01-02 18:00:00\""),
        ])

    static let lint = Table(
        "msg.lint", "one warning about the message",
        [
            ("code", ValueType.words(WarningCode.allCases.map(\.rawValue)), Key.Presence.always, "which kind it is", "\"badge_text\""),
            ("path", .text, .always, "where in the message as it was sent", "\"aps.badge\""),
            ("message", .text, .always, "a sentence", ""),
            ("hint", .text, .sometimes, "what to do about it", ""),
        ].map { name, type, presence, summary, gives in
            Key(
                name, type, presence, summary,
                .value(
                    gives.isEmpty ? "type(msg.lint[1].\(name))" : "msg.lint[1].\(name)", gives: gives.isEmpty ? "\"string\"" : gives,
                    Example.Scene("present", #"{"message_id": "m-1", "aps": {"alert": "hi", "badge": "3"}}"#)))
        })

    private static func nested(
        _ field: String, _ summary: String,
        _ parts: [(name: String, type: ValueType, presence: Key.Presence, summary: String, message: String, gives: String)]
    ) -> Table {
        Table(
            "msg.\(field)", summary,
            parts.map { part in
                Key(
                    part.name, part.type, part.presence, part.summary,
                    .value("msg.\(field).\(part.name)", gives: part.gives, Example.Scene("receive", part.message)))
            })
    }

    private static func key(_ field: MessageField) -> Key {
        let described = described(field)
        let isAlways: Bool =
            switch field {
            case .format, .contentAvailable, .mutableContent, .silent, .data, .raw, .lint: true
            default: false
            }
        return Key(
            "\(field.name)", described.type, isAlways ? .always : .sometimes, described.summary,
            .value(described.lua ?? "msg.\(field.name)", gives: described.gives, Example.Scene("receive", described.message)))
    }

    private struct Described {
        let type: ValueType
        let summary: String
        let message: String
        let gives: String
        let lua: String?

        init(_ type: ValueType, _ summary: String, _ message: String, _ gives: String, lua: String? = nil) {
            self.type = type
            self.summary = summary
            self.message = message
            self.gives = gives
            self.lua = lua
        }
    }

    private static let formats = MessageFormat.allCases.map(\.rawValue)
    private static func aps(_ more: String) -> String {
        #"{"message_id": "m-1", "aps": {"alert": {"title": "Mina", "body": "hi"}"# + more + "}}"
    }
    private static func v1(_ more: String) -> String { #"{"message": {"notification": {"title": "Mina"}, "# + more + "}}" }
    private static func headed(_ header: String) -> String { "{\"headers\": {\(header)}, \"payload\": {\"aps\": {\"alert\": \"hi\"}}}" }

    private static func described(_ field: MessageField) -> Described {
        switch field {
        case .id:
            Described(.text, "the message's id as text; \"hash:\" and 32 hexadecimal digits when the sender gave none", aps(""), "\"m-1\"")
        case .idGenerated: Described(.truth, "true when the id is made of what the message says", #"{"aps": {"alert": "hi"}}"#, "true")
        case .format: Described(.words(formats), "the shape in which it came", aps(""), "\"apns\"")
        case .title: Described(.text, "the title", aps(""), "\"Mina\"")
        case .subtitle:
            Described(.text, "the subtitle", #"{"aps": {"alert": {"title": "Mina", "subtitle": "in room 1"}}}"#, "\"in room 1\"")
        case .body: Described(.text, "the text", aps(""), "\"hi\"")
        case .loc: Described(.table(loc), "keys and arguments for the app's own translations", localised, "\"T\"", lua: "msg.loc.title_key")
        case .image:
            Described(
                .text, "the address of a picture, even a bad one",
                #"{"aps": {"alert": "hi"}, "fcm_options": {"image": "https://img.example.com/a.jpg"}}"#,
                "\"https://img.example.com/a.jpg\"")
        case .badge: Described(.count, "the number for the icon", aps(#", "badge": 3"#), "3")
        case .sound: Described(.table(sound), "the sound", aps(#", "sound": "default""#), "\"default\"", lua: "msg.sound.name")
        case .channel:
            Described(.text, "the channel, which people can switch off", #"{"aps": {"alert": "hi"}, "channel": "offers"}"#, "\"offers\"")
        case .thread: Described(.text, "by what the phone groups it", aps(#", "thread-id": "room-1""#), "\"room-1\"")
        case .category: Described(.text, "what chooses its buttons", aps(#", "category": "INVITE""#), "\"INVITE\"")
        case .collapse: Described(.text, "which earlier message it replaces", headed(#""apns-collapse-id": "room-1""#), "\"room-1\"")
        case .topic: Described(.text, "the topic it was sent to", v1(#""topic": "news""#), "\"news\"")
        case .condition:
            Described(.text, "the condition on topics it was sent with", v1(#""condition": "'a' in topics""#), "\"'a' in topics\"")
        case .link:
            Described(
                .form(.url), "the first valid link of the usual places", #"{"aps": {"alert": "hi"}, "link": "shop://cart"}"#,
                "\"shop://cart\"")
        case .recipient: Described(.text, "whose phone it is, as the device says", aps(""), "\"u-1\"")
        case .account: Described(.text, "whom the message is for; only a field map finds it", aps(""), "true", lua: "msg.account == nil")
        case .priority:
            Described(
                .words(AuthorVocabulary.urgencies), "how urgent it is; the matcher is `urgency`", headed(#""apns-priority": "10""#),
                "\"high\"")
        case .pushType: Described(.text, "Apple's header apns-push-type", headed(#""apns-push-type": "alert""#), "\"alert\"")
        case .interruptionLevel:
            Described(
                .words(AuthorVocabulary.interruptionLevels), "how much it may disturb", aps(#", "interruption-level": "passive""#),
                "\"passive\"")
        case .relevance: Described(.anyNumber, "by what the phone sorts, from 0 to 1", aps(#", "relevance-score": 0.5"#), "0.5")
        case .targetContentID: Described(.text, "which window of the app it is for", aps(#", "target-content-id": "w1""#), "\"w1\"")
        case .filter: Described(.text, "which focus of the phone it is for", aps(#", "filter-criteria": "work""#), "\"work\"")
        case .ttl:
            Described(.anyInteger, "for how many seconds it is worth delivering", v1(#""token": "t", "android": {"ttl": "3600s"}"#), "3600")
        case .sentAt:
            Described(
                .form(.instant), "when it was sent", #"{"aps": {"alert": "hi"}, "gcm.message_id": "1", "google.c.a.ts": "1767268800"}"#,
                "\"2026-01-01T12:00:00Z\"")
        case .expiresAt:
            Described(
                .form(.instant), "when it is worth nothing any more", headed(#""apns-expiration": "1767272400""#),
                "\"2026-01-01T13:00:00Z\"")
        case .contentAvailable: Described(.truth, "whether it wakes the app", aps(#", "content-available": 1"#), "true")
        case .mutableContent:
            Described(.truth, "whether the app may work on it before it is shown", aps(#", "mutable-content": 1"#), "true")
        case .silent: Described(.truth, "content-available, and nothing to show", #"{"aps": {"content-available": 1}}"#, "true")
        case .scheduled:
            Described(
                .table(scheduled), "the hours of a message of the Firebase console", carrier, "\"2026-01-01 18:00:00\"",
                lua: "msg.scheduled.from")
        case .data:
            Described(
                .map(.anything, by: "the sender's own key"), "the sender's own keys, as the phone sees them; a missing one is nil",
                #"{"aps": {"alert": "hi"}, "chat_id": "r-1"}"#, "\"r-1\"", lua: "msg.data.chat_id")
        case .raw:
            Described(
                .map(.anything, by: "a key of the message"), "the message as it was sent", aps(""), "\"hi\"", lua: "msg.raw.aps.alert.body")
        case .lint:
            Described(
                .list(.table(lint)), "what a sender should repair: `rulehost docs warnings`", aps(#", "badge": "3""#), "\"badge_text\"",
                lua: "msg.lint[1].code")
        }
    }
}
