// From an app's files, in memory, to a checked and typed ruleset, or to everything that is wrong with them.
// Called at start, on each reload and by every dry run; touches no disk and no clock.
import JSONDocument
public import LuaSandbox
import PushMessage

public enum RulesetLoader {
    /// - Parameters:
    ///   - app: the folder's name.
    ///   - files: `app.lua`, `*.lua`, `lib/**.lua`, and `_shared/lib/**.lua`; others are not looked at.
    ///   - counts: where the lines that run are counted, from the load on.
    ///   - keepingManifest: the text of the manifest is kept, for a process that does not run it (`AppCrossing.outline`).
    public static func load(
        app: String, files: [SourceFile], limits: LoadLimits = LoadLimits(), countingInto counts: LineCounts? = nil,
        keepingManifest: Bool = false
    ) -> LoadOutcome {
        var load = Load(app: app, sources: AppSources(files), limits: limits, counts: counts, keepsManifest: keepingManifest)
        let loaded = load.run()
        guard load.faults.isEmpty, let loaded else {
            return .failed(RuleFault.told(load.faults, beside: load.room.untold))
        }
        return .loaded(loaded)
    }
}

/// One load under way. It goes on after a fault as long as more can be found out.
struct Load {
    let app: String
    let sources: AppSources
    let limits: LoadLimits
    let counts: LineCounts?
    let keepsManifest: Bool
    private var manifestText: [UInt8] = []
    private(set) var faults: [RuleFault] = []
    private var texts: [String: SourceText] = [:]
    let room = TellingRoom()
    /// What has been done to find places, for tests: files taken apart, and places looked for in them.
    var search: (files: Int, places: Int) { (texts.count, texts.values.reduce(0) { $0 + $1.searches }) }
    /// The file whose load used most fuel.
    private var costliest: (fuel: Int64, file: String) = (0, "app.lua")

    init(app: String, sources: AppSources, limits: LoadLimits, counts: LineCounts?, keepsManifest: Bool) {
        self.app = app
        self.sources = sources
        self.limits = limits
        self.counts = counts
        self.keepsManifest = keepsManifest
    }

    mutating func run() -> LoadedApp? {
        faults = sources.faults(within: limits)
        guard faults.isEmpty, let manifestFile = sources.manifest else { return nil }
        do {
            var machine = try makeMachine(limits.script)
            let manifest = try readManifest(manifestFile, by: machine)
            let lowered = limits.script.lowered(by: manifest.limits)
            if lowered != limits.script {
                guard let smaller = makeMachine(lowered, in: manifestFile, insteadOf: machine) else { return nil }
                machine = smaller
            }
            let rules = readRules(by: machine, for: manifest)
            let strings = readStrings(by: machine)
            tellMissingStrings(strings, of: manifest, in: manifestFile)
            guard faults.isEmpty else { return nil }
            guard seal(machine, manifestFile) else { return nil }
            let warnings = remarks(on: rules, manifest) + strains(of: machine)
            return LoadedApp(
                ruleset: ruleset(manifest, rules, strings), warnings: warnings, machine: machine, counts: counts,
                limits: limits, manifest: manifestText)
        } catch {
            tell(error, in: manifestFile)
            return nil
        }
    }

    private func makeMachine(_ script: ScriptLimits) throws(ScriptFault) -> LuaMachine {
        let machine = try LuaMachine(
            limits: script, functions: ScriptWorld.functions, values: ScriptWorld.values, schemas: ScriptWorld.schemas)
        if let counts { machine.countLines(into: counts) }
        for module in sources.usedModules {
            machine.addModule(name: module.name, file: module.file.path, source: module.file.bytes)
        }
        return machine
    }

    /// Each table that a file keeps gets a cover that makes it read-only. Where there is no room for them, the file that did most
    /// is named: no line of it has failed.
    private mutating func seal(_ machine: LuaMachine, _ manifestFile: SourceFile) -> Bool {
        do throws(ScriptFault) {
            try machine.seal()
            return true
        } catch {
            guard error.code == .budgetMemory, let file = sources.file(costliest.file) else {
                tell(error, in: manifestFile)
                return false
            }
            faults.append(
                RuleFault(
                    code: .budgetMemory, file: file.path, line: 1, column: 1,
                    message: "what files keep for all messages is too much, with some 300 bytes for each table that make it read-only: "
                        + "all of an app is limited to \(machine.limits.memory) bytes",
                    hint: "the file that did most while it was loaded is named; keep fewer tables, such as one text for each entry"))
            return false
        }
    }

    /// nil, and a fault: the app allows itself less than a machine takes before the first rule.
    private mutating func makeMachine(_ script: ScriptLimits, in file: SourceFile, insteadOf larger: LuaMachine) -> LuaMachine? {
        do throws(ScriptFault) {
            return try makeMachine(script)
        } catch {
            guard script.memory < larger.limits.memory else {
                tell(error, in: file)
                return nil
            }
            var told = AuthorFaults(file: file.path, text: text(of: file), table: .manifest)
            told.tell(
                .badValue, at: [.key("limits"), .key("memory_bytes")],
                "`limits.memory_bytes` = \(script.memory) is too little: before the first rule an app takes \(larger.spent.memoryPeak)",
                hint: "write more, or leave it out for \(limits.script.memory)")
            faults += told.faults
            return nil
        }
    }

    private mutating func readManifest(_ file: SourceFile, by machine: LuaMachine) throws(ScriptFault) -> Manifest {
        let value = try machine.run(file: file.path, source: file.bytes)
        for declaration in machine.declarations { tellMisplaced(declaration) }
        tellUndefined(by: machine)
        if keepsManifest, let value {
            var writer = JSONWriter(reserving: 1024)
            writer.value(value)
            manifestText = writer.bytes
        }
        let (manifest, found) = ManifestReader.read(value, in: text(of: file))
        faults += found
        return manifest
    }

    private mutating func readRules(by machine: LuaMachine, for manifest: Manifest) -> [Rule] {
        let before = machine.declarations.count
        var whole: [SourceFile] = []
        for file in sources.scripts + sources.unusedModules {
            let spent = machine.spent.fuel
            do {
                _ = try machine.run(file: file.path, source: file.bytes)
                whole.append(file)
                if machine.spent.fuel - spent > costliest.fuel { costliest = (machine.spent.fuel - spent, file.path) }
            } catch {
                tell(error, in: file)
                if error.isFinal || machine.isDead { return [] }
            }
        }
        tellUndefined(by: machine)
        var rules: [Rule] = []
        var places = ExactTable<Rule>()
        let declarations = machine.declarations.dropFirst(before)
        if declarations.count > limits.rules, let first = declarations.dropFirst(limits.rules).first {
            faults.append(
                RuleFault(
                    code: .tooManyRules, file: first.file, line: first.line,
                    message: "the app has \(declarations.count) rules, more than the \(limits.rules) that are allowed"))
            return []
        }
        for file in whole { tellUnfinished(in: file, declared: declarations) }
        let links = LinkPolicy(manifest.links)
        let scripts = Dictionary(uniqueKeysWithValues: sources.scripts.map { ($0.path, text(of: $0)) })
        for declaration in declarations {
            guard let text = scripts[declaration.file] else {
                tellMisplaced(declaration)
                continue
            }
            let (rule, found) = RuleReader.read(declaration, in: text)
            faults += found
            if (manifest.guards[.link] ?? .on) == .on { tellNeverFollowed(rule, links, in: text) }
            if let other = places[rule.name] {
                tellTwice(rule, other, in: text)
            } else {
                places[rule.name] = rule
            }
            rules.append(rule)
        }
        return rules
    }

    private mutating func remarks(on rules: [Rule], _ manifest: Manifest) -> [RuleWarning] {
        var remarks = RuleRemarks(manifest: manifest)
        for rule in rules {
            if let file = sources.file(rule.file) { remarks.look(at: rule, in: text(of: file)) }
        }
        return remarks.told
    }

    /// From half of what a load may use.
    private func strains(of machine: LuaMachine) -> [RuleWarning] {
        let (spent, script) = (machine.spent, machine.limits)
        var uses: [String] = []
        if Strain.isStrain(Int(spent.fuel), of: Int(script.loadFuel)) {
            uses.append("\(spent.fuel) of its \(script.loadFuel) units of fuel")
        }
        if Strain.isStrain(spent.memoryPeak, of: script.memory) {
            uses.append("\(spent.memoryPeak) of its \(script.memory) bytes of memory")
        }
        return uses.map { use in
            RuleWarning(
                code: .nearLimit, file: costliest.file, line: 1, column: 1,
                message: "loading the app used \(use); the largest part is this file",
                hint: "beyond the limit the app does not load; leave work that can wait to the rules, or say less in tables")
        }
    }

    private mutating func readStrings(by machine: LuaMachine) -> Strings {
        guard !sources.strings.isEmpty else { return .none }
        var reader = StringsReader()
        let before = machine.declarations.count
        for file in sources.strings where !machine.isDead {
            do throws(ScriptFault) {
                reader.read(try machine.run(file: file.path, source: file.bytes), of: file, text(of: file))
            } catch {
                tell(error, in: file)
            }
        }
        for declaration in machine.declarations.dropFirst(before) { tellMisplaced(declaration) }
        tellUndefined(by: machine)
        faults += reader.faults
        return Strings(tables: reader.tables)
    }

    /// The language that everybody falls back to must be there.
    private mutating func tellMissingStrings(_ strings: Strings, of manifest: Manifest, in file: SourceFile) {
        guard !sources.strings.isEmpty, let own = manifest.locale, !own.chain.contains(where: { strings.tables[$0] != nil }) else { return }
        // One that is there and gave no texts has been told of.
        let names = own.chain.map { "\(StringsReader.folder)\($0.name).lua" }
        guard !sources.strings.contains(where: { names.contains($0.path) }) else { return }
        var told = AuthorFaults(file: file.path, text: text(of: file), table: .manifest)
        told.tell(
            .badValue, at: [.key("locale")], "`locale` is \"\(own.name)\", but there is no \(strings.file(for: own))",
            hint: "add the file, or name one of the languages that there are: "
                + sources.strings.map { $0.path.dropFirst(StringsReader.folder.count).dropLast(4) }.joined(separator: ", "))
        faults += told.faults
    }

    private func ruleset(_ manifest: Manifest, _ rules: [Rule], _ strings: Strings) -> Ruleset {
        // The sort must keep the order of equal priorities: by file name, then by place.
        let ordered = rules.enumerated().sorted {
            $0.element.priority != $1.element.priority
                ? $0.element.priority > $1.element.priority : $0.offset < $1.offset
        }.map(\.element)
        var byEvent: [EventName: [Int]] = [:]
        for (index, rule) in ordered.enumerated() {
            for event in rule.events { byEvent[event, default: []].append(index) }
        }
        let used = sources.used
        return Ruleset(
            app: app, hash: RulesetHash.short(of: used), files: used, manifest: manifest, rules: ordered,
            rulesByEvent: byEvent, strings: strings)
    }

    // MARK: faults

    private mutating func text(of file: SourceFile) -> SourceText {
        if let text = texts[file.path] { return text }
        let text = SourceText(file.bytes, room: room)
        texts[file.path] = text
        return text
    }

    private mutating func tell(_ fault: ScriptFault, in file: SourceFile) {
        let known = sources.file(fault.file) ?? file
        let told = ScriptFaultReader.read(fault, file: known, text(of: known), modules: sources.modules.map(\.name))
        // A module that fails is met again by each file that requires it.
        if !faults.contains(told) { faults.append(told) }
    }

    private func place(of path: [PathStep], in text: SourceText?, _ rule: String, _ line: Int) -> SourcePlaces.Place {
        text?.place(notBefore: line) { $0.place(of: path, inRule: rule, declaredOn: line) } ?? SourcePlaces.Place(line: line, column: 1)
    }

    /// A forgotten quote must not take a condition away. Where the script failed for it, that is told already.
    private mutating func tellUndefined(by machine: LuaMachine) {
        for name in machine.undefinedNames {
            guard let file = sources.file(name.file), let fault = UndefinedNameReader.read(name, file: file, text(of: file).places),
                !faults.contains(where: { $0.file == fault.file && $0.line == fault.line && $0.column == fault.column })
            else { continue }
            faults.append(fault)
        }
    }

    /// `rule "name"` without a table is Lua, and declares nothing.
    private mutating func tellUnfinished(in file: SourceFile, declared: ArraySlice<Declaration>) {
        // Most files have as many declarations as the word occurs; the others are looked at word by word. A name may be declared on a later
        // line than it is written on.
        let names = declared.filter { $0.file == file.path }.map(\.name)
        guard file.bytes.occurrences(of: "rule") > names.count else { return }
        let known = Set(names.map { ExactText($0) })
        for (name, place) in text(of: file).places.namesWithoutTable where !known.contains(ExactText(name)) {
            faults.append(
                RuleFault(
                    code: .ruleWithoutDecide, file: file.path, line: place.line, column: place.column,
                    message: "rule \"\(name)\" has no table of keys", hint: "write: rule \"\(name)\" { … }"))
        }
    }

    private mutating func tellMisplaced(_ declaration: Declaration) {
        let place = place(of: [], in: sources.file(declaration.file).map { text(of: $0) }, declaration.name, declaration.line)
        faults.append(
            RuleFault(
                code: .ruleMisplaced, file: declaration.file, line: place.line, column: place.column,
                message: declaration.file == "app.lua"
                    ? "app.lua describes the app; rule \"\(declaration.name)\" does not belong here"
                    : "a module cannot declare rules; rule \"\(declaration.name)\" does not belong here",
                hint: "move it to a file of its own beside app.lua"))
    }

    /// A way that no phone may ever take is told at once where it is written down; all others are the link guard's.
    private mutating func tellNeverFollowed(_ rule: Rule, _ links: LinkPolicy, in text: SourceText) {
        guard case .table(let wish)? = rule.decide, let link = wish.route.url?.string, let why = links.whyNeverFollowed(link)
        else { return }
        let place = place(of: [.key("decide"), .key("route")], in: text, rule.name, rule.line)
        faults.append(
            RuleFault(
                code: .badValue, file: rule.file, line: place.line, column: place.column,
                message: "`route` = \"\(link)\" \(why)", hint: "write where the tap leads, such as \"shop://offers\""))
    }

    private mutating func tellTwice(_ rule: Rule, _ other: Rule, in text: SourceText) {
        let place = place(of: [], in: text, rule.name, rule.line)
        faults.append(
            RuleFault(
                code: .ruleNameTwice, file: rule.file, line: place.line, column: place.column,
                message: "there are two rules named \"\(rule.name)\"; the other one is in \(other.file), line \(other.line)",
                hint: "give one of them another name"))
    }
}

extension LoadLimits {
    /// What one evaluation of an app may cost at most.
    package func ofEvaluation(_ manifest: Manifest) -> (fuel: Int, memoryBytes: Int, milliseconds: Int) {
        let limits = script.lowered(by: manifest.limits)
        return (Int(limits.callFuel), limits.memory, limits.callMilliseconds)
    }
}

extension ScriptLimits {
    /// What the app asks for where that is less than what the operator allows.
    func lowered(by app: LimitOverrides) -> ScriptLimits {
        var limits = self
        if let fuel = app.fuel { limits.callFuel = min(limits.callFuel, Int64(fuel)) }
        if let memory = app.memoryBytes { limits.memory = min(limits.memory, memory) }
        if let milliseconds = app.milliseconds { limits.callMilliseconds = min(limits.callMilliseconds, milliseconds) }
        return limits
    }
}

extension ContributedRoute {
    fileprivate var url: JSONText? {
        switch self {
        case .nowhere: nil
        case .link(let url): url
        case .place(let place): place.url
        }
    }
}
