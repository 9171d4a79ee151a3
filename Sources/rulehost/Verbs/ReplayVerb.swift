// `rulehost replay`: recorded traffic lived through once, with state, and what each person saw of it. Playing and counting is
// RuleLab's business; this chooses the app and the form of the answer.

extension Verb {
    static let replay = Verb(
        name: "replay", summary: "lives through recorded traffic with state: what people saw, hour by hour", operands: "",
        details: [
            "Decides recorded events one after the other, each at its own moment and on the state that those before have left: caps fill up, badges grow, and what is held back is decided again when its time comes. The clock is what the lines say.",
            "Traffic has one event a line: {\"at\": …, \"app\": …, \"message\": {…}, \"device\": {…}}, with \"event\" for one event instead of the journey; docs/traffic.md says more. Lines of other apps are left out and counted; a line that cannot be read is reported with its number, and the rest goes on.",
            "The answer is a summary: what was shown, not shown and held back, by hour and channel; who decided; which caps were reached and which quiet hours held; what became of what waited. --recipient shows what one person's phone did instead, event by event.",
            "--format ndjson writes every decision, one a line, as it is made; json the counts. --apply writes what is remembered in the end; without it nothing is written but the report.",
        ],
        flags: [.app, .traffic, .recipientOfReplay, .stateFile, .applyReplay, .isolation, .html],
        formats: [.human, .json, .ndjson],
        examples: [
            Example(command: "rulehost replay --traffic examples/traffic/chat-day.ndjson", meaning: "What did people see that day?"),
            Example(
                command: "rulehost replay --traffic examples/traffic/chat-day.ndjson --recipient u-0001",
                meaning: "What did this one phone show, and when?"),
            Example(command: "rulehost replay --traffic day.ndjson --html day.html", meaning: "As a page with a timeline, for a meeting"),
            Example(
                command:
                    "rulehost replay --traffic monday.ndjson --apply state.json && rulehost replay --traffic tuesday.ndjson --apply state.json",
                meaning: "One day after the other"),
            Example(
                command: "rulehost replay --traffic - --format ndjson < day.ndjson | grep '\"action\":\"suppress\"'",
                meaning: "Every decision, for a program"),
        ],
        run: { (arguments, console) throws(CommandFault) -> ExitCode in
            let options = try ReplayOptions(arguments, inputIsTerminal: console.inputIsTerminal)
            return try ReplaySession(options, console).run()
        })
}

extension Flag {
    static let recipientOfReplay = Flag("recipient", .required("ID", .text), "Only this person: what their phone showed, event by event")
    static let applyReplay = Flag(
        "apply", .required("FILE", .file), "Begin with this state file, if it is there, and write what is remembered in the end")
}
