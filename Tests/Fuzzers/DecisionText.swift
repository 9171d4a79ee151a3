// Lua tables by chance: fields that `decide` knows with values that are right, nearly right, or anything that Lua has.
// The bytes of a fuzzer choose; the same bytes give the same text.

struct DecisionText {
    /// Whether the text stands for itself: no function, nothing of the message.
    private(set) var isPlain = true
    private(set) var saysDisplay = false
    private var dice: Dice

    init(_ dice: Dice) { self.dice = dice }

    /// What `decide` is, or returns.
    mutating func decision() -> String {
        switch dice.below(16) {
        case 0: return "suppress(\(value(2)))"
        case 1: return "defer(\(value(2)), \(value(2)))"
        case 2: return "show(\(value(3)))"
        case 3: return "route(\(value(3)))"
        case 4: return value(0)
        default: return fields()
        }
    }

    private mutating func fields() -> String {
        var members: [String] = []
        var isOver = false
        while !isOver && members.count < 8 {
            let (name, near) = dice.pick(Self.known)
            if name == "display" { saysDisplay = true }
            let given = dice.below(3) == 0 ? value(1) : dice.pick(near)
            members.append("[\"\(name)\"] = \(given)")
            isOver = dice.isEmpty
        }
        if dice.below(16) == 0 { members.append("[\(dice.pick(Self.oddKeys))] = \(value(2))") }
        return "{ \(members.joined(separator: ", ")) }"
    }

    private mutating func value(_ depth: Int) -> String {
        switch dice.below(depth >= 5 ? 12 : 18) {
        case 0...3: return dice.pick(Self.numbers)
        case 4...7: return string()
        case 8: return dice.pick(["nil", "true", "false", "{}", "shared", "deep"])
        case 9:
            isPlain = false
            return dice.pick(Self.borrowed)
        case 10: return dice.pick(["\"\"", "\" \"", "\"none\"", "\"clear\"", "\"+1\"", "\"08:00\"", "\"2h\""])
        case 11: return dice.pick(Self.words)
        case 12 where dice.below(8) == 0:
            // Longer than what may be returned, and not than what may be written down.
            isPlain = false
            return "string.rep(\"a\", 70000)"
        case 12, 13: return "{ \((0..<dice.below(5)).map { _ in value(depth + 1) }.joined(separator: ", ")) }"
        case 14: return "{ \((0..<dice.below(4)).map { _ in "[\(key())] = \(value(depth + 1))" }.joined(separator: ", ")) }"
        default: return fields()
        }
    }

    private mutating func key() -> String {
        let key = dice.below(3) == 0 ? dice.pick(Self.oddKeys) : dice.pick(Self.words)
        return key == "nil" ? "\"nil\"" : key
    }

    private mutating func string() -> String {
        let bytes = (0..<dice.below(12)).map { _ in dice.byte() }
        return "\"" + bytes.map { "\\\($0 < 10 ? "00" : $0 < 100 ? "0" : "")\($0)" }.joined() + "\""
    }

    private static let numbers = [
        "0", "1", "-1", "0.5", "1.0", "-0.0", "1e308", "0/0", "1/0", "-1/0", "2147483647", "2147483648", "-2147483648", "math.maxinteger",
        "math.mininteger", "9007199254740993", "3.7",
    ]
    private static let borrowed = [
        "msg", "msg.data", "msg.title", "device", "event", "msg.raw", "device.screen", "function() end", "json.encode",
    ]
    private static let oddKeys = [
        "1", "2", "0", "-1", "1.5", "true", "\"\\xff\"", "\"\"", "\"Title\"", "\"tittle\"", "99", "math.maxinteger", "{}",
    ]
    private static let words = [
        "banner", "list", "sound", "badge", "show", "suppress", "defer", "tab", "path", "url", "mode", "account", "push", "replace",
        "subscribe", "unsubscribe", "op", "topic", "add", "even_if_suppressed", "type", "url", "new_data", "chat", "shop://cart",
        "https://example.com/p.png", "javascript:alert(1)", "u-1", "resume", "2026-12-24 08:00", "2026-02-30 25:00",
    ].map { "\"\($0)\"" }

    private static let known: [(String, [String])] = [
        ("display", ["\"show\"", "\"suppress\"", "\"defer\"", "{}", "{ \"banner\", \"list\" }", "{ \"banner\", \"baner\" }", "false"]),
        (
            "hold_until",
            [
                "\"2h30m\"", "\"08:00\"", "\"2026-12-24 08:00\"", "\"2026-12-24T08:00:00Z\"", "\"resume\"", "\"24:00\"", "\"9999999999d\"",
                "\"2026-03-29 02:30\"", "\"0s\"", "\"-1h\"", "\"9999-12-31\"", "\"0000-01-01\"",
            ]
        ), ("pin", ["true", "false", "1"]), ("reason", ["\"because\"", "\"cap\"", "\"\"", "\"a\\nb\"", "\"duplicate\""]),
        ("title", ["\"T\"", "\"\"", "\"\\u{1F600}\"", "1"]), ("subtitle", ["\"S\"", "\"\""]), ("body", ["\"B\"", "\"\\0\""]),
        ("sound", ["\"ping.caf\"", "\"none\"", "\"\"", "\"default\""]), ("category", ["\"C\"", "\"\""]), ("thread", ["\"t\""]),
        ("interruption_level", ["\"passive\"", "\"active\"", "\"time-sensitive\"", "\"critical\"", "\"loud\""]),
        ("relevance", ["0", "1", "0.5", "-0.0", "1.1", "0/0"]),
        (
            "attachments",
            [
                "{ { url = \"https://example.com/a.png\" } }", "{ { url = \"https://example.com/a.png\", type = \"image/png\" } }", "{}",
                "{ \"https://example.com/a\" }", "{ { url = \"file:///etc/passwd\" } }",
            ]
        ),
        (
            "badge",
            [
                "5", "\"+1\"", "\"-1\"", "\"clear\"", "{ add = 1, even_if_suppressed = true }", "0", "-1", "\"+9999999999\"", "2147483647",
                "{ add = 2147483647 }", "{ add = -2147483648, even_if_suppressed = true }", "\"+0\"", "\"+2147483647\"",
            ]
        ),
        (
            "route",
            [
                "\"shop://cart\"", "{ tab = \"chat\", path = { \"r-1\", 2 } }", "false",
                "{ url = \"https://example.com\", mode = \"push\" }",
                "{ account = \"u-2\", tab = \"chat\" }", "\"javascript:alert(1)\"", "{}", "true", "{ path = { } }",
            ]
        ),
        (
            "topics",
            [
                "{ subscribe = { \"a\" }, unsubscribe = { \"news\" } }", "{ { op = \"subscribe\", topic = \"b\" } }", "{}",
                "{ subscribe = { \"a b\" } }", "{ subscribe = \"a\" }",
            ]
        ), ("fetch_result", ["\"new_data\"", "\"no_data\"", "\"failed\"", "\"nothing\""]),
        ("inbox", ["{ id = 1 }", "1", "\"x\"", "{ { {} } }", "false", "0/0", "shared", "deep"]),
        ("labels", ["{ kind = \"x\" }", "{ a = \"1\", b = \"2\" }", "{}", "{ a = 1 }", "{ [\"\"] = \"x\" }", "{ \"x\" }"]),
        ("dispaly", ["\"show\""]), ("", ["1"]),
    ]
}
