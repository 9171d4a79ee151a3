// `rulehost diff`: what a change of rules would have done to recorded traffic. Comparing is RuleLab's business; this chooses
// the two sides and the form of the answer.
import RuleLab

extension Verb {
    static let diff = Verb(
        name: "diff", summary: "compares two rulesets on recorded traffic: what would be different, for whom, and why",
        operands: "OLD NEW",
        details: [
            "OLD and NEW are folders of rules, or git revisions (a branch, a tag, a commit) of the repository that holds --rules. A word that is a folder is taken for the folder.",
            "Both live through the same traffic, each on the state that its own decisions leave behind: caps fill up, badges grow, and what is held back is decided again when its time comes. The clock is what the lines say. Nothing is written but the report.",
            "Traffic has one event a line: {\"at\": …, \"app\": …, \"message\": {…}, \"device\": {…}}, with \"event\" for one event instead of the journey; docs/traffic.md says more. Lines of other apps are left out and counted; a line that cannot be read is reported with its number, and the rest goes on.",
            "--fail-if takes a kind of change (\(FailCondition.subjects.prefix(4).joined(separator: ", ")), route, badge, content, options, topics, other, error), a comparison and a number of events or a percentage of them. It may be given several times; exit code 1 says that one holds.",
            "--format json writes the counts and a few examples, ndjson every event that differs, one a line.",
        ],
        flags: [.app, .traffic, .stateFile, .html, .exitCode, .failIf],
        formats: [.human, .json, .ndjson],
        examples: [
            Example(
                command: "rulehost diff main rules --app chat --traffic examples/traffic/chat-day.ndjson",
                meaning: "What would the rules as they are now change, compared with the branch main?"),
            Example(
                command: "rulehost diff main rules --traffic day.ndjson --html diff.html", meaning: "The same as a page, for a meeting"),
            Example(
                command: "rulehost diff origin/main HEAD --traffic day.ndjson --fail-if 'suppressed > 1%' --fail-if 'error > 0'",
                meaning: "In CI: stop a change that keeps more than 1 % of messages from people, or that fails"),
            Example(
                command: "rulehost diff old-rules rules --traffic - --format json --exit-code < day.ndjson",
                meaning: "For a program; exit code 1 when anything is different"),
        ],
        run: { (arguments, console) throws(CommandFault) -> ExitCode in
            let options = try DiffOptions(arguments, inputIsTerminal: console.inputIsTerminal)
            return try DiffSession(options, console).run()
        })
}

extension Flag {
    static let traffic = Flag("traffic", .required("FILE", .file), "Recorded events, one a line; - is standard input")
    static let html = Flag("html", .required("FILE", .file), "Write the report as a page that needs nothing else")
    static let exitCode = Flag("exit-code", .none, "Exit code 1 when anything is different")
    static let failIf = Flag(
        "fail-if", .required("CONDITION", .text), repeats: true, "Exit code 1 when this holds, such as 'suppressed > 1%'; may be repeated")
}
