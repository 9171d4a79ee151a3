// What a diff is asked to do: the arguments, each checked and typed. Made once, before anything is read.
import RuleLab
import RuleStore

struct DiffOptions {
    let old: String
    let new: String
    /// nil: the one that the traffic names first.
    let app: String?
    let traffic: InputSource
    let stateFile: String?
    let page: String?
    let failsOnChange: Bool
    let conditions: [FailCondition]
    let format: OutputFormat
    let folder: RulesFolder

    init(_ arguments: Arguments, inputIsTerminal: Bool) throws(CommandFault) {
        let operands = arguments.operands
        guard operands.count >= 2 else {
            throw .missingOperand(verb: "diff", operands: "two rulesets to compare, OLD and NEW: folders or git revisions")
        }
        guard operands.count == 2 else { throw .unexpectedOperand(operands[2], verb: "diff") }
        (old, new) = (operands[0], operands[1])
        guard let traffic = arguments[.traffic] else {
            throw .missingOperand(verb: "diff", operands: "recorded traffic: --traffic FILE, or --traffic - for standard input")
        }
        self.traffic = traffic == "-" ? .standardInput : .file(traffic)
        if self.traffic == .standardInput, inputIsTerminal {
            throw .missingOperand(verb: "diff", operands: "traffic on standard input, and that is a terminal")
        }
        app = arguments[.app]
        stateFile = arguments[.stateFile]
        page = arguments[.html]
        failsOnChange = arguments.has(.exitCode)
        format = arguments.format
        folder = RulesFolder(path: arguments.rulesFolder)
        var conditions: [FailCondition] = []
        for text in arguments.all(.failIf) {
            do throws(FailCondition.Fault) {
                conditions.append(try FailCondition(text))
            } catch {
                throw .failCondition(text, error)
            }
        }
        self.conditions = conditions
    }
}
