// Counts answers by route and status, without a lock: routes are a list that is known, and so are statuses.

/// Any thread may count.
public final class RequestMeter: MetricSource {
    private let routes: [String]
    private let row: AtomicRow
    /// 100 to 599; what is none of them counts as 599.
    private static let statuses = 500

    /// - Parameter routes: their names; what none of them has taken counts under "none".
    init(_ routes: [String]) {
        self.routes = routes + ["none"]
        row = AtomicRow(self.routes.count * RequestMeter.statuses)
    }

    /// - Parameter route: its place in the list; nil: none.
    public func answered(_ route: Int?, _ status: Int) {
        let place = min(RequestMeter.statuses - 1, max(0, status - 100))
        row.add((route ?? routes.count - 1) * RequestMeter.statuses + place)
    }

    func collect(into samples: inout Samples) {
        for place in 0..<row.count where row[place] > 0 {
            samples.add(
                MetricTable.requests, [routes[place / RequestMeter.statuses], String(100 + place % RequestMeter.statuses)], row[place])
        }
    }
}
