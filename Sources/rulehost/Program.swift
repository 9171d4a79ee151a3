// From the words of the command line to a verb's exit code. Called by main; knows the list of verbs and nothing of
// what they do.
//
// To add a verb: make Verbs/<Name>Verb.swift with `extension Verb { static let name = Verb(…) }` and put it into the
// list below, in the order in which help shows it. Its flags are `Flag`s (Arguments/Flags.swift); help, completions
// and the manual page come from them. Its `run` gets the arguments, already checked against the flags, and the
// console to write to; it answers with an exit code or throws a CommandFault.

enum Program {
    static let version = "0.1.0"

    static let verbs: [Verb] = [
        .eval, .inspect, .check, .test, .matrix, .diff, .replay, .new, .fmt, .serve, .state, .backup, .versions, .checkout, .promote,
        .rollback,
        .audit,
        .docs, .bench,
        .completions, .man, .help,
    ]

    static func run(_ words: [String]) -> ExitCode {
        let console = Console()
        do throws(CommandFault) {
            if let word = RawWords.firstNotUTF8 { throw .notUTF8(word) }
            let arguments = try ArgumentParser(verbs: verbs).parse(words)
            console.configure(arguments)
            let code = try dispatch(arguments, console)
            return max(code, console.finish())
        } catch {
            _ = console.finish()
            console.report(error)
            return error.exitCode
        }
    }

    private static func dispatch(_ arguments: Arguments, _ console: Console) throws(CommandFault) -> ExitCode {
        if arguments.has(.help) {
            console.write(HelpPage(of: arguments.verb, console.ink).text)
            return .done
        }
        if arguments.has(.version) {
            console.write("rulehost \(version)\n")
            return .done
        }
        guard let verb = arguments.verb else {
            console.writeError(HelpPage(of: nil, console.errorInk).text)
            return .usage
        }
        return try verb.run(arguments, console)
    }
}
