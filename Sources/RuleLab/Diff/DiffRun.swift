// The comparison of two rulesets over a stream of traffic. Both live through all of it on a thread of their own, from the
// same beginning, each on the state that its own decisions leave behind; this thread reads the lines, hands them to both and
// compares what comes back. No more than a few batches are under way, so that memory does not grow with the traffic.
public import RuleEngine

public struct DiffRun {
    /// Batches that have been handed out and not compared yet.
    private static let mostUnderWay = 4

    private let old: DiffSide
    private let new: DiffSide
    private let state: AppState
    /// Gets every event that differs, in order; nil: the examples of the report are enough.
    private let report: ((DiffExample) -> Void)?
    private let mayGoOn: @Sendable () -> Bool

    /// - Parameters:
    ///   - old, new: the same app under two rulesets; nobody else may use them until the run is over.
    ///   - state: what is remembered before the first line.
    ///   - mayGoOn: asked before each decision, on any thread; once it says no, the rest is not decided, and what comes of the run is
    ///     worth nothing.
    public init(
        _ old: any RuleEvaluating, _ new: any RuleEvaluating, state: AppState = AppState(),
        reporting report: ((DiffExample) -> Void)? = nil,
        mayGoOn: @escaping @Sendable () -> Bool = { true }
    ) {
        self.old = DiffSide(old, state: state, mayGoOn: mayGoOn)
        self.new = DiffSide(new, state: state, mayGoOn: mayGoOn)
        self.mayGoOn = mayGoOn
        self.state = state
        self.report = report
    }

    /// What the reader of the traffic is told while it goes on.
    public enum Note {
        /// A line that is no traffic; its number, from 1, and its text.
        case unreadable(line: Int, text: [UInt8], TrafficFault)
        /// So many lines have been compared.
        case compared(lines: Int)
    }

    /// - Parameters:
    ///   - next: reads on; nil at the end.
    ///   - tell: called on this thread.
    /// - Returns: nil when the system gives no thread.
    public func run<Failure: Error>(
        reading next: () throws(Failure) -> TrafficBatch?, telling tell: (Note) -> Void
    ) throws(Failure) -> DiffReport? {
        guard old.start() else { return nil }
        defer { old.close() }
        guard new.start() else { return nil }
        defer { new.close() }
        var comparison = DiffComparison(state: state, report: report)
        var underWay: [TrafficBatch] = []
        var lines = 0
        var unreadable = 0
        func settle() {
            let batch = underWay.removeFirst()
            guard let before = old.take(), let after = new.take() else { return }
            for (place, line) in batch.lines.enumerated() {
                if let fault = comparison.compare(line, of: batch, before[place], after[place]) {
                    unreadable += 1
                    tell(.unreadable(line: line.number, text: batch.text(of: line), fault))
                }
            }
            lines += batch.lines.count
            tell(.compared(lines: lines))
        }
        while mayGoOn(), let batch = try next() {
            old.give(batch)
            new.give(batch)
            underWay.append(batch)
            if underWay.count >= DiffRun.mostUnderWay { settle() }
        }
        while !underWay.isEmpty { settle() }
        var report = DiffReport(comparison)
        report.unreadable = unreadable
        report.allPeople = old.player.state.recipients.count
        return report
    }
}
