// `rulehost docs`: the reference of the rule language in the terminal, and what editors need of it. What it says is
// RuleReference's; how it looks is ReferencePage's.
import RuleReference
import RuleStore

extension Verb {
    static let docs = Verb(
        name: "docs", summary: "tells of every function, key, event, guard and code, with an example",
        operands: "[NAME… | editor | schema KIND]", operandWords: { Entry.Section.allCases.map(\.rawValue) + ["editor", "schema"] },
        details: [
            "Without a NAME it lists the sections, with the name of a section what is in it. A NAME is that of a function, a key, a field, an event, a guard, a limit or a code, whole (rule.quiet.from) or its last part (from); any other word lists what mentions it.",
            "docs editor writes what editors need into the folder of --out: annotations for the Lua language server, settings for it and for luacheck, and JSON Schemas. Settings that are there already stay as they are.",
            "docs schema KIND prints a JSON Schema: case (a file of cases), device, traffic (one line), decision, state (a state file).",
        ],
        flags: [.out],
        formats: [.human, .json],
        examples: [
            Example(command: "rulehost docs quiet", meaning: "All about quiet hours"),
            Example(command: "rulehost docs functions", meaning: "Every function"),
            Example(command: "rulehost docs budget_fuel", meaning: "What does this error mean?"),
            Example(command: "rulehost docs editor --out .", meaning: "Completion and checks in an editor that opens this folder"),
            Example(command: "rulehost docs schema case > case.schema.json", meaning: "For an editor that knows JSON Schemas"),
        ],
        run: { (arguments, console) throws(CommandFault) -> ExitCode in
            switch arguments.operands.first {
            case nil: overview(arguments, console)
            case "editor": try editor(arguments, console)
            case "schema": try schema(arguments, console)
            default: try look(for: arguments.operands, arguments, console)
            }
            return .done
        })

    private static func overview(_ arguments: Arguments, _ console: Console) {
        if arguments.format == .json {
            return write(ReferenceJSON.bytes(sections: Entry.Section.allCases, entries: Entry.all), console)
        }
        var page = ReferencePage(console.ink)
        page.addOverview()
        console.write(page.text)
    }

    private static func look(for words: [String], _ arguments: Arguments, _ console: Console) throws(CommandFault) {
        var page = ReferencePage(console.ink)
        var told: [Entry] = []
        for (place, word) in words.enumerated() {
            if place > 0 { page.addHint("") }
            switch Entry.search(word) {
            case .found(let entries, let section):
                for (place, entry) in entries.enumerated() {
                    if place > 0 { page.addHint("") }
                    page.add(entry)
                }
                told += entries
                if let section {
                    if !entries.isEmpty { page.addHint("") }
                    page.add(section)
                    page.addHint("`rulehost docs NAME` tells all about one of them.")
                    told += Entry.entries(of: section)
                }
            case .mentioned(let entries):
                page.add(entries)
                page.addHint("Nothing is named `\(word.printable)`; these mention it.")
                if let hint = CalledWord(word)?.hint { page.addHint(hint) }
                told += entries
            case .nothing(let nearest):
                guard let hint = CalledWord(word)?.hint else { throw .unknownEntry(word, suggestion: nearest) }
                page.addHint(hint)
            }
        }
        if arguments.format == .json { write(ReferenceJSON.bytes(sections: [], entries: told), console) } else { console.write(page.text) }
    }

    private static func schema(_ arguments: Arguments, _ console: Console) throws(CommandFault) {
        let kinds = JSONSchema.Kind.allCases.map(\.rawValue)
        guard arguments.operands.count < 3 else { throw .unexpectedOperand(arguments.operands[2], verb: "docs") }
        guard arguments.operands.count > 1 else {
            throw .missingOperand(verb: "docs", operands: "a kind after `schema`: one of " + kinds.joined(separator: ", "))
        }
        let word = arguments.operands[1]
        guard let kind = JSONSchema.Kind(rawValue: word) else {
            throw .unknownEntry("schema \(word)", suggestion: NearestName.of(word, among: kinds).map { "schema \($0)" })
        }
        write(JSONSchema.bytes(of: kind), console)
    }

    private static func editor(_ arguments: Arguments, _ console: Console) throws(CommandFault) {
        if arguments.operands.count > 1 { throw .unexpectedOperand(arguments.operands[1], verb: "docs editor") }
        let written = try EditorFolder(arguments[.out] ?? ".").write(console)
        for path in written { console.write("wrote \(path.printable)\n") }
    }

    private static func write(_ json: [UInt8], _ console: Console) {
        console.write(JSONLayout.document(json))
    }
}

extension Flag {
    static let out = Flag("out", .required("DIR", .folder), "docs editor: the folder that the editor opens (default: the current one)")
}
