// `rulehost new`: a new app with a rule that works, cases that pass, and what an editor needs. Asks nothing and touches
// nothing that is there.
import RuleStore

extension Verb {
    static let new = Verb(
        name: "new", summary: "makes the folder of a new app, with a rule, cases and editor files",
        operands: "APP",
        details: [
            "Makes APP in the folder of --rules, which is made when it is missing: app.lua, a rule, two cases that pass, annotations and settings for editors. It asks nothing, and never touches what is there already.",
            "APP has 1 to 63 small letters, digits and hyphens.",
        ],
        flags: [],
        examples: [
            Example(command: "rulehost new my-shop", meaning: "A new app in rules/my-shop"),
            Example(command: "rulehost test my-shop", meaning: "Its cases pass at once"),
        ],
        run: { (arguments, console) throws(CommandFault) -> ExitCode in
            guard let app = arguments.operands.first else { throw .missingOperand(verb: "new", operands: "the name of the app") }
            if arguments.operands.count > 1 { throw .unexpectedOperand(arguments.operands[1], verb: "new") }
            let folder = RulesFolder(path: arguments.rulesFolder)
            var written: [String]
            do throws(StoreFault) {
                written = try folder.makeApp(app, of: AppScaffold.files(of: app))
            } catch {
                throw .store(error)
            }
            let home = String(written[0].dropLast("/app.lua".count))
            written += try EditorFolder(home).write(console)
            for path in written { console.write("\(console.ink.paint("made", .good)) \(path.printable)\n") }
            if !console.isQuiet { console.write(nextSteps(app, home, arguments, console.ink)) }
            return .done
        })

    private static func nextSteps(_ app: String, _ home: String, _ arguments: Arguments, _ ink: Ink) -> String {
        let rules = arguments.has(.rules) ? " --rules \(arguments.rulesFolder)" : ""
        let steps = [
            ("rulehost test \(app)\(rules)", "its cases pass"),
            (
                "rulehost eval --app \(app)\(rules) --state foreground --tab home --recipient u-1 '{\"aps\":{\"alert\":\"hello\"}}'",
                "what a message does, and why"
            ),
            ("rulehost docs rule", "what a rule can be written with"),
        ]
        var text = "\n\(ink.paint("Next", .strong))\n"
        for (command, meaning) in steps { text += "  \(ink.paint("# \(meaning)", .faint))\n  \(command)\n" }
        return text
            + "  \(ink.paint("# completion and checks", .faint))\n  open \(home.printable) in an editor with the Lua language server\n"
    }
}
