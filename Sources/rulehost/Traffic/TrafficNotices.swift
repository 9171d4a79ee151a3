// What is said of recorded traffic beside the answer: lines that cannot be read, that come too late, or that are all of other
// apps. The first of them are told one by one, the rest is counted.
import RuleLab

struct TrafficNotices {
    private static let most = 20

    private let console: Console
    private let source: InputSource
    private var told = 0

    init(_ console: Console, _ source: InputSource) {
        self.console = console
        self.source = source
    }

    /// A line that is no traffic.
    mutating func tell(line: Int, text: [UInt8], _ fault: TrafficFault, over bar: inout ProgressBar) {
        told += 1
        guard told <= TrafficNotices.most else { return }
        bar.clear()
        console.report(.unreadableTraffic(source: source.name, text: text, line: line, fault))
    }

    /// When all of it has passed.
    func tell(unreadable: Int, outOfOrder: Int, first: Int, events: Int, otherApps: Int, app: String) {
        if unreadable > TrafficNotices.most {
            console.warn("\(Counted.of(unreadable - TrafficNotices.most, "more line", "more lines")) cannot be read")
        }
        if outOfOrder > 0 {
            console.warn(
                outOfOrder == 1
                    ? "out_of_order: line \(first) is earlier than a line of the same recipient before it; it is decided at its own moment"
                    : "out_of_order: \(Figures.grouped(outOfOrder)) lines are earlier than a line of the same recipient before them, "
                        + "line \(first) the first; each is decided at its own moment")
        }
        if events == 0, otherApps > 0 {
            console.warn("no line is of the app \(app); \(Counted.of(otherApps, "is", "are")) of other apps")
        }
    }
}
