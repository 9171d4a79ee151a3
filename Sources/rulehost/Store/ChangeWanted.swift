// A change of state that somebody wants, read and checked before a store is opened: what becomes of a state, and what the
// store is to be told. Made and used by StateSession.
import EffectStore
import JSONDocument
import PushMessage
import RuleEngine
import RuleStore

struct ChangeWanted {
    private enum Kind {
        /// nil: it goes.
        case value(String, [UInt8]?)
        case state(AppState)
        case reset
    }

    private let kind: Kind
    /// nil: what the app shares, or everybody.
    let recipient: String?

    private static let keyBytes = 1...128

    init(_ action: StateSession.Action, _ words: [String], recipient: String?) throws(CommandFault) {
        self.recipient = recipient
        switch action {
        case .set: kind = .value(try ChangeWanted.key(words[0]), try ChangeWanted.value(words[1]))
        case .delete: kind = .value(try ChangeWanted.key(words[0]), nil)
        case .import: kind = .state(try ChangeWanted.file(words[0], recipient))
        case .reset, .get, .export: kind = .reset
        }
    }

    private static func key(_ key: String) throws(CommandFault) -> String {
        guard keyBytes.contains(key.utf8.count) else { throw .missingOperand(verb: "state", operands: "a key of 1 to 128 bytes") }
        return key
    }

    private static func value(_ text: String) throws(CommandFault) -> [UInt8] {
        let document = JSONDocument()
        let bytes = Array(text.utf8)
        do throws(JSONFault) {
            try document.read(bytes, limit: .max)
        } catch {
            throw .unreadableJSON(source: "VALUE", text: bytes, error)
        }
        guard let root = document.root, !root.isNull else {
            throw .missingOperand(verb: "state", operands: "a value that is not null; `state delete` takes a key away")
        }
        do throws(StoreFault) {
            return try StateFile.value(root, in: bytes, path: "VALUE")
        } catch {
            throw .store(error)
        }
    }

    private static func file(_ word: String, _ recipient: String?) throws(CommandFault) -> AppState {
        let given = word == "-" ? try InputSource.standardInput.bytes(limit: StateFile.largestImport) : nil
        do throws(StoreFault) {
            var state: AppState
            if let given {
                state = try StateFile.parse(given, path: InputSource.standardInput.name, limit: StateFile.largestImport)
            } else {
                state = try StateFile.read(
                    word, limit: StateFile.largestImport, ifMissing: "name a file as `rulehost state export` writes it")
            }
            if let recipient {
                state.shared = [:]
                state.recipients = state.recipients.filter { $0.key.isExactly(recipient) }
            }
            return state
        } catch {
            throw .store(error)
        }
    }

    /// A value is looked at with its recipient alone; the others show what becomes of everybody.
    var needsEverybody: Bool {
        if case .value = kind { false } else { recipient == nil }
    }

    /// For the audit: what, and never the value.
    var subject: String {
        let whose = recipient.map { "recipient \($0)" } ?? "app"
        return switch kind {
        case .value(let key, _): "\(whose), key \(key)"
        case .state(let state): recipient == nil ? "\(state.recipients.count) recipients" : whose
        case .reset: recipient == nil ? "everything" : whose
        }
    }

    /// - Parameter before: what there is and is not over at `now`.
    /// - Returns: what is kept then, and what the store is to be told.
    func apply(to before: AppState, now: Instant) -> (after: AppState, changes: [StateChange]) {
        var after = before
        switch kind {
        case .value(let key, let json):
            let value = json.map { StoredValue(json: $0) }
            guard let recipient else {
                after.shared[key] = value
                return (after, [.shared(after.shared)])
            }
            var state = before.recipients[recipient] ?? RecipientState()
            state.values[key] = value
            after.recipients[recipient] = state == RecipientState() ? nil : state
            return (after, [.recipient(recipient, state)])
        case .state(let new):
            var changes: [StateChange] = []
            let kept = new.kept(at: now)
            if !new.shared.isEmpty {
                after.shared = kept.shared
                changes.append(.shared(new.shared))
            }
            for (id, state) in new.recipients.inOrder where before.recipients[id] != kept.recipients[id] {
                after.recipients[id] = kept.recipients[id]
                changes.append(.recipient(id, state))
            }
            return (after, changes)
        case .reset:
            guard let recipient else { return (AppState(), [.everything]) }
            after.recipients[recipient] = nil
            return (after, [.recipient(recipient, nil)])
        }
    }
}
