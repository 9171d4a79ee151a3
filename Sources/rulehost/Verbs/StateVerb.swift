// `rulehost state`: one app's state in the store of a host. What it is asked and does is StateSession.

extension Verb {
    static let state = Verb(
        name: "state", summary: "looks at what a host remembers of an app, and repairs it by hand",
        operands: "get [KEY] | set KEY VALUE | delete KEY | export | import FILE | reset",
        operandWords: { StateSession.Action.allCases.map(\.rawValue) },
        details: [
            "get prints the value of a KEY, or everything; export prints a state file, as eval --state-file takes it. With --recipient they tell of that recipient, without it of what the app shares (get) or of everybody (export). Both go beside a running host.",
            "set, delete, import and reset change the store, and need it for themselves: a running host keeps them out, and does the same with --host. VALUE is JSON; a text needs its quotes. import puts each recipient of a state file in the place of the one that is there, and the app's shared values if it has some; others stay as they are. reset forgets everything of the app, or of one --recipient, kept answers and what cannot be read too.",
            "--dry-run shows what would change. Each change stands in the audit, with --who and --why, and without the value.",
        ],
        flags: [.store] + Flag.ofRemoteHost + [.appOfStore, .recipientOfStore, .dryRun, .who, .why],
        formats: [.human, .json],
        examples: [
            Example(
                command: "rulehost state get --store sqlite:rulehost.db --app chat --recipient u-1",
                meaning: "What is remembered of a person?"),
            Example(
                command: "rulehost state export --store sqlite:rulehost.db --app chat > state.json",
                meaning: "For eval, on another machine"),
            Example(
                command: "rulehost state reset --store sqlite:rulehost.db --app chat --recipient u-1 --dry-run",
                meaning: "What would be forgotten?"),
            Example(
                command: "rulehost state set theme '\"dark\"' --store sqlite:rulehost.db --app chat --recipient u-1 --why 'as she asked'",
                meaning: "A value by hand, with a reason"),
        ],
        run: { (arguments, console) throws(CommandFault) -> ExitCode in try StateSession(arguments, console).run() })
}
