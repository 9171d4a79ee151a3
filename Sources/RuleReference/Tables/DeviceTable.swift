// The fields of `device`, which are the keys of a device in JSON. A view shows some of them even when nobody said them.
import PushMessage
import RuleEngine

enum DeviceTable {
    private static func seen(_ field: String, _ device: String, _ gives: String) -> Example {
        .value("device.\(field)", gives: gives, Example.Scene(device: "{\(device)}"))
    }

    static let os = Table(
        "device.os", "the phone's system",
        [
            Key(
                "name", .words(AuthorVocabulary.systems), .always, "ios, unless the device says android",
                seen("os.name", #""os": {"name": "android", "version": "14"}"#, "\"android\"")),
            Key(
                "version", .form(.version), .sometimes, "the system's version; 18 of an iPhone that does not say",
                seen("os.version", #""os": {"name": "ios", "version": "17.4"}"#, "\"17.4\"")),
        ])

    private static let showing = #""state": "foreground", "screen": {"tab": "chat", "path": ["room-1"]}"#

    static let screen = Table(
        "device.screen", "what the app shows",
        [
            Key("tab", .text, .sometimes, "the tab on the screen", seen("screen.tab", showing, "\"chat\"")),
            Key(
                "path", .list(.either([.text, .anyInteger])), .sometimes, "the screens above it, outermost first",
                seen("screen.path[1]", showing, "\"room-1\"")),
        ])

    static let table = Table(
        "device", "the phone, when the event happens; read-only",
        [
            Key(
                "recipient", .text, .sometimes, "whose phone it is; state belongs to a recipient",
                seen("recipient", #""recipient": "u-1""#, "\"u-1\"")),
            Key(
                "state", .words(DeviceState.allCases.map(\.rawValue)), .always,
                "what the app is doing; background when the device does not say",
                details: ["not_running counts as terminated."], seen("state", #""state": "foreground""#, "\"foreground\"")),
            Key("os", .table(os), .always, "the phone's system", seen("os.name", "", "\"ios\"")),
            Key(
                "app_version", .form(.version), .sometimes, "the app's version",
                seen("app_version", #""app_version": "3.2.0""#, "\"3.2.0\"")),
            Key(
                "permission", .words(Permission.allCases.map(\.rawValue)), .always,
                "what the person allowed in the phone's settings; authorized when the device does not say",
                seen("permission", #""permission": "provisional""#, "\"provisional\"")),
            Key(
                "app_push", .truth, .always, "the app's own switch for all notifications", seen("app_push", #""app_push": false"#, "false")),
            Key(
                "channels", .map(.truth, by: "the channel's code"), .sometimes, "the app's switches, as the phone knows them",
                seen("channels.offers", #""channels": {"offers": false}"#, "false")),
            Key(
                "screen", .table(screen), .sometimes,
                "what the app shows; ask device:is_showing, which copes with a screen that nobody knows",
                seen("screen.tab", showing, "\"chat\"")),
            Key("badge", .count, .sometimes, "the number on the icon", seen("badge", #""badge": 3"#, "3")),
            Key(
                "topics", .list(.text), .sometimes, "the topics that the phone is subscribed to; nil: nobody knows",
                seen("topics[1]", #""topics": ["news"]"#, "\"news\"")),
            Key("locale", .form(.locale), .sometimes, "the phone's language", seen("locale", #""locale": "ko-KR""#, "\"ko-KR\"")),
            Key("timezone", .form(.zone), .sometimes, "the phone's zone", seen("timezone", #""timezone": "Asia/Seoul""#, "\"Asia/Seoul\"")),
            Key(
                "accounts", .list(.text), .sometimes, "who is logged in; nil: nobody knows",
                seen("accounts[1]", #""accounts": ["u-1"]"#, "\"u-1\"")),
            Key("tap", .truth, .always, "whether the notification was tapped", seen("tap", #""tap": true"#, "true")),
            Key(
                "action", .text, .sometimes, "the action of the notification that was chosen",
                seen("action", #""action": "REPLY""#, "\"REPLY\"")),
            Key(
                "local_copy", .truth, .always, "whether it is a notification that the app itself has posted",
                seen("local_copy", #""local_copy": true"#, "true")),
        ])
}

/// What a function gets third: the event's name, and its details where whoever asks has given some.
enum EventTable {
    private static func seen(_ field: String, _ event: String, _ gives: String, message: String? = Example.Scene.message) -> Example {
        .value("event.\(field)", gives: gives, Example.Scene(event, message))
    }
    private static let account = #"{"name": "account", "op": "switch", "account": "u-2", "previous": "u-1"}"#
    private static let token = #"{"name": "token", "kind": "fcm", "value": "abc"}"#
    private static let settings = #"{"name": "settings", "changed": {"channels": {"offers": false}}, "reset": true}"#
    private static let waiting = Example.Scene(
        #"{"name": "due", "deferred_id": "m-1"}"#, nil,
        state:
            #"{"deferred": [{"id": "m-1", "event": "send", "attempt": 1, "until": {"at": "2026-01-01T11:00:00Z", "local": "2026-01-01 11:00", "zone": "UTC"}, "message": {"message_id": "m-1", "aps": {"alert": "hi"}}, "device": {"recipient": "u-1"}}]}"#
    )
    private static let fetched = #"{"name": "enrich", "fetched": {"url": "https://img.example.com/a.jpg", "error": "timeout"}}"#

    static let changed = Table(
        "event.changed", "the switches that the person has touched",
        [
            Key(
                "app_push", .truth, .sometimes, "the switch of the whole app",
                seen("changed.app_push", #"{"name": "settings", "changed": {"app_push": true}}"#, "true", message: nil)),
            Key(
                "channels", .map(.truth, by: "the channel's code"), .sometimes, "switches of channels",
                seen("changed.channels.offers", settings, "false", message: nil)),
        ])

    private static func fetchedKey(
        _ name: String, _ type: ValueType, there presence: Key.Presence = .sometimes, _ summary: String, _ json: String
    ) -> Key {
        let more = name == "url" ? "" : ", \"\(name)\": \(json)"
        return Key(
            name, type, presence, summary,
            seen("fetched.\(name)", #"{"name": "enrich", "fetched": {"url": "https://img.example.com/a.jpg""# + more + "}}", json))
    }

    static let fetchedTable = Table(
        "event.fetched", "what came of fetching one picture",
        [
            fetchedKey("url", .text, there: .always, "which picture", #""https://img.example.com/a.jpg""#),
            fetchedKey("status", .anyInteger, "the status of the last answer", "200"),
            fetchedKey("type", .text, "what its first bytes say that it is", "\"image/jpeg\""),
            fetchedKey("bytes", .anyInteger, "how many bytes it has", "48211"),
            fetchedKey("seconds", .anyNumber, "how long that took", "0.5"),
            fetchedKey("error", .words(FetchedAttachment.Failure.allCases.map(\.rawValue)), "why it did not come", "\"timeout\""),
            fetchedKey("detail", .text, "a word more on that", "\"refused\""),
        ])

    static let table = Table(
        "event", "what is happening; read-only", others: .anything,
        [
            Key("name", .words(EventName.allCases.map(\.rawValue)), .always, "the event's name", seen("name", "present", "\"present\"")),
            Key(
                "action", .text, .sometimes, at: [.open], "the action of the notification that was chosen; nil: the notification itself",
                seen("action", #"{"name": "open", "action": "REPLY"}"#, "\"REPLY\"")),
            Key(
                "op", .words(AuthorVocabulary.accountOperations), .sometimes, at: [.account], "what happened to the account",
                seen("op", account, "\"switch\"", message: nil)),
            Key(
                "account", .text, .sometimes, at: [.account], "who is logged in now, or out",
                seen("account", account, "\"u-2\"", message: nil)),
            Key(
                "previous", .text, .sometimes, at: [.account], "who was logged in before",
                seen("previous", account, "\"u-1\"", message: nil)),
            Key(
                "kind", .words(AuthorVocabulary.tokenKinds), .sometimes, at: [.token], "which token is new",
                seen("kind", token, "\"fcm\"", message: nil)),
            Key("value", .text, .sometimes, at: [.token], "the token itself", seen("value", token, "\"abc\"", message: nil)),
            Key(
                "changed", .table(changed), .sometimes, at: [.settings], "the switches that the person has touched",
                seen("changed.channels.offers", settings, "false", message: nil)),
            Key(
                "reset", .truth, .sometimes, at: [.settings], "true: all channels went back to where app.lua has them",
                seen("reset", settings, "true", message: nil)),
            Key(
                "deferred_id", .text, .sometimes, at: [.due], "which message is looked at again",
                .value("event.deferred_id", gives: "\"m-1\"", waiting)),
            Key(
                "attempt", .integer(1...Int(Int32.max)), .sometimes, at: [.due], "how often it has been looked at, this time included",
                .value("event.attempt", gives: "1", waiting)),
            Key(
                "of", .words(EventName.allCases.filter(\.canDefer).map(\.rawValue)), .sometimes, at: [.due], "the event that held it back",
                .value("event.of", gives: "\"send\"", waiting)),
            Key(
                "fetched", .either([.table(fetchedTable), .list(.table(fetchedTable))]), .sometimes, at: [.enrich],
                "what came of fetching its pictures, of several a list",
                seen("fetched.error", fetched, "\"timeout\"")),
        ])
}
