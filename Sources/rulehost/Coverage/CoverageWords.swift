// Coverage in words and figures, for all of its reports.
import RuleEngine
import RuleLab

enum CoverageWords {
    /// "83.3 %", and never "100 %" for less; nothing of nothing is "–".
    static func percent(_ count: CoveredCount) -> String {
        guard count.all > 0 else { return "–" }
        let tenths = count.covered * 1000 / count.all
        return tenths % 10 == 0 ? "\(tenths / 10) %" : "\(tenths / 10).\(tenths % 10) %"
    }

    /// "5 of 6"
    static func counts(_ count: CoveredCount) -> String {
        count.all == 0 ? "none" : "\(Figures.grouped(count.covered)) of \(Figures.grouped(count.all))"
    }

    /// "when: no"
    static func way(_ branch: RuleBranch) -> String { "\(branch.place): \(branch.words)" }

    static func standing(_ rule: RuleCoverage) -> String {
        switch rule.standing {
        case .matched: "matched \(times(rule.matched))"
        case .neverMatched: "never matched, asked \(times(rule.asked))"
        case .neverAsked: "never asked"
        case .disabled: "disabled"
        }
    }

    static func times(_ count: Int) -> String {
        switch count {
        case 1: "once"
        case 2: "twice"
        default: "\(Figures.grouped(count)) times"
        }
    }

    /// "shows 3 times, no wish once", of a rule whose `decide` has been asked.
    static func outcomes(_ rule: RuleCoverage) -> String {
        rule.outcomes.map { "\($0.branch.words) \(times($0.taken))" }.joined(separator: ", ")
    }

    /// Lines of functions; those behind each other as one entry: of a whole function nobody wants to read each line's number.
    /// Rules that have not matched are told by their names.
    static func notRun(in file: FileCoverage) -> [[LineCoverage]] {
        var runs: [[LineCoverage]] = []
        var isBehind = false
        for line in file.lines {
            guard let hits = line.hits, !file.rules.contains(where: { $0.line == line.number }) else { continue }
            guard hits == 0 else {
                isBehind = false
                continue
            }
            if isBehind { runs[runs.count - 1].append(line) } else { runs.append([line]) }
            isBehind = true
        }
        return runs
    }
}
