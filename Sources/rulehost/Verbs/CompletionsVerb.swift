// `rulehost completions bash|zsh|fish`.

extension Verb {
    static let completions = Verb(
        name: "completions", summary: "prints completions for a shell",
        operands: "bash|zsh|fish", operandWords: { CompletionScript.Shell.allCases.map(\.rawValue) },
        details: [], flags: [],
        examples: [
            Example(command: "source <(rulehost completions bash)", meaning: "For this bash, at once"),
            Example(
                command: "rulehost completions fish > ~/.config/fish/completions/rulehost.fish",
                meaning: "For every fish from now on"),
        ],
        run: { (arguments, console) throws(CommandFault) -> ExitCode in
            guard let word = arguments.operands.first else {
                throw .missingOperand(verb: "completions", operands: "the name of a shell: bash, zsh or fish")
            }
            guard let shell = CompletionScript.Shell(rawValue: word) else {
                throw .unexpectedOperand(word, verb: "completions")
            }
            guard arguments.operands.count == 1 else {
                throw .unexpectedOperand(arguments.operands[1], verb: "completions")
            }
            console.write(CompletionScript.text(for: shell))
            return .done
        })
}
