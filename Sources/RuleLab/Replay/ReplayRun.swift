// An app lives through recorded traffic once: line after line at its own moment, and what was held back when its time comes.
// Whoever watches is told each decision as it is made; what is kept are counts. One thread.
import JSONDocument
import PushMessage
public import RuleEngine

public final class ReplayRun {
    /// What whoever watches is told, in the order in which it happens.
    public enum Note {
        /// A message whose time had come.
        case due(DueAnswer)
        /// A line of the batch.
        case played(PlayedLine, TrafficBatch.Line, TrafficBatch)
        /// A line of the batch that is no traffic.
        case unreadable(TrafficBatch.Line, TrafficBatch, TrafficFault)
    }

    private let app: String
    private let player: TrafficPlayer
    private let reader = TrafficReader()
    private var tally = ReplayTally()
    private var marks: ReplayMarks
    private var otherApps = 0
    private var unreadable = 0
    private var outOfOrder: (count: Int, firstLine: Int) = (0, 0)

    /// - Parameters:
    ///   - state: what is remembered before the first line; what it holds back becomes due, too.
    ///   - recipient: whose timeline is wanted; nil: that of everybody.
    public init(_ evaluator: any RuleEvaluating, state: AppState = AppState(), recipient: String? = nil) {
        app = evaluator.ruleset.app
        player = TrafficPlayer(evaluator, state: state)
        marks = ReplayMarks(only: recipient)
    }

    /// What is remembered after the lines so far.
    public var state: AppState { player.state }

    public func play(_ batch: TrafficBatch, telling tell: (Note) -> Void) {
        for line in batch.lines {
            let fault = batch.withBytes(of: line) { bytes -> TrafficFault? in
                do throws(TrafficFault) {
                    try play(line, of: batch, bytes, telling: tell)
                    return nil
                } catch {
                    return error
                }
            }
            guard let fault else { continue }
            unreadable += 1
            tell(.unreadable(line, batch, fault))
        }
    }

    private func play(
        _ line: TrafficBatch.Line, of batch: TrafficBatch, _ bytes: UnsafeRawBufferPointer, telling tell: (Note) -> Void
    ) throws(TrafficFault) {
        let read = try reader.read(bytes)
        guard read.app == app else {
            otherApps += 1
            return
        }
        while let answer = player.playNextDue(until: read.at) {
            tally.count(answer, badge: badge(of: answer.recipient))
            marks.add(answer)
            tell(.due(answer))
        }
        let played = try player.play(read)
        if played.isOutOfOrder { outOfOrder = (outOfOrder.count + 1, outOfOrder.count == 0 ? line.number : outOfOrder.firstLine) }
        tally.count(played, badge: badge(of: played.recipient))
        marks.add(played)
        tell(.played(played, line, batch))
    }

    private func badge(of recipient: String) -> Int? { player.state.recipients[recipient]?.badge }

    /// What has come of it.
    public var report: ReplayReport {
        var report = ReplayReport(tally, marks, state: player.state)
        report.otherApps = otherApps
        report.unreadable = unreadable
        (report.outOfOrder, report.firstOutOfOrder) = outOfOrder
        return report
    }
}
