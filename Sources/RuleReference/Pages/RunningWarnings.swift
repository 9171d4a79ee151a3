// An example of each warning that comes while rules run.
import PushMessage
import RuleEngine

enum RunningWarnings {
    static func example(of code: WarningCode) -> Example {
        let gives = #"{"warnings": [{"code": "\#(code.rawValue)"}]}"#
        func rules(_ decide: String, on event: String = "present", _ scene: Example.Scene = Example.Scene()) -> Example {
            .rules("rule \"Example\" { on = \"\(event)\", decide = \(decide) }", gives: gives, scene)
        }
        func plain(_ scene: Example.Scene) -> Example { .app("return { api = 1 }", gives: gives, scene) }
        let waits =
            #"{"deferred": [{"id": "m-1", "event": "send", "attempt": 2, \#(until) "message": {"message_id": "m-1", "aps": {"alert": "hi"}}}]}"#
        let due = #"{"name": "due", "deferred_id": "m-1"}"#
        switch code {
        case .unknownField: return rules("function(msg) return { title = msg.titel } end")
        case .unknownDeviceKey: return plain(Example.Scene(device: #"{"recipient": "u-1", "permision": "denied"}"#))
        case .unknownEventKey:
            return plain(Example.Scene(#"{"name": "account", "op": "login", "account": "u-1", "acount": "u-2"}"#, nil))
        case .unknownTimezone: return plain(Example.Scene(device: #"{"recipient": "u-1", "timezone": "Asia/Soul"}"#))
        case .noRecipient: return plain(Example.Scene(device: "{}"))
        case .stringMissing: return rules("function() return { title = text.tr \"hello\" } end", english("return { greeting = \"Hello\" }"))
        case .pluralFormMissing:
            return rules(
                "function() return { title = text.plural(1, { other = \"{n} items\" }) } end",
                Example.Scene(device: #"{"recipient": "u-1", "locale": "en"}"#))
        case .unknownLocale:
            return .app(
                "return { api = 1, locale = \"en\" }",
                rules: "rule \"Example\" { on = \"present\", decide = function() return { title = text.tr \"greeting\" } end }",
                gives: gives, Example.Scene(device: #"{"recipient": "u-1", "locale": "?"}"#, strings: "return { greeting = \"Hello\" }"))
        case .linkNotAllowed:
            return .app(
                "return { api = 1, links = { schemes = { \"shop\" } } }",
                rules: "rule \"Example\" { on = \"open\", decide = function(msg) return { route = msg.link } end }", gives: gives,
                Example.Scene("open", #"{"message_id": "m-1", "aps": {"alert": "hi"}, "link": "https://example.com"}"#))
        case .accountMismatch:
            return .app(
                "return { api = 1, fields = { account = \"user\" } }",
                rules: "rule \"Example\" { on = \"open\", decide = route \"shop://cart\" }", gives: gives,
                Example.Scene(
                    "open", #"{"message_id": "m-1", "aps": {"alert": "hi"}, "user": "u-2"}"#,
                    device: #"{"recipient": "u-1", "accounts": ["u-1"]}"#))
        case .deferralNotKept: return rules("function() return defer(\"1h\") end", on: "open", Example.Scene("open"))
        case .deferredAgain: return rules("function() return defer(\"1h\") end", on: "due", Example.Scene(due, nil, state: waits))
        case .eventNotAnswered: return plain(Example.Scene("account", nil))
        case .notDeferred: return plain(Example.Scene(due, nil))
        case .rulesetPinned:
            return plain(
                Example.Scene(
                    due, nil,
                    state:
                        #"{"deferred": [{"id": "m-1", "event": "send", "until": "resume", "ruleset": "aaaaaaaaaaaa", "message": {"message_id": "m-1", "aps": {"alert": "hi"}}}]}"#
                ))
        case .attachmentType:
            return rules("{ attachments = { { url = \"https://img.example.com/a.pdf\" } } }", on: "enrich", picture("pdf", nil))
        case .attachmentUnreachable: return rules(show, on: "enrich", picture("jpg", "\"error\": \"unreachable\""))
        case .attachmentTimeout: return rules(show, on: "enrich", picture("jpg", "\"error\": \"timeout\""))
        case .attachmentTooLarge: return rules(show, on: "enrich", picture("jpg", "\"status\": 200, \"bytes\": 99000000"))
        case .guardWarning:
            return .app(
                "return { api = 1, guards = { empty = \"warn\" } }", gives: gives,
                Example.Scene("present", #"{"message_id": "m-1", "aps": {"alert": " "}}"#))
        case .deferredFull, .inboxFull, .topicsFull, .sizeOverLimit: return .none(why: "it would be too long to show")
        case .fieldMapJSON:
            return .app(
                "return { api = 1, fields = { title = \"json:extra|title\" } }", gives: gives,
                Example.Scene("present", #"{"message_id": "m-1", "aps": {"alert": "hi"}, "extra": "{oops"}"#))
        // All others have a message in the page.
        default: return .none(why: "the page of warnings has no message")
        }
    }

    private static let until = #""until": "resume","#
    private static let show = "{ attachments = { { url = \"https://img.example.com/a.jpg\" } } }"

    private static func english(_ strings: String) -> Example.Scene {
        Example.Scene(device: #"{"recipient": "u-1", "locale": "en"}"#, strings: strings)
    }

    /// - Parameter facts: what came of fetching it, as members of an object; nil: nobody has tried.
    private static func picture(_ suffix: String, _ facts: String?) -> Example.Scene {
        let event = facts.map { #"{"name": "enrich", "fetched": {"url": "https://img.example.com/a.\#(suffix)", \#($0)}}"# } ?? "enrich"
        return Example.Scene(event, #"{"message_id": "m-1", "aps": {"alert": "hi", "mutable-content": 1}}"#)
    }
}
