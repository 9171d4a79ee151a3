// `rulehost fmt`: the one layout of cases, devices, messages and traffic. Laying out is JSONLayout's; this finds files,
// checks that they are JSON, and writes what differs.
import RuleStore

extension Verb {
    static let fmt = Verb(
        name: "fmt", summary: "lays out JSON files of cases, devices and messages, and traffic",
        operands: "[FILE… | -]",
        details: [
            "Lays files out anew: two spaces a level, at most \(JSONLayout.columns) columns, and what fits stays on one line. Files that end in .ndjson or .jsonl get one value a line, without spaces and without empty lines. Only white space changes: numbers, texts and the order of keys stay to the byte. Lua is left alone.",
            "A FILE may be a folder: then all of its .json, .ndjson and .jsonl files. Without one, the cases of all apps are laid out. - reads standard input and writes standard output.",
            "A file is replaced at once or not at all, and not when it is laid out already. A file that is not JSON is told with its place and stays as it is; the others are laid out all the same.",
        ],
        flags: [.check],
        examples: [
            Example(command: "rulehost fmt", meaning: "The cases of all apps"),
            Example(command: "rulehost fmt --check rules examples", meaning: "For a build server: which files are not laid out?"),
            Example(command: "rulehost fmt - < device.json", meaning: "From an editor"),
        ],
        run: { (arguments, console) throws(CommandFault) -> ExitCode in
            try FormatSession(arguments, console).run()
        })
}

extension Flag {
    static let check = Flag("check", .none, "Change nothing: list the files that would change, and exit with 1 if there are any")
}
