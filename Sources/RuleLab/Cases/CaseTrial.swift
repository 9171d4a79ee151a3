// A case that has been answered once, by the machine that answers all of them, and what is left to do: to hold that
// answer against the one of a new machine. That may happen on another thread. Made by CaseRunner.
import RuleEngine

struct CaseTrial: Sendable {
    /// As it came out on the first machine.
    let result: CaseResult
    /// nil: there is none.
    let answers: [CaseAnswer]?
    let file: CaseFile
    let one: Case?

    init(_ file: CaseFile, _ one: Case?, _ result: CaseResult, _ answers: [CaseAnswer]? = nil) {
        self.file = file
        self.one = one
        self.result = result
        self.answers = answers
    }

    /// What is as expected must be so on a new machine as well.
    var isToBeRepeated: Bool { result.outcome == .passed }

    /// The same case on a machine that has run no other one.
    func again(by fresh: any RuleEvaluating) -> (outcome: CaseOutcome, strains: Strains) {
        guard let one, let answers else { return (result.outcome, Strains()) }
        let player = CasePlayer(fresh.ruleset.manifest)
        do {
            let again = try player.answers(to: one, in: file.places, from: fresh)
            let same = again.count == answers.count && zip(again, answers).allSatisfy { $0.says(sameAs: $1) }
            return (same ? result.outcome : .failed([CaseTrial.unsteady(one)]), player.strains)
        } catch {
            return (.broken(error), player.strains)
        }
    }

    func result(_ outcome: CaseOutcome) -> CaseResult {
        CaseResult(file: result.file, name: result.name, line: result.line, outcome: outcome)
    }

    private static func unsteady(_ one: Case) -> StepMiss {
        StepMiss(
            step: 1, line: one.line, differences: [],
            remarks: ["the answer depends on what was evaluated before; keep nothing in variables of the script, use state"])
    }
}
