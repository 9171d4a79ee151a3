// Conditions under which a comparison fails: what is read, and where the caret stands when it is not.
import Testing

@testable import RuleLab

struct FailConditionTests {
    private func report(events: Int, changed: Int, suppressed: Int) -> DiffReport {
        var report = DiffReport()
        report.events = events
        report.changed = changed
        report.kinds = ChangeKind.allCases.map { ($0, $0 == .newlySuppressed ? suppressed : 0) }
        return report
    }

    @Test(
        "A kind, a comparison and an amount are weighed against the counts",
        arguments: [
            ("suppressed > 1%", 1000, 10, false), ("suppressed > 1%", 1000, 11, true), ("suppressed >= 1 %", 1000, 10, true),
            ("newly_suppressed>10", 1000, 10, false), ("suppressed >9", 1000, 10, true), ("suppressed < 0.5%", 1000, 4, true),
            ("suppressed < 0.5%", 1000, 5, false), ("suppressed = 0", 1000, 0, true), ("suppressed == 0%", 0, 0, true),
            ("suppressed != 3", 10, 3, false), ("suppressed <= 33.3333%", 3, 1, false), ("Suppressed > 0", 5, 1, true),
            ("shown > 0", 10, 10, false), ("changed > 50%", 10, 6, true), ("error > 0", 10, 10, false),
            ("suppressed > 100%", 10, 10, false),
            ("  suppressed\t>  2  ", 10, 3, true), ("suppressed > 0.0001%", 1_000_000, 1, false),
            ("suppressed >= 0.0001%", 1_000_000, 1, true),
        ])
    func holds(_ text: String, _ events: Int, _ count: Int, _ holds: Bool) throws {
        let condition = try FailCondition(text)
        #expect(condition.holds(for: report(events: events, changed: count, suppressed: count)) == holds)
    }

    @Test("Every kind can be named", arguments: FailCondition.subjects)
    func subjects(_ name: String) throws { #expect(throws: Never.self) { try FailCondition("\(name) > 1") } }

    @Test(
        "What cannot be read is pointed at",
        arguments: [
            ("", 1, "kind of change"), ("> 1%", 1, "kind of change"), ("supressed > 1%", 1, "no kind of change \"supressed\""),
            ("suppressed", 11, "comparison"), ("suppressed 1%", 12, "comparison"), ("suppressed > ", 14, "number"),
            ("suppressed > many", 14, "number"), ("suppressed > 1.5", 14, "number"), ("suppressed > 101%", 14, "number"),
            ("suppressed > 1,5%", 14, "number"), ("suppressed > 0.00001%", 14, "number"), ("suppressed > -1", 14, "number"),
            ("suppressed > 1% and shown > 2", 17, "ends before"), ("suppressed > 1 percent", 16, "ends before"),
            ("suppressed > 1.%", 14, "number"),
            ("suppressed > .5%", 14, "number"), ("suppressed > 99999999999999999999", 14, "number"),
            ("100% > suppressed", 1, "kind of change"),
        ])
    func faults(_ text: String, _ column: Int, _ words: String) {
        #expect {
            _ = try FailCondition(text)
        } throws: { error in
            guard let fault = error as? FailCondition.Fault else { return false }
            return fault.column == column && fault.message.contains(words) && fault.length >= 1
        }
    }
}
