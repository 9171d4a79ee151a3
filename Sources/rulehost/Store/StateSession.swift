// What `rulehost state` is asked, and what it does: a look at one app's state in a store, or a change of it that stands in the
// audit. Changes are worked out on the whole state first, so that a dry run shows what the other one does.
import EffectStore
import JSONDocument
import PushMessage
import RuleEngine
import RuleStore

struct StateSession {
    enum Action: String, CaseIterable { case get, set, delete, export, `import`, reset }

    private let action: Action
    private let words: [String]
    private let place: StorePlace
    private let arguments: Arguments
    private let console: Console
    private var recipient: String? { arguments[.recipient] }

    init(_ arguments: Arguments, _ console: Console) throws(CommandFault) {
        self.arguments = arguments
        self.console = console
        let names = Action.allCases.map(\.rawValue).joined(separator: ", ")
        guard let word = arguments.operands.first else { throw .missingOperand(verb: "state", operands: "what to do: one of \(names)") }
        guard let action = Action(rawValue: word) else { throw .unexpectedOperand(word, verb: "state") }
        self.action = action
        words = Array(arguments.operands.dropFirst())
        let (least, most, wanted) = action.words
        guard words.count >= least else { throw .missingOperand(verb: "state", operands: "\(wanted) after `\(word)`") }
        guard words.count <= most else { throw .unexpectedOperand(words[most], verb: "state") }
        place = try StorePlace.needed(by: "state", arguments)
    }

    func run() throws(CommandFault) -> ExitCode {
        switch action {
        case .get: return try get()
        case .export:
            return try export()
        case .set, .delete, .import, .reset: return try change()
        }
    }

    // MARK: looking

    private func get() throws(CommandFault) -> ExitCode {
        let view = try place.view()
        guard let app = try app(in: view) else { return .no }
        let now = SystemClock.now()
        let state = try StorePlace.ask { () throws(EffectStoreFault) in try view.state(app: app, recipient: recipient ?? "") }.kept(at: now)
        guard let key = words.first else {
            write(try StateSession.json(of: state, recipient: recipient))
            return .done
        }
        let values = recipient.map { state.recipients[$0]?.values ?? [:] } ?? state.shared
        guard let value = values[key] else {
            if !console.isQuiet { console.warn("nothing is stored under \"\(key.printable)\"") }
            return .no
        }
        write(value.json)
        return .done
    }

    private func export() throws(CommandFault) -> ExitCode {
        let view = try place.view()
        guard let app = try app(in: view) else { return .no }
        let state = try StorePlace.ask { () throws(EffectStoreFault) in try StateSession.state(of: app, recipient, in: view) }
        let bytes = StateWriter.file(state.kept(at: SystemClock.now()))
        guard bytes.count <= StateFile.largestImport else {
            throw .stateNotWritten(
                path: "standard output",
                reason: "it would have \(bytes.count) bytes, and an import takes \(StateFile.largestImport): name a --recipient")
        }
        console.write(bytes)
        return .done
    }

    /// With a recipient of that one only, without what the app shares.
    private static func state(of app: String, _ recipient: String?, in view: StoreView) throws(EffectStoreFault) -> AppState {
        guard let recipient else { return try view.everything(app: app) }
        var state = try view.state(app: app, recipient: recipient)
        state.shared = [:]
        return state
    }

    /// The part of a state file that is asked for.
    private static func json(of state: AppState, recipient: String?) throws(CommandFault) -> [UInt8] {
        let document = JSONDocument()
        let file = StateWriter.file(state)
        do throws(JSONFault) {
            try document.read(file, limit: file.count, depth: 128)
        } catch {
            throw .internalFault("the state was written wrongly: \(error.code.rawValue)")
        }
        var part = document.root?["app"]
        if let recipient { part = document.root?["recipients"]?.children.first { $0.key.string.isExactly(recipient) } }
        guard let part else { return Array("{}".utf8) }
        var writer = JSONWriter()
        writer.value(part)
        return writer.bytes
    }

    /// The app that is named, or the only one; nil: the store knows nothing of it, and that has been said.
    /// - Parameter mayBeNew: something is to be kept for it.
    private func app(in view: StoreView?, mayBeNew: Bool = false) throws(CommandFault) -> String? {
        var apps: [String] = []
        if let view { apps = try StorePlace.ask { () throws(EffectStoreFault) in try view.apps() } }
        let known = apps.prefix(20).joined(separator: ", ")
        guard let app = arguments[.app] else {
            if apps.count == 1 { return apps[0] }
            if !apps.isEmpty || mayBeNew {
                throw .missingOperand(verb: "state", operands: apps.isEmpty ? "--app APP" : "--app with one of: \(known)")
            }
            if !console.isQuiet { console.warn("nothing is known of any app") }
            return nil
        }
        if apps.contains(app) { return app }
        guard mayBeNew else {
            let advice = NearestName.of(app, among: apps).map { "; did you mean \($0)?" } ?? (apps.isEmpty ? "" : "; known: \(known)")
            if !console.isQuiet { console.warn("nothing is known of the app `\(app)`\(advice)") }
            return nil
        }
        guard RulesFolder.isAppName(app) else {
            throw .invalidValue(
                flag: Flag.app.name, value: app, expected: "the name of an app: small letters, digits and hyphens, at most 63",
                suggestion: nil)
        }
        return app
    }

    private func write(_ json: [UInt8]) { console.write(JSONLayout.document(json)) }

    // MARK: changing

    private func change() throws(CommandFault) -> ExitCode {
        let wanted = try ChangeWanted(action, words, recipient: recipient)
        let deed = try Deed(arguments)
        let isDry = arguments.has(.dryRun)
        let store = isDry ? nil : try place.host()
        defer { store?.close() }
        var view = store?.view
        if isDry { view = try viewIfThere() }
        guard let app = try app(in: view, mayBeNew: action == .set || action == .import) else { return .no }
        let (before, answers) = try view.map { (view) throws(CommandFault) in try known(of: app, wanted, in: view) } ?? (AppState(), 0)
        let (after, changes) = wanted.apply(to: before ?? AppState(), now: deed.at)
        let report = StateReport(
            app: app, recipient: recipient, isDry: isDry, difference: try StateDifference(from: before ?? AppState(), to: after),
            isUnreadable: before == nil, answers: answers)
        if let store, !report.isEmpty {
            let action = "state_\(action.rawValue)"
            try StorePlace.ask { () throws(EffectStoreFault) in
                try store.change(changes, app: app, deed, action: action, subject: wanted.subject)
            }
        }
        report.tell(console, arguments.format)
        return .done
    }

    /// What there is, nil: a part of it cannot be read, and is to be forgotten; and how many answers would be forgotten with it.
    private func known(
        of app: String, _ wanted: ChangeWanted, in view: StoreView
    ) throws(CommandFault) -> (state: AppState?, answers: Int) {
        do throws(EffectStoreFault) {
            let answers = action == .reset ? try view.answers(app: app, recipient: recipient) : 0
            do throws(EffectStoreFault) {
                let state = wanted.needsEverybody ? try view.everything(app: app) : try view.state(app: app, recipient: recipient ?? "")
                return (state.kept(at: SystemClock.now()), answers)
            } catch {
                guard action == .reset, error.code == .damaged else { throw error }
                return (nil, answers)
            }
        } catch {
            throw .effectStore(error)
        }
    }

    private func viewIfThere() throws(CommandFault) -> StoreView? {
        do throws(EffectStoreFault) {
            return try StoreView(place.path)
        } catch {
            if error.code == .missing { return nil }
            throw .effectStore(error)
        }
    }
}

extension StateSession.Action {
    /// How many words follow, and what is missing when there are fewer.
    fileprivate var words: (least: Int, most: Int, wanted: String) {
        switch self {
        case .get: (0, 1, "")
        case .set: (2, 2, "a key and a value, which is JSON")
        case .delete: (1, 1, "a key")
        case .export, .reset: (0, 0, "")
        case .import: (1, 1, "a state file, or - for standard input")
        }
    }
}
