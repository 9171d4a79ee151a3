// What all who count have counted, at one moment: whoever counts the same thing elsewhere is added.

/// Whoever has something to tell when the host is looked at.
protocol MetricSource: Sendable {
    func collect(into samples: inout Samples)
}

struct Samples {
    private(set) var numbers: [String: [[String]: Double]] = [:]
    private(set) var histograms: [String: [[String]: HistogramCounts]] = [:]

    /// - Parameter labels: as many as the metric has.
    mutating func add(_ family: MetricFamily, _ labels: [String], _ value: Int) { add(family, labels, Double(value)) }

    mutating func add(_ family: MetricFamily, _ labels: [String], _ value: Double) {
        precondition(labels.count == family.labels.count, "\(family.name) has other labels")
        numbers[family.name, default: [:]][labels, default: 0] += value
    }

    mutating func add(_ family: MetricFamily, _ labels: [String], _ counts: HistogramCounts) {
        precondition(labels.count == family.labels.count, "\(family.name) has other labels")
        histograms[family.name, default: [:]][labels, default: HistogramCounts()] += counts
    }
}
