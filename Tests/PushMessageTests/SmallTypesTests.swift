// Conditions, instants, paths and near misses: what the rest is built from.
import PushMessage
import Testing

@Suite("Conditions")
struct TopicConditionTests {
    @Test("and binds tighter than or, not binds tightest, brackets go first")
    func precedence() throws {
        let condition = try TopicCondition(parsing: "'a' in topics || 'b' in topics && !('c' in topics)")
        #expect(condition.topics == ["a", "b", "c"])
        #expect(condition.holds(for: ["a", "c"]))
        #expect(condition.holds(for: ["b"]))
        #expect(!condition.holds(for: ["b", "c"]))
        #expect(!condition.holds(for: []))
        let grouped = try TopicCondition(parsing: "(\"a\" in topics||'b' in topics)&&'c' in topics")
        #expect(!grouped.holds(for: ["a"]) && grouped.holds(for: ["a", "c"]))
        #expect(try TopicCondition(parsing: "!!('a' in topics)").holds(for: ["a"]))
    }

    @Test(
        "what cannot be read says where",
        arguments: [
            ("", 0), ("'a'", 3), ("'a' in topics &&", 16), ("('a' in topics", 14), ("'a' in topics 'b' in topics", 14), ("'' in topics", 0),
            ("'a in topics", 0), ("a in topics", 0), ("'a' in topics & 'b' in topics", 14),
        ])
    func faults(_ text: String, _ offset: Int) {
        do throws(TopicConditionFault) {
            _ = try TopicCondition(parsing: text)
            Issue.record("\(text) was read")
        } catch {
            #expect(error.offset == offset, "\(text)")
        }
    }

    @Test("a condition nested or joined without end is refused, not followed")
    func endless() {
        let deep = String(repeating: "(", count: 20_000) + "'a' in topics"
        let nots = String(repeating: "!", count: 20_000) + "'a' in topics"
        let long = Array(repeating: "'a' in topics", count: 5000).joined(separator: " || ")
        for text in [deep, nots, long] {
            #expect(throws: TopicConditionFault.self) { try TopicCondition(parsing: text) }
        }
    }
}

@Suite("Instants")
struct InstantTests {
    @Test(
        "an instant is read and written as RFC 3339 in UTC",
        arguments: [
            ("2026-01-01T12:00:00Z", 1_767_268_800_000, "2026-01-01T12:00:00Z"),
            ("2026-01-01t12:00:00.5z", 1_767_268_800_500, "2026-01-01T12:00:00.500Z"),
            ("2026-01-01T21:00:00+09:00", 1_767_268_800_000, "2026-01-01T12:00:00Z"),
            ("1970-01-01T00:00:00-00:30", 1_800_000, "1970-01-01T00:30:00Z"),
            ("1969-12-31T23:59:59.999Z", -1, "1969-12-31T23:59:59.999Z"),
            ("2024-02-29T00:00:00Z", 1_709_164_800_000, "2024-02-29T00:00:00Z"),
            ("0000-01-01T00:00:00Z", -62_167_219_200_000, "0000-01-01T00:00:00Z"),
            ("9999-12-31T23:59:59Z", 253_402_300_799_000, "9999-12-31T23:59:59Z"),
            ("2026-06-30T23:59:60Z", 1_782_864_000_000, "2026-07-01T00:00:00Z"),
        ] as [(String, Int64, String)])
    func readAndWritten(_ text: String, _ milliseconds: Int64, _ written: String) throws {
        let instant = try #require(Instant(text))
        #expect(instant.milliseconds == milliseconds)
        #expect(instant.text == written)
    }

    @Test(
        "anything else is no instant",
        arguments: [
            "", "2026-01-01", "2026-01-01T12:00Z", "2026-01-01T12:00:00", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z",
            "2026-01-01T24:00:00Z", "2026-01-01T12:00:00.Z", "2026-01-01T12:00:00+9:00", "2026-01-01T12:00:00Z ", "1767268800",
            "２０２６-01-01T12:00:00Z",
        ])
    func notRead(_ text: String) { #expect(Instant(text) == nil) }

    @Test("instants beyond the calendar are written at its edge")
    func edges() {
        #expect(Instant(milliseconds: .max).text == "9999-12-31T23:59:59.999Z")
        #expect(Instant(milliseconds: .min).text == "0000-01-01T00:00:00Z")
        #expect(Instant(seconds: .max) == nil)
    }
}

@Suite("Field paths")
struct FieldPathTests {
    @Test(
        "a path is names, quoted keys and numbers",
        arguments: ["a", "a.b.c", "[0]", "a[0].b", #"["odd key"].x"#, #"a["b\"c"][2]"#, "json:a.b|c[0]", "json:a"])
    func readable(_ text: String) throws { #expect(try FieldPath(parsing: text).text == text) }

    @Test(
        "a path that cannot be read says why",
        arguments: ["", ".a", "a.", "a..b", "a[", "a[x]", "a[]", #"["a"#, #"["a"x"#, "a]b[", "[0]a", "json:", "json:a|"])
    func unreadable(_ text: String) {
        #expect(throws: FieldPathFault.self) { try FieldPath(parsing: text) }
    }
}

@Suite("Did you mean")
struct DidYouMeanTests {
    static let words = ["content-available", "mutable-content", "event", "badge", "alert", "sound", "thread-id", "to"]

    @Test(
        "the nearest word within two edits and a third of the length",
        arguments: [
            ("events", "event"), ("Alert", "alert"), ("ALERT", "alert"), ("bagde", "badge"), ("contentAvailable", "content-available"),
            ("content_available", "content-available"), ("threadid", "thread-id"), ("sond", "sound"), ("soundss", "sound"),
        ])
    func near(_ word: String, _ meant: String) { #expect(DidYouMean.nearest(to: word, among: Self.words) == meant) }

    @Test(
        "what is far from everything is nothing's slip",
        arguments: ["x", "ab", "colour", "subtitle", "alert", String(repeating: "a", count: 5000)])
    func far(_ word: String) { #expect(DidYouMean.nearest(to: word, among: Self.words) == nil) }
}
