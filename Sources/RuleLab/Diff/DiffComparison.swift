// Lays the answers of both sides beside each other, line by line, and counts. Everything here follows from the answers and
// their order, so that a comparison of the same traffic is the same to the byte.
import PushMessage
import RuleEngine

struct DiffComparison {
    private(set) var tally = DiffTally()
    private(set) var shelf = ExampleShelf()
    private(set) var waiting = WaitingLines()
    private(set) var otherApps = 0
    private(set) var outOfOrder: (count: Int, firstLine: Int) = (0, 0)
    private(set) var span: (from: Instant, to: Instant)?
    /// Gets every event that differs; nil: examples are enough.
    let report: ((DiffExample) -> Void)?

    /// - Parameter state: what is remembered before the first line: what it holds back becomes due on both sides.
    init(state: AppState, report: ((DiffExample) -> Void)?) {
        self.report = report
        for (recipient, remembered) in state.recipients.inOrder {
            for message in remembered.deferred where message.dueAt != nil {
                let place = DiffTally.Place(channel: "", hour: 0, recipient: recipient)
                waiting.hold(message.id, .init(line: 0, place: place, counted: ChangeKinds(), old: .waiting, new: .waiting))
            }
        }
    }

    /// - Returns: what is wrong with the line.
    mutating func compare(_ line: TrafficBatch.Line, of batch: TrafficBatch, _ old: SideLine, _ new: SideLine) -> TrafficFault? {
        compareDue(old.due, new.due)
        switch (old.result, new.result) {
        case (.played(let before), .played(let after)): compare(line, of: batch, before, after)
        case (.faulty(let fault), _), (_, .faulty(let fault)): return fault
        case (.otherApp, _), (_, .otherApp): otherApps += 1
        }
        return nil
    }

    // MARK: lines

    private mutating func compare(_ line: TrafficBatch.Line, of batch: TrafficBatch, _ old: PlayedLine, _ new: PlayedLine) {
        if old.isOutOfOrder { outOfOrder = (outOfOrder.count + 1, outOfOrder.count == 0 ? line.number : outOfOrder.firstLine) }
        span = span.map { (min($0.from, old.at), max($0.to, old.at)) } ?? (old.at, old.at)
        let place = DiffTally.Place(channel: new.channel ?? old.channel ?? "", hour: old.hour, recipient: old.recipient)
        tally.countEvent(at: place)
        let change = LineChange.between(old.decisions, new.decisions)
        tally.count(change, at: place)
        hold(line, place, change.kinds, old, new)
        guard !change.kinds.isEmpty, report != nil || shelf.wants(change.kinds, by: change.rules) else { return }
        let text = batch.text(of: line)
        keep(
            DiffExample(
                line: line.number, at: old.at, recipient: old.recipient, channel: new.channel ?? old.channel, event: old.event,
                kinds: change.kinds, rules: change.rules, old: old.decisions, new: new.decisions,
                message: old.messageText.map { Array(text[$0]) }, device: Array(text[old.deviceText])))
    }

    private mutating func keep(_ example: DiffExample) {
        if shelf.wants(example.kinds, by: example.rules) { shelf.add(example) }
        report?(example)
    }

    private mutating func hold(
        _ line: TrafficBatch.Line, _ place: DiffTally.Place, _ counted: ChangeKinds, _ old: PlayedLine, _ new: PlayedLine
    ) {
        guard !old.held.isEmpty || !new.held.isEmpty else { return }
        for id in old.held + new.held.filter({ id in !old.held.contains(where: id.isExactly) }) {
            waiting.hold(
                id,
                .init(
                    line: line.number, place: place, counted: counted, old: DiffComparison.answer(old, about: id),
                    new: DiffComparison.answer(new, about: id)))
        }
    }

    private static func answer(_ played: PlayedLine, about id: String) -> WaitingLines.Answer {
        if played.held.contains(where: id.isExactly) { return .waiting }
        return .atOnce(played.decisions.last { $0.display != nil }?.display?.action)
    }

    // MARK: what was held back

    private mutating func compareDue(_ old: [DueAnswer], _ new: [DueAnswer]) {
        for answer in old { if let record = waiting.settle(answer, of: .old) { count(record) } }
        for answer in new { if let record = waiting.settle(answer, of: .new) { count(record) } }
    }

    private mutating func count(_ record: WaitingLines.Record) {
        var place = record.place
        let (old, new) = (record.old.due, record.new.due)
        if record.line == 0 {
            // It stood in the state, and has not been an event yet.
            place = DiffTally.Place(channel: "", hour: (old ?? new)?.hour ?? 0, recipient: place.recipient)
            tally.countEvent(at: place)
        }
        let change = record.change
        tally.count(change, beyond: record.counted, at: place)
        let fresh = change.kinds.subtracting(record.counted)
        guard !fresh.isEmpty, report != nil || shelf.wants(fresh, by: change.rules), let answer = new ?? old else { return }
        keep(
            DiffExample(
                line: record.line, at: answer.at, recipient: answer.recipient, channel: place.channel.isEmpty ? nil : place.channel,
                event: .due, kinds: fresh, rules: change.rules, old: old?.decision.map { [$0] } ?? [],
                new: new?.decision.map { [$0] } ?? [], message: answer.message, device: answer.device))
    }
}
