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
            console.write(StateWriter.file(try known()))
            return .done
        case .set, .delete, .import, .reset: return try change()
        }
    }

    // MARK: looking

    private func get() throws(CommandFault) -> ExitCode {
        let view = try place.view()
        let app = try app(in: view)
        let state = try StorePlace.ask { () throws(EffectStoreFault) in try view.state(app: app, recipient: recipient ?? "") }
        guard let key = words.first else {
            write(try StateSession.json(of: state, recipient: recipient))
            return .done
        }
        let values = recipient.map { state.recipients[$0]?.values ?? [:] } ?? state.shared
        guard let value = values[key], value.expiresAt.map({ SystemClock.now() < $0 }) ?? true else {
            if !console.isQuiet { console.warn("nothing is stored under \"\(key.printable)\"") }
            return .no
        }
        write(value.json)
        return .done
    }

    private func known() throws(CommandFault) -> AppState {
        let view = try place.view()
        let app = try app(in: view)
        return try StorePlace.ask { () throws(EffectStoreFault) in try StateSession.state(of: app, recipient, in: view) }
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

    /// The app that is named, or the only one.
    /// - Parameter mayBeNew: an app that nothing is known of is no fault.
    private func app(in view: StoreView?, mayBeNew: Bool = false) throws(CommandFault) -> String {
        var apps: [String] = []
        if let view { apps = try StorePlace.ask { () throws(EffectStoreFault) in try view.apps() } }
        guard let app = arguments[.app] else {
            guard apps.count == 1 else {
                throw .missingOperand(
                    verb: "state",
                    operands: apps.isEmpty ? "--app APP" : "--app with one of: \(apps.prefix(20).joined(separator: ", "))")
            }
            return apps[0]
        }
        guard mayBeNew || apps.contains(app) else {
            throw .invalidValue(
                flag: Flag.app.name, value: app,
                expected: apps.isEmpty ? "an app that the store knows; it knows none" : "one of \(apps.prefix(20).joined(separator: ", "))",
                suggestion: NearestName.of(app, among: apps))
        }
        return app
    }

    private func write(_ json: [UInt8]) { console.write(JSONLayout.document(json)) }

    // MARK: changing

    private func change() throws(CommandFault) -> ExitCode {
        let wanted = try ChangeWanted(action, words, recipient: recipient)
        let isDry = arguments.has(.dryRun)
        let store = isDry ? nil : try place.host()
        defer { store?.close() }
        var view = store?.view
        if isDry { view = try viewIfThere() }
        let app = try app(in: view, mayBeNew: action == .set || action == .import)
        var before = AppState()
        if let view {
            before = try StorePlace.ask { () throws(EffectStoreFault) in
                wanted.needsEverybody ? try view.everything(app: app) : try view.state(app: app, recipient: recipient ?? "")
            }
        }
        let (after, changes) = wanted.apply(to: before)
        let difference = StateDifference(from: before, to: after)
        if let store, !difference.changes.isEmpty {
            let (action, deed) = ("state_\(action.rawValue)", Deed(arguments))
            try StorePlace.ask { () throws(EffectStoreFault) in
                try store.change(changes, app: app, deed, action: action, subject: wanted.subject)
            }
        }
        tell(difference, of: app, isDry: isDry)
        return .done
    }

    private func viewIfThere() throws(CommandFault) -> StoreView? {
        do throws(EffectStoreFault) {
            return try StoreView(place.path)
        } catch {
            if error.code == .missing { return nil }
            throw .effectStore(error)
        }
    }

    private func tell(_ difference: StateDifference, of app: String, isDry: Bool) {
        if arguments.format == .json {
            var writer = JSONWriter()
            writer.beginObject()
            writer.key("app")
            writer.string(app)
            writer.key("dry_run")
            writer.bool(isDry)
            writer.key("changes")
            difference.write(to: &writer)
            writer.endObject()
            return write(writer.bytes)
        }
        let count = difference.changes.count
        guard count > 0 else { return console.write("nothing changes\n") }
        let words = count == 1 ? "1 value" : "\(Figures.grouped(count)) values"
        console.write("\(app.printable): \(words) \(isDry ? "would change; nothing was written" : "changed")\n")
        for line in difference.lines(console.ink) { console.write(line + "\n") }
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
