// Samples as the text that Prometheus reads, format 0.0.4: each metric of the table with what it is, also when nothing has been counted yet.

public enum Exposition {
    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    static func text(_ samples: Samples, _ table: [MetricFamily] = MetricTable.all) -> [UInt8] {
        var text = ""
        for family in table {
            text += "# HELP \(family.name) \(helpText(family.help))\n# TYPE \(family.name) \(family.kind.rawValue)\n"
            switch family.kind {
            case .counter, .gauge: write(family, samples.numbers[family.name] ?? [:], &text)
            case .histogram: write(family, samples.histograms[family.name] ?? [:], &text)
            }
        }
        return Array(text.utf8)
    }

    private static func write(_ family: MetricFamily, _ values: [[String]: Double], _ text: inout String) {
        // One without labels is there from the first moment, so that an alert on its growth sees the first step.
        if values.isEmpty, family.labels.isEmpty, family.kind == .counter { text += "\(family.name) 0\n" }
        for (labels, value) in values.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            text += "\(family.name)\(braces(family.labels, labels)) \(number(value))\n"
        }
    }

    private static func write(_ family: MetricFamily, _ values: [[String]: HistogramCounts], _ text: inout String) {
        let all = values.isEmpty && family.labels.isEmpty ? [[]: HistogramCounts()] : values
        for (labels, counts) in all.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            var count = 0
            for (place, step) in counts.counts.enumerated() {
                count += step
                let bound = place < LatencyHistogram.bounds.count ? number(Double(LatencyHistogram.bounds[place]) / 1e9) : "+Inf"
                text += "\(family.name)_bucket\(braces(family.labels + ["le"], labels + [bound])) \(count)\n"
            }
            text += "\(family.name)_sum\(braces(family.labels, labels)) \(number(Double(counts.nanoseconds) / 1e9))\n"
            text += "\(family.name)_count\(braces(family.labels, labels)) \(count)\n"
        }
    }

    private static func braces(_ names: [String], _ values: [String]) -> String {
        if names.isEmpty { return "" }
        return "{" + zip(names, values).map { "\($0)=\"\(valueText($1))\"" }.joined(separator: ",") + "}"
    }

    /// Without a point where there is no need for one.
    static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
    }

    static func valueText(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static func helpText(_ text: String) -> String {
        String(text.flatMap { $0 == "\\" ? ["\\", "\\"] : $0 == "\n" ? ["\\", "n"] : [$0] as [Character] })
    }
}
