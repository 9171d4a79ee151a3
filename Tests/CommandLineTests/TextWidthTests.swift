// Columns, lines and excerpts: what keeps a frame straight.
import Testing

@testable import rulehost

struct TextWidthTests {
    @Test(
        "A text takes the columns that a terminal gives it",
        arguments: [
            ("abc", 3), ("", 0), ("미나", 4), ("日本語", 6), ("🚆", 2), ("👩‍👩‍👧", 2), ("🇰🇷", 2), ("e\u{301}", 1), ("❤️", 2), ("é", 1),
            ("→ ok", 4), ("\u{200B}", 0), ("한글 mixed", 10), ("שלום", 4), ("👍🏽", 2), ("│─╮░", 4), ("▪️", 2), ("a│\u{301}", 2),
        ])
    func widths(_ text: String, _ columns: Int) {
        #expect(TextWidth.of(text) == columns)
    }

    @Test("A cut never splits a letter and never goes over")
    func cuts() {
        #expect(TextWidth.prefix("미나리", columns: 5) == "미나")
        #expect(TextWidth.suffix("미나리", columns: 5) == "나리")
        #expect(TextWidth.prefix("a👩‍👩‍👧b", columns: 2) == "a")
        #expect(TextWidth.prefix("abc", columns: 0) == "")
    }

    @Test("Lines break at spaces, wide words between letters, and the last one says that there is more")
    func lines() {
        #expect(TextLines.wrap("one two three", columns: 7) == ["one two", "three"])
        #expect(TextLines.wrap("", columns: 7) == [""])
        #expect(TextLines.wrap("a\n\nb", columns: 7) == ["a", "", "b"])
        #expect(TextLines.wrap("내일 저녁 일곱 시에", columns: 9) == ["내일 저녁", "일곱 시에"])
        #expect(TextLines.wrap("강가에있는작은식당", columns: 8) == ["강가에있", "는작은식", "당"])
        #expect(TextLines.wrap("one two three four", columns: 9, most: 1) == ["one two…"])
    }

    @Test("What could move the cursor or turn the text around is not printed")
    func printable() {
        #expect("a\u{1B}[2Jb".printable == "a·[2Jb")
        #expect("a\nb\tc".printable == "a·b·c")
        #expect("a\u{202E}b".printable == "ab")
        #expect("👩‍👩‍👧".printable == "👩‍👩‍👧")
        #expect("a\nb\u{7}".printableLines == "a\nb·")
    }

    @Test("The caret stands under its place: tabs, wide letters, long lines")
    func carets() throws {
        let simple = try #require(Excerpt(of: Array("one\ntwo three\n".utf8), line: 2, column: 5, length: 5))
        #expect(simple.text(.plain) == "    2 | two three\n      |     ^^^^^\n")
        let tabs = try #require(Excerpt(of: Array("\tx".utf8), line: 1, column: 2))
        #expect(tabs.text(.plain) == "    1 |     x\n      |     ^\n")
        let wide = try #require(Excerpt(of: Array("미나 x".utf8), line: 1, column: 4))
        #expect(wide.text(.plain) == "    1 | 미나 x\n      |      ^\n")
        let long = try #require(
            Excerpt(
                of: Array((String(repeating: "a", count: 5000) + "X" + String(repeating: "b", count: 5000)).utf8), line: 1,
                column: 5001))
        let lines = long.text(.plain).split(separator: "\n")
        #expect(TextWidth.of(lines[0]) <= Excerpt.widest + 10)
        #expect(Array(lines[0])[Array(lines[1]).firstIndex(of: "^")!] == "X")
        #expect(lines[0].hasSuffix("…"))
        #expect(Excerpt(of: Array("one\n".utf8), line: 7, column: 1) == nil)
        #expect(Excerpt(of: Array("one".utf8), line: 1, column: 0)?.text(.plain) == "    1 | one\n")
        #expect(Excerpt(of: Array("one".utf8), line: 1, column: 4)?.text(.plain) == "    1 | one\n      |    ^\n")
    }

    @Test("The nearest name is close, or there is none")
    func nearest() {
        #expect(NearestName.of("evla", among: ["eval", "help"]) == "eval")
        #expect(NearestName.of("EVAL", among: ["eval", "help"]) == "eval")
        #expect(NearestName.of("serve", among: ["eval", "help"]) == nil)
        #expect(NearestName.of("", among: ["eval"]) == nil)
    }
}
