// What `rulehost state` is asked, and what it does: a look at one app's state in a store or of a host that runs, or a change of it that
// stands in the audit. Changes are worked out on the whole state first, so that a dry run shows what the other one does.
import EffectStore
import JSONDocument
import PushMessage
import RuleEngine
import RuleHosting
import RuleStore

struct StateSession {
    enum Action: String, CaseIterable { case get, set, delete, export, `import`, reset }

    private let action: Action
    private let words: [String]
    private let place: WorkPlace
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
        place = try WorkPlace.needed(by: "state", arguments)
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
        guard let state = try known() else { return .no }
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

    /// Of the recipient, or what the app shares; nil: nothing is known of the app, and that has been said.
    private func known() throws(CommandFault) -> AppState? {
        let now = SystemClock.now()
        switch place {
        case .host(let host): return try remote(host).get().kept(at: now)
        case .store(let place):
            let view = try place.view()
            guard let app = try app(in: view) else { return nil }
            return try StorePlace.ask { () throws(EffectStoreFault) in try view.state(app: app, recipient: recipient ?? "") }.kept(at: now)
        }
    }

    private func remote(_ host: RemoteHost) throws(CommandFault) -> RemoteState {
        if let app = arguments[.app] { return RemoteState(host: host, app: app, recipient: recipient) }
        let apps = try host.apps()
        guard apps.count == 1 else {
            throw .missingOperand(
                verb: "state", operands: apps.isEmpty ? "--app APP" : "--app with one of: \(apps.prefix(20).joined(separator: ", "))")
        }
        return RemoteState(host: host, app: apps[0], recipient: recipient)
    }

    private func export() throws(CommandFault) -> ExitCode {
        let state: AppState
        switch place {
        case .host(let host): state = try remote(host).export()
        case .store(let place):
            let view = try place.view()
            guard let app = try app(in: view) else { return .no }
            state = try StorePlace.ask { () throws(EffectStoreFault) in try StateSession.state(of: app, recipient, in: view) }
        }
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
        let wish = try ChangeWanted.wish(action, words, recipient: recipient)
        let deed = try Deed(arguments)
        let report: StateReport?
        switch place {
        case .host(let host):
            try host.refuse(.who, arguments)
            report = try remote(host).change(wish, isDry: arguments.has(.dryRun), why: deed.why)
        case .store(let place): report = try change(wish, deed, in: place)
        }
        guard let report else { return .no }
        report.tell(console, arguments.format)
        return .done
    }

    /// nil: nothing is known of the app, and that has been said.
    private func change(_ wish: StateWish, _ deed: Deed, in place: StorePlace) throws(CommandFault) -> StateReport? {
        let isDry = arguments.has(.dryRun)
        let store = isDry ? nil : try place.host()
        defer { store?.close() }
        var view = store?.view
        if isDry { view = try viewIfThere(place) }
        guard let app = try app(in: view, mayBeNew: action == .set || action == .import) else { return nil }
        let (before, answers) = try view.map { (view) throws(CommandFault) in try known(of: app, wish, in: view) } ?? (AppState(), 0)
        let outcome = wish.outcome(of: before, answers: answers, now: deed.at)
        do throws(StoreFault) {
            try outcome.check(path: action == .set ? "VALUE" : words.first.map { $0 == "-" ? InputSource.standardInput.name : $0 } ?? "")
        } catch {
            throw .store(error)
        }
        let report = StateReport(
            app: app, recipient: recipient, isDry: isDry, difference: StateDifference(from: before ?? AppState(), to: outcome.after),
            isUnreadable: before == nil, answers: answers)
        if let store, !report.isEmpty {
            try StorePlace.ask { () throws(EffectStoreFault) in
                try store.change(outcome.changes, app: app, deed, action: wish.action, subject: wish.subject)
            }
        }
        return report
    }

    /// What there is, nil: a part of it cannot be read, and is to be forgotten; and how many answers would be forgotten with it.
    private func known(
        of app: String, _ wish: StateWish, in view: StoreView
    ) throws(CommandFault) -> (state: AppState?, answers: Int) {
        do throws(EffectStoreFault) {
            let answers = action == .reset ? try view.answers(app: app, recipient: recipient) : 0
            do throws(EffectStoreFault) {
                let state = wish.needsEverybody ? try view.everything(app: app) : try view.state(app: app, recipient: recipient ?? "")
                return (state.kept(at: SystemClock.now()), answers)
            } catch {
                guard action == .reset, error.code == .damaged else { throw error }
                return (nil, answers)
            }
        } catch {
            throw .effectStore(error)
        }
    }

    private func viewIfThere(_ place: StorePlace) throws(CommandFault) -> StoreView? {
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
