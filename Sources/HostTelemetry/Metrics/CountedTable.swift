// Counts of what is rare, by labels: a lock for each, on any thread.
import EffectStore

final class CountedTable: MetricSource {
    private let family: MetricFamily
    private let counts = Monitor<[[String]: Int]>([:])
    /// Combinations; beyond it all labels are "other".
    private let most: Int

    init(_ family: MetricFamily, most: Int = 2_000) {
        self.family = family
        self.most = most
    }

    func count(_ labels: [String], _ step: Int = 1) {
        counts.withLock { counts in
            let isRoom = counts.count < most || counts[labels] != nil
            counts[isRoom ? labels : labels.map { _ in LabelBounds.other }, default: 0] += step
        }
    }

    func collect(into samples: inout Samples) {
        for (labels, count) in counts.withLock({ $0 }) { samples.add(family, labels, count) }
    }
}
