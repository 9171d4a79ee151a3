// Messages that wait: each record goes when nothing is waited for any more, so that a long comparison does not grow.
import PushMessage
import Testing

@testable import RuleEngine
@testable import RuleLab

struct WaitingLinesTests {
    private func answer(_ id: String, _ action: Display.Action?, again: Bool = false) -> DueAnswer {
        var decision = Decision(app: "app", ruleset: "", event: .due)
        decision.display = action.map { Display(action: $0, options: [], reason: nil, rule: "R", until: nil) }
        return DueAnswer(
            recipient: "u", id: id, at: Instant(milliseconds: 0), hour: 3, decision: action == nil ? nil : decision, waitsAgain: again,
            message: [], device: [])
    }

    private func record(_ old: WaitingLines.Answer, _ new: WaitingLines.Answer) -> WaitingLines.Record {
        .init(line: 1, place: .init(channel: "", hour: 1, recipient: "u"), counted: ChangeKinds(), old: old, new: new)
    }

    @Test("A record is over when both have answered, and not before")
    func both() {
        var lines = WaitingLines()
        lines.hold("m", record(.waiting, .waiting))
        #expect(lines.settle(answer("m", .show), of: .old) == nil)
        #expect(lines.stillWaiting.old == 0 && lines.stillWaiting.new == 1)
        #expect(lines.settle(answer("m", .defer, again: true), of: .new) == nil)
        let record = lines.settle(answer("m", .suppress), of: .new)
        #expect(record?.change.kinds.all == [.newlySuppressed])
        #expect(lines.stillWaiting.old == 0 && lines.stillWaiting.new == 0)
        #expect(lines.settle(answer("m", .show), of: .new) == nil, "it is over once")
    }

    @Test(
        "The side that did not wait is compared with what became of the message",
        arguments: [
            (Display.Action.show, Display.Action.show, []), (.show, .suppress, [ChangeKind.newlySuppressed]), (.suppress, .show, []),
            (.suppress, .suppress, []),
        ])
    func oneSide(_ atOnce: Display.Action, _ due: Display.Action, _ kinds: [ChangeKind]) {
        var lines = WaitingLines()
        lines.hold("m", record(.atOnce(atOnce), .waiting))
        #expect(lines.settle(answer("m", due), of: .new)?.change.kinds.all == kinds)
        #expect(lines.fate.shown == (due == .show ? 1 : 0) && lines.fate.notShown == (due == .show ? 0 : 1))
    }

    @Test("A message that something else has answered leaves no record and no difference")
    func gone() {
        var lines = WaitingLines()
        lines.hold("m", record(.waiting, .waiting))
        #expect(lines.settle(answer("m", nil), of: .old) == nil)
        #expect(lines.settle(answer("m", .show), of: .new)?.change.kinds.isEmpty == true)
        #expect(lines.stillWaiting.old == 0 && lines.stillWaiting.new == 0)
        #expect(lines.settle(answer("other", .show), of: .new) == nil)
    }
}
