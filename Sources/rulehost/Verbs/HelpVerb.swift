// `rulehost help [VERB]`.

extension Verb {
    static let help = Verb(
        name: "help", summary: "shows what a verb does, its flags and examples",
        operands: "[VERB]", operandWords: { Program.verbs.map(\.name) },
        details: [], flags: [],
        examples: [Example(command: "rulehost help eval", meaning: "Everything about eval")],
        run: { (arguments, console) throws(CommandFault) -> ExitCode in
            guard arguments.operands.count < 2 else {
                throw .unexpectedOperand(arguments.operands[1], verb: "help")
            }
            let name = arguments.operands.first
            let verb: Verb? =
                if let name { try ArgumentParser(verbs: Program.verbs).verb(named: name) } else { nil }
            console.write(HelpPage(of: verb, console.ink).text)
            return .done
        })
}
