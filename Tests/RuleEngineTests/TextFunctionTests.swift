// text.fill, text.truncate and bucket, as scripts call them.
import PushMessage
import Testing

@testable import RuleEngine

@Suite struct TextFunctionTests {
    private func value(_ expression: String, device: String = #"{"recipient":"u-1","state":"foreground"}"#) throws -> String? {
        let answer = try Scene(
            rules: #"rule "R" { on = "present", decide = function() return { labels = { v = tostring(\#(expression)) } } end }"#,
            device: device
        ).answer()
        return answer.decision.labels.first?.value ?? answer.decision.errors.first?.message
    }

    @Test(
        "Names in braces are filled, other braces stay",
        arguments: [
            (#"text.fill("Hi {name}!", { name = "Mina" })"#, "Hi Mina!"), (#"text.fill("{a}{b}", { a = 1, b = true })"#, "1true"),
            (#"text.fill("no names", {})"#, "no names"), (#"text.fill("{ x } {} {", {})"#, "{ x } {} {"),
            (#"text.fill("APPPUSH%{uid}", { uid = "u1" })"#, "APPPUSH%u1"),
            (#"text.fill("{a}", { a = "{b}", b = "x" })"#, "{b}"), (#"text.fill("{a}{a}", { a = 1.5 })"#, "1.51.5"),
            (#"text.fill("{name", { name = 1 })"#, "{name"), (#"text.fill("{{name}}", { name = 1 })"#, "{1}"),
            (#"text.fill("{nämé}", { n = 1 })"#, "{nämé}"),
            (#"text.fill("{a}", { a = {} })"#, "the value for {a} must be a text or a number"),
            (#"text.fill("👨‍👩‍👧{a}", { a = "👨‍👩‍👧" })"#, "👨‍👩‍👧👨‍👩‍👧"), (#"text.fill("{a}\u{301}", { a = "e" })"#, "e\u{301}"),
            (#"text.fill("{who}", { name = 1 })"#, "text.fill: there is no value for {who}"),
            (
                #"#text.fill(("{a}"):rep(10000), { a = ("x"):rep(10000) })"#,
                "text.fill: the filled text is longer than 256 KiB"
            ),
        ])
    func fill(expression: String, expected: String) throws {
        #expect(try value(expression)?.contains(expected) == true)
    }

    @Test(
        "Texts are cut between characters as a reader counts them",
        arguments: [
            (#"text.truncate("Hello", 5)"#, "Hello"), (#"text.truncate("Hello", 4)"#, "Hel…"), (#"text.truncate("Hello", 0)"#, ""),
            (#"text.truncate("Hello", 4, "")"#, "Hell"), (#"text.truncate("Hello", 2, "...")"#, "He"),
            (#"text.truncate("👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧", 2)"#, "👨‍👩‍👧…"), (#"text.truncate("e\u{301}e\u{301}e\u{301}", 2, "")"#, "e\u{301}e\u{301}"),
            (#"text.truncate("x", -1)"#, "n must be 0 or more"),
            // Flags are two letters each; a family is one character; an accent belongs to its letter.
            (#"text.truncate("🇩🇪🇰🇷🇫🇷", 2)"#, "🇩🇪…"), (#"text.truncate("👩🏽‍🚀👩🏽‍🚀👩🏽‍🚀", 2)"#, "👩🏽‍🚀…"), (#"text.truncate("1️⃣2️⃣3️⃣", 2)"#, "1️⃣…"),
            // Korean syllables written as their letters, and a conjunct of Devanagari.
            (#"text.truncate("\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}\u{1112}\u{1161}", 2)"#, "\u{1112}\u{1161}\u{11AB}…"),
            (#"text.truncate("क्षिक्षिक्षि", 2)"#, "क्षि…"), (#"text.truncate("நிநிநி", 2)"#, "நி…"), (#"text.truncate("สวัสดี", 3)"#, "สวั…"),
            (#"#text.truncate("a\r\nb\r\nc", 3)"#, "6"), (#"text.truncate("a\r\nb", 3)"#, "a\r\nb"),
            (#"text.truncate("ab", 9223372036854775807)"#, "ab"), (#"text.truncate("", 3)"#, ""),
            (#"text.truncate("abc", 2, "👨‍👩‍👧")"#, "a👨‍👩‍👧"), (#"text.truncate("abc", 1, "…")"#, "…"),
        ])
    func truncate(expression: String, expected: String) throws {
        #expect(try value(expression)?.hasSuffix(expected) == true)
    }

    @Test(
        "A number with an exponent that no counter holds is an error of the rule, never the end of the program",
        arguments: ["1e-9223372036854775808", "1e9223372036854775807", "1e-401", "1e99999999999999999999"])
    func enormousExponent(number: String) throws {
        for call in [#"text.plural(msg.data.n, { other = "x" })"#, #"text.plural(msg.raw.n, { other = "x" })"#] {
            let answer = try Scene(
                rules: #"rule "R" { on = "present", decide = function(msg) return { body = \#(call) } end }"#,
                message: #"{"message_id":"m-1","aps":{"alert":"x"},"n":"\#(number)"}"#
            ).answer()
            #expect(answer.decision.errors.map(\.rule) == ["R"] && answer.decision.display?.action == .show)
        }
    }

    @Test("Buckets are what the published formula gives")
    func bucket() throws {
        // SHA-256 over "test", 0, "salt", 0, "u-1"; its first eight bytes as a number, modulo 100.
        let number = Bucket.of(app: "test", salt: "salt", recipient: "u-1")
        #expect(try value(#"bucket("salt")"#) == "\(number)")
        #expect(number == 34)
        #expect(try value(#"bucket("salt")"#, device: #"{"state":"foreground"}"#) == "99")
    }
}
