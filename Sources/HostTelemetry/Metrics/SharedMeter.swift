// What shards count together, because it is rare: errors of rules, problems, decisions near a limit. Tells the journal of them as well, but of
// the same thing once a minute.
import EffectStore
import RuleEngine
import RuleHosting

final class SharedMeter: MetricSource {
    let bounds = LabelBounds()
    let decisions: DecisionLog?
    let problems = CountedTable(MetricTable.problems)
    let notKept = CountedTable(MetricTable.notKept)
    private let ruleErrors = CountedTable(MetricTable.ruleErrors)
    private let strains = CountedTable(MetricTable.strains)
    private let journal: Journal?
    private let told = Monitor<[String: Int64]>([:])
    private static let pause: Int64 = 60_000_000_000
    private static let mostTold = 1_000

    init(_ decisions: DecisionLog?, _ journal: Journal?) {
        self.decisions = decisions
        self.journal = journal
    }

    /// - Parameter trace: of the request.
    func count(_ errors: [RuleError], app: String, _ trace: String?) {
        for error in errors {
            ruleErrors.count([app, error.code])
            guard let journal, isNew("\(app)\u{0}\(error.code)\u{0}\(error.rule ?? "")") else { continue }
            // What the rule says of its error may quote the message.
            var fields: [(name: String, value: Journal.Field)] = [("code", .text(error.code)), ("file", .text(error.file))]
            if error.line > 0 { fields.append(("line", .number(error.line))) }
            if let rule = error.rule { fields.append(("rule", .text(rule))) }
            if let trace { fields.append(("traceparent", .text(trace))) }
            journal.log(.warning, "rule_error", app: app, fields)
        }
    }

    func count(_ strains: [Strain], app: String) {
        for strain in strains {
            self.strains.count([app, strain.limit.rawValue])
            guard let journal, isNew("\(app)\u{0}\(strain.limit.rawValue)") else { continue }
            journal.log(
                .warning, "near_limit", app: app,
                [
                    ("limit", .text(strain.limit.rawValue)), ("used", .number(strain.used)), ("allowed", .number(strain.allowed)),
                    ("rule", .text(strain.rule)), ("file", .text(strain.file)), ("line", .number(strain.line)),
                ])
        }
    }

    private func isNew(_ what: String) -> Bool {
        let now = HostClock.nanoseconds()
        return told.withLock { told in
            if let last = told[what], now - last < SharedMeter.pause { return false }
            if told.count >= SharedMeter.mostTold { told = told.filter { now - $0.value < SharedMeter.pause } }
            guard told.count < SharedMeter.mostTold else { return false }
            told[what] = now
            return true
        }
    }

    func collect(into samples: inout Samples) {
        problems.collect(into: &samples)
        notKept.collect(into: &samples)
        ruleErrors.collect(into: &samples)
        strains.collect(into: &samples)
    }
}
