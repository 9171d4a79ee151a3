// Pages are whole, ask for nothing, and never let a text become markup.
import Foundation
import Testing

@testable import ReportPage

struct ReportPageTests {
    /// A page with one of everything.
    private static func page(_ text: String = "Mina & “friends”") -> String {
        var page = ReportPage(kind: "rulehost diff", title: text, lead: text)
        page.add { $0.cards([FigureCard("5.0 %", text), FigureCard("31", text, .good)]) }
        page.section(text) { html in
            html.bars(
                BarTable(
                    caption: text, columns: ["rule", "events", "of all"],
                    rows: [.init(text, 1200, .good, cells: ["60 %"]), .init("none", 0, cells: ["0 %"])]))
            html.columns(
                ColumnChart(
                    title: text, axis: "hour", labels: ["00", "01", "02"], labelEvery: 2,
                    series: [.init(text, .good, [1, 0, 4000]), .init("held", .later, [2, 3])]))
            html.timeline(
                Timeline(
                    caption: text, ticks: [(0, "00:00"), (0.5, "12:00"), (1, "24:00")],
                    rows: [
                        .init(
                            text, summary: text,
                            marks: Tone.allCases.enumerated().map { .init(at: Double($0.offset) / 5, $0.element, text) },
                            spans: [.init(from: 0.9, to: 2, text)])
                    ]))
            html.element("p", text: text)
        }
        return page.html
    }

    /// The names of elements that are open at the end, or the first that is closed wrongly.
    private static func unclosed(_ html: String) -> [String] {
        let single: Set = ["meta"]
        var open: [String] = []
        for tag in html.matches(of: /<(\/?)([a-z0-9]+)([^>]*)>/) {
            let name = String(tag.output.2)
            if single.contains(name) { continue }
            if tag.output.1.isEmpty { open.append(name) } else if open.popLast() != name { return open + ["</\(name)>"] }
        }
        return open
    }

    @Test("Every element is closed, in order")
    func closed() {
        #expect(Self.unclosed(Self.page()).isEmpty)
        #expect(Self.unclosed("<p><b></p></b>") == ["p", "</p>"], "the check finds what is wrong")
    }

    @Test(
        "Whatever a text says, it does not become markup",
        arguments: [
            "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onload='x", "</style><b>", "&lt;b&gt;", "a\u{0}b\u{1B}[2Jc",
            "\u{202E}olleh", "]]>", "<!--", "javascript:alert(1)",
        ])
    func escaped(_ text: String) {
        let page = Self.page(text)
        #expect(Self.unclosed(page).isEmpty)
        #expect(!page.contains("<script") && !page.contains("<img") && !page.contains("<!--"))
        #expect(!page.contains("\u{0}") && !page.contains("\u{1B}") && !page.contains("\u{202E}"))
        // No attribute begins or ends where a text says so.
        #expect(!page.contains("onerror=alert(1)>") || page.contains("onerror=alert(1)&gt;"))
        #expect(!page.contains("' onload='"))
    }

    @Test("A text comes out as it went in")
    func kept() {
        var html = HTMLText()
        html.text("1 < 2 & \"3\"\n한글 🚆")
        #expect(html.source == "1 &lt; 2 &amp; &quot;3&quot;\n한글 🚆")
    }

    @Test("The page asks for nothing and runs nothing")
    func alone() {
        let page = Self.page()
        for word in ["http://", "https://", "<script", "<link", "@import", "url(", "src="] { #expect(!page.contains(word), "\(word)") }
        #expect(page.contains("default-src 'none'"))
        #expect(page.hasPrefix("<!doctype html>"))
        #expect(page.contains("width=device-width"))
        #expect(page.contains("prefers-color-scheme: dark"))
    }

    @Test("The longest bar fills its cell, what is little is still seen, and nothing has no bar")
    func bars() {
        var html = HTMLText()
        html.bars(
            BarTable(caption: "c", columns: ["n", "v"], rows: [.init("a", 100_000), .init("b", 1), .init("c", 0), .init("d", 50_000)]))
        let widths = html.source.matches(of: /rect width="([^"]+)"/).map { String($0.output.1) }
        #expect(widths == ["100.00%", "0.50%", "0.00%", "50.00%"])
        #expect(html.source.contains(">100,000<"))
    }

    @Test("A chart has its numbers as a table, also those of a series that ends early")
    func columns() {
        var html = HTMLText()
        html.columns(
            ColumnChart(title: "t", axis: "hour", labels: ["00", "01"], series: [.init("a", .good, [1234, 5]), .init("b", .bad, [7])]))
        let cells = html.source.matches(of: /<td class="number">([^<]+)</).map { String($0.output.1) }
        #expect(cells == ["1,234", "7", "5", "0"])
        #expect(html.source.contains("role=\"img\"") && html.source.contains("aria-label=\"t; the numbers stand in the table below\""))
        // The stack is as high as the chart, and each part has its words.
        #expect(html.source.contains("<title>00: 1,234 a</title>") && html.source.contains("<title>00: 7 b</title>"))
    }

    @Test("On a timeline every tone has a shape of its own")
    func shapes() {
        var html = HTMLText()
        html.timeline(
            Timeline(
                caption: "c", ticks: [],
                rows: [.init("r", summary: "s", marks: Tone.allCases.map { .init(at: 2, $0, $0.rawValue) })]))
        let shapes = html.source.matches(of: /path d="([^"]+)"/).map { String($0.output.1) }
        #expect(Set(shapes).count == Tone.allCases.count)
        // What lies beyond the end is drawn at the end.
        #expect(html.source.contains("<svg x=\"100.00%\""))
    }

    @Test("Every tone has its colour, in light and in dark")
    func colours() {
        let style = "\(Stylesheet.text)"
        for tone in Tone.allCases {
            #expect(style.components(separatedBy: "--\(tone.rawValue): #").count == 3, "\(tone)")
            #expect(style.contains(".fill-\(tone.rawValue) {"), "\(tone)")
        }
    }
}
