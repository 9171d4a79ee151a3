// One app with everything that checks look at: its files as trees, its rules as they loaded, what its cases brought to
// light. Made by AppCheck, read by the checks; it changes nothing.
import PushMessage
import RuleEngine
import RuleStore

final class CheckedApp {
    let name: String
    let files: [CheckedFile]
    let loaded: LoadedRules?
    let faults: [RuleFault]
    let cases: CheckedCases
    let misplaced: [MisplacedFile]
    let luacheck: [LuacheckRemark]
    /// For rules that are over.
    let now: Instant

    struct LoadedRules {
        let ruleset: Ruleset
        let warnings: [RuleWarning]
        /// In the order in which they are asked.
        let rules: [CheckedRule]
    }

    init(
        _ name: String, files: [SourceFile], outcome: LoadOutcome, cases: CheckedCases, misplaced: [MisplacedFile],
        luacheck: [LuacheckRemark], now: Instant
    ) {
        self.name = name
        let checked = files.map(CheckedFile.init)
        self.files = checked
        self.cases = cases
        self.misplaced = misplaced
        self.luacheck = luacheck
        self.now = now
        switch outcome {
        case .failed(let faults):
            self.faults = faults
            loaded = nil
        case .loaded(let app):
            faults = []
            let byPath = Dictionary(checked.map { ($0.path, $0) }) { first, _ in first }
            let rules = app.ruleset.rules.compactMap { rule in byPath[rule.file].map { CheckedRule(rule, in: $0) } }
            loaded = LoadedRules(ruleset: app.ruleset, warnings: app.warnings, rules: rules)
        }
    }

    /// What has been looked at, for tests: it must not grow faster than the app.
    var work = Work()

    struct Work {
        /// Two rules held against each other.
        var pairs = 0
        /// Rules looked at to find the one that an expression stands in.
        var spans = 0
    }

    private(set) lazy var related = RelatedRules(rules)
    private lazy var eventsByTable: [ObjectIdentifier: Set<EventName>] = rules.reduce(into: [:]) { events, rule in
        if let call = rule.call { events[ObjectIdentifier(call.table), default: []].formUnion(rule.rule.events) }
    }

    /// Rules that another one takes every effect from.
    private(set) lazy var shadows = Shadows.all(in: self)

    var manifest: Manifest? { loaded?.ruleset.manifest }
    /// None when the app does not load.
    var rules: [CheckedRule] { loaded?.rules ?? [] }
    var manifestFile: CheckedFile? { files.first { $0.kind == .manifest } }

    /// The files whose functions run: no manifest, no texts; of the modules that all apps share those that this one names.
    private(set) lazy var scripts: [CheckedFile] = {
        let used = Set(loaded?.ruleset.files.map(\.path) ?? [])
        return files.filter { $0.kind == .rules || $0.kind == .module || $0.kind == .shared && used.contains($0.path) }
    }()

    /// Something in a file, with the rule in whose table it stands.
    struct Found {
        let file: CheckedFile
        let rule: CheckedFile.RuleCall?
        let expression: LuaExpression
    }

    /// Every expression of the scripts.
    private(set) lazy var expressions: [Found] = expressions(in: scripts)

    func expressions(in files: [CheckedFile]) -> [Found] {
        files.flatMap { file in
            file.contents.expressions.map { expression in
                Found(file: file, rule: file.spans.rule(at: expression.offset, steps: &work.spans), expression: expression)
            }
        }
    }

    /// Calls of the host's functions, by what they are called as: "state.get".
    func calls(of names: Set<String>, in files: [CheckedFile]? = nil) -> [(
        file: CheckedFile, rule: CheckedFile.RuleCall?, name: String, call: LuaExpression
    )] {
        (files.map(expressions(in:)) ?? expressions).compactMap { found in
            if case .one = found.expression { return nil }
            guard let name = found.expression.calledName, names.contains(name) else { return nil }
            return (found.file, found.rule, name, found.expression)
        }
    }

    /// The events of the rule that is written there; all of them where that is not known.
    func events(of call: CheckedFile.RuleCall?, in file: CheckedFile) -> Set<EventName> {
        guard let call else { return Set(EventName.allCases) }
        if let events = eventsByTable[ObjectIdentifier(call.table)] { return events }
        let written = call.table.item("on").map { item in
            item.value.followed.table?.listed.map { $0.value.followed.text } ?? [item.value.followed.text]
        }
        let names = (written ?? []).map { $0.flatMap { EventName(rawValue: $0) } }
        return names.isEmpty || names.contains(nil) ? Set(EventName.allCases) : Set(names.compactMap { $0 })
    }
}

extension LuaTable {
    /// The place of the last thing in it.
    var lastOffset: Int {
        items.reduce(offset) { last, item in
            let inside = LuaContents(of: item.value)
            let gives = inside.statements.map { if case .give(_, let offset) = $0 { offset } else { 0 } }
            return max(last, inside.expressions.map(\.offset).max() ?? 0, gives.max() ?? 0)
        }
    }
}
