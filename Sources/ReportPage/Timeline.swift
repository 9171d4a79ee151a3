// What happened when: one row for each of several, along one stretch of time. A mark has a shape for its tone as well as a
// colour, and its words; the row says in one sentence what it shows, for whoever does not see it.

public struct Timeline: Sendable {
    public struct Mark: Sendable {
        /// Between 0, the beginning, and 1, the end.
        let part: Double
        let tone: Tone
        /// "09:14 Mina: Lunch at noon? – shown"
        let words: String

        public init(at part: Double, _ tone: Tone, _ words: String) {
            self.part = min(1, max(0, part))
            self.tone = tone
            self.words = words
        }
    }

    /// A stretch that is different: a person's quiet hours.
    public struct Span: Sendable {
        let from: Double
        let to: Double
        let words: String

        public init(from: Double, to: Double, _ words: String) {
            self.from = min(1, max(0, from))
            self.to = min(1, max(0, to))
            self.words = words
        }
    }

    public struct Row: Sendable {
        let label: String
        /// "14 shown, 3 held back"
        let summary: String
        let marks: [Mark]
        let spans: [Span]

        public init(_ label: String, summary: String, marks: [Mark], spans: [Span] = []) {
            self.label = label
            self.summary = summary
            self.marks = marks
            self.spans = spans
        }
    }

    let caption: String
    /// Where there is a line with a word below: (part of the whole, "06:00").
    let ticks: [(part: Double, label: String)]
    let rows: [Row]

    public init(caption: String, ticks: [(part: Double, label: String)], rows: [Row]) {
        self.caption = caption
        self.ticks = ticks
        self.rows = rows
    }
}

extension HTMLText {
    public mutating func timeline(_ timeline: Timeline) {
        element("table", ["class": "timeline"]) { table in
            table.element("caption", text: timeline.caption)
            table.element("tbody") { body in
                for row in timeline.rows { body.timelineRow(row, timeline.ticks) }
                body.element("tr", ["aria-hidden": "true"]) { row in
                    row.element("td") { _ in }
                    row.element("td") { cell in
                        cell.element("svg", ["width": "100%", "height": "18", "class": "ticks"]) { drawing in
                            for tick in timeline.ticks {
                                // A word at either end stays inside.
                                let anchor = tick.part < 0.04 ? "start" : tick.part > 0.96 ? "end" : "middle"
                                drawing.element(
                                    "text", ["x": Percent.text(100 * tick.part), "y": "13", "class": "tick", "text-anchor": anchor],
                                    text: tick.label)
                            }
                        }
                    }
                }
            }
        }
        line()
    }

    private mutating func timelineRow(_ row: Timeline.Row, _ ticks: [(part: Double, label: String)]) {
        element("tr") { html in
            html.element("th", ["scope": "row"]) { head in
                head.text(row.label)
                head.element("small", text: row.summary)
            }
            html.element("td") { cell in
                cell.element("svg", ["width": "100%", "height": "28", "role": "img", "aria-label": "\(row.label): \(row.summary)"]) {
                    drawing in
                    for span in row.spans {
                        drawing.element(
                            "rect",
                            [
                                "x": Percent.text(100 * span.from), "y": "0", "width": Percent.text(100 * max(0, span.to - span.from)),
                                "height": "28", "class": "span",
                            ]
                        ) { $0.element("title", text: span.words) }
                    }
                    for tick in ticks {
                        let x = Percent.text(100 * tick.part)
                        drawing.shape("line", ["x1": x, "x2": x, "y1": "0", "y2": "28", "class": "grid"])
                    }
                    for mark in row.marks { drawing.mark(mark) }
                }
            }
        }
        line()
    }

    /// Every tone has a shape of its own, around a middle that a part of the width gives.
    private mutating func mark(_ mark: Timeline.Mark) {
        let shape: StaticString =
            switch mark.tone {
            case .good: "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z"
            case .caution: "M-5 -5L5 5M5 -5L-5 5"
            case .later: "M-5 -5L6 0L-5 5z"
            case .bad: "M-5 -5h10v10h-10z"
            case .plain: "M0 -6L6 0L0 6L-6 0z"
            case .faint: "M0 -7V7"
            }
        let isLine = mark.tone == .caution || mark.tone == .faint
        element("svg", ["x": Percent.text(100 * mark.part), "y": "14", "class": "mark"]) { place in
            place.element("path", ["d": "\(shape)", "class": isLine ? "stroke-\(mark.tone.rawValue)" : mark.tone.fill]) {
                $0.element("title", text: mark.words)
            }
        }
    }
}
