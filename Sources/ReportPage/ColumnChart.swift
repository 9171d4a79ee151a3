// Numbers along the hours of a day or another short row: columns, in as many colours as there are series, with the same
// numbers as a table below. Drawn in parts of the width; texts keep their size on a phone.

public struct ColumnChart: Sendable {
    public struct Series: Sendable {
        let name: String
        let tone: Tone
        /// One for each label, 0 or more.
        let values: [Int]

        public init(_ name: String, _ tone: Tone, _ values: [Int]) {
            self.name = name
            self.tone = tone
            self.values = values
        }
    }

    let title: String
    /// Head of the labels in the table: "hour".
    let axis: String
    let labels: [String]
    /// Every so many labels one is written below the columns.
    let labelEvery: Int
    /// Stacked, the first one at the bottom.
    let series: [Series]

    public init(title: String, axis: String, labels: [String], labelEvery: Int = 1, series: [Series]) {
        self.title = title
        self.axis = axis
        self.labels = labels
        self.labelEvery = max(1, labelEvery)
        self.series = series
    }

    var largest: Int {
        max(
            1,
            labels.indices.map { place in series.reduce(0) { $0 + ($1.values.indices.contains(place) ? $1.values[place] : 0) } }.max() ?? 1)
    }
}

extension HTMLText {
    private static let height = 140.0
    private static let top = 18.0

    public mutating func columns(_ chart: ColumnChart) {
        element("figure") { figure in
            figure.element("figcaption", text: chart.title)
            if chart.series.count > 1 { figure.legend(chart.series.map { ($0.name, $0.tone) }) }
            figure.element(
                "svg",
                [
                    "class": "chart", "role": "img", "width": "100%", "height": "180",
                    "aria-label": "\(chart.title); the numbers stand in the table below",
                ]
            ) { $0.draw(chart) }
            figure.line()
            figure.element("details") { details in
                details.element("summary", text: "The same as a table")
                details.table(chart)
            }
        }
        line()
    }

    /// Which colour is what.
    public mutating func legend(_ entries: [(name: String, tone: Tone)]) {
        element("ul", ["class": "legend"]) { list in
            for entry in entries {
                list.element("li") { item in
                    item.element("svg", ["width": "12", "height": "12", "aria-hidden": "true"]) {
                        $0.shape("rect", ["width": "12", "height": "12", "rx": "3", "class": entry.tone.fill])
                    }
                    item.text(" \(entry.name)")
                }
            }
        }
    }

    private mutating func draw(_ chart: ColumnChart) {
        let largest = chart.largest
        let bottom = HTMLText.top + HTMLText.height
        shape("line", ["x1": "0", "x2": "100%", "y1": "\(HTMLText.top)", "y2": "\(HTMLText.top)", "class": "grid"])
        shape("line", ["x1": "0", "x2": "100%", "y1": "\(bottom)", "y2": "\(bottom)", "class": "base"])
        element("text", ["x": "0", "y": "\(HTMLText.top - 5)", "class": "tick"], text: Digits.grouped(largest))
        let step = 100 / Double(max(1, chart.labels.count))
        for (place, label) in chart.labels.enumerated() {
            let left = step * Double(place)
            var y = bottom
            for series in chart.series where series.values.indices.contains(place) && series.values[place] > 0 {
                let height = max(1, HTMLText.height * Double(series.values[place]) / Double(largest))
                y -= height
                element(
                    "rect",
                    [
                        "x": Percent.text(left + step * 0.12), "y": HTMLText.tenths(y), "width": Percent.text(step * 0.76),
                        "height": HTMLText.tenths(height), "class": series.tone.fill,
                    ]
                ) { $0.element("title", text: "\(label): \(Digits.grouped(series.values[place])) \(series.name)") }
            }
            if place % chart.labelEvery == 0 {
                element(
                    "text", ["x": Percent.text(left + step / 2), "y": "\(bottom + 15)", "class": "tick", "text-anchor": "middle"],
                    text: label)
            }
        }
    }

    private mutating func table(_ chart: ColumnChart) {
        element("table", ["class": "plain"]) { html in
            html.element("thead") { head in
                head.element("tr") { row in
                    row.element("th", ["scope": "col"], text: chart.axis)
                    for series in chart.series { row.element("th", ["scope": "col", "class": "number"], text: series.name) }
                }
            }
            html.element("tbody") { body in
                for (place, label) in chart.labels.enumerated() {
                    body.element("tr") { row in
                        row.element("th", ["scope": "row"], text: label)
                        for series in chart.series {
                            let value = series.values.indices.contains(place) ? series.values[place] : 0
                            row.element("td", ["class": "number"], text: Digits.grouped(value))
                        }
                    }
                }
            }
        }
    }

    /// 12.34 → "12.3"
    private static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
