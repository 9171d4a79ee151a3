// From what a witness has noted to what is reported: which lines count, what each rule came to, which ways there are.
import LuaSandbox
import PushMessage
import RuleEngine

extension AppCoverage {
    init(of witness: CoverageWitness) {
        let ruleset = witness.ruleset
        app = ruleset.app
        decisions = witness.decisions
        let files = ruleset.files.map { file in
            FileCoverage(
                file, rules: ruleset.rules.filter { $0.file == file.path }.sorted { $0.line < $1.line }, witness)
        }.filter { !$0.rules.isEmpty || $0.lineCount.all > 0 }
        self.files = files.filter { !$0.isShared } + files.filter(\.isShared)
        guards = GuardName.allCases.map { name in
            GuardCoverage(name: name, acted: witness.guards[name] ?? 0, isOff: ruleset.manifest.guards[name] == .off)
        }
    }
}

extension FileCoverage {
    fileprivate init(_ file: SourceFile, rules declared: [Rule], _ witness: CoverageWitness) {
        path = file.path
        rules = declared.map { RuleCoverage($0, witness.rules[ExactText($0.name)]) }
        var matches: [Int: Int] = [:]
        for rule in rules where rule.standing != .disabled { matches[rule.line] = min(rule.matched, matches[rule.line] ?? .max) }
        let executable = ExecutableLines(of: file.bytes)
        var texts = file.bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        if texts.last?.isEmpty == true { texts.removeLast() }
        lines = texts.enumerated().map { place, bytes in
            let number = place + 1
            let hits = witness.counts.hits(of: file.path, line: number)
            let kind: LineCoverage.Kind =
                if let matched = matches[number] { .counted(matched) } else if !executable.ofFunctions.contains(number) {
                    executable.ofLoad.contains(number) ? .load : .nothing
                } else if hits == 0, witness.counts.ranInLoad(file.path, line: number) { .load } else { .counted(hits) }
            return LineCoverage(number: number, text: FileCoverage.text(of: bytes), kind: kind)
        }
    }

    /// Without the end of a line as some editors write it.
    private static func text(of bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.last == 0x0D ? bytes.dropLast() : bytes, as: UTF8.self)
    }
}

extension RuleCoverage {
    fileprivate init(_ rule: Rule, _ notes: CoverageWitness.RuleNotes?) {
        let notes = notes ?? CoverageWitness.RuleNotes()
        let way = { (branch: RuleBranch) in Way(branch: branch, taken: notes.branches[branch] ?? 0) }
        name = rule.name
        line = rule.line
        (asked, matched, failed) = (notes.asked, notes.matched, notes.failed)
        standing =
            !rule.isEnabled ? .disabled : notes.asked == 0 ? .neverAsked : notes.matched == 0 ? .neverMatched : .matched
        branches = rule.isEnabled ? rule.branches.map { $0.map(way) } : []
        outcomes = [.shows, .suppresses, .defers, .leavesDisplay].map(way).filter { $0.taken > 0 }
    }
}
