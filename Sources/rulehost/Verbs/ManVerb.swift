// `rulehost man`.

extension Verb {
    static let man = Verb(
        name: "man", summary: "prints the manual page",
        operands: "", details: [], flags: [],
        examples: [Example(command: "rulehost man | man -l -", meaning: "Read it")],
        run: { (arguments, console) throws(CommandFault) -> ExitCode in
            if let word = arguments.operands.first { throw .unexpectedOperand(word, verb: "man") }
            console.write(ManualPage.text())
            return .done
        })
}
