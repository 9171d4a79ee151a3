// A change of state that somebody wants by hand: what becomes of what is there, and what is to be told of it. The same for a store that no
// host has and for a host that runs; made by verbs and by routes, which have read and checked it.
public import EffectStore
public import PushMessage
public import RuleEngine
public import RuleStore

public struct StateWish: Sendable {
    public enum Kind: Sendable {
        /// JSON.
        case set(String, [UInt8])
        case delete(String)
        case `import`(AppState)
        case reset
    }

    public let kind: Kind
    /// nil: what the app shares, or everybody.
    public let recipient: String?

    public init(_ kind: Kind, of recipient: String?) {
        self.kind = kind
        self.recipient = recipient
    }

    /// Bytes of a key.
    public static let keyBytes = 1...128

    /// A word for the audit.
    public var action: String {
        switch kind {
        case .set: "state_set"
        case .delete: "state_delete"
        case .import: "state_import"
        case .reset: "state_reset"
        }
    }

    /// For the audit: what, and never the value.
    public var subject: String {
        let whose = recipient.map { "recipient \($0)" } ?? "app"
        return switch kind {
        case .set(let key, _), .delete(let key): "\(whose), key \(key)"
        case .import(let state): recipient == nil ? "\(state.recipients.count) recipients" : whose
        case .reset: recipient == nil ? "everything" : whose
        }
    }

    /// A value is looked at with its recipient alone; the others show what becomes of everybody.
    public var needsEverybody: Bool {
        switch kind {
        case .set, .delete: false
        case .import, .reset: recipient == nil
        }
    }

    private var isReset: Bool { if case .reset = kind { true } else { false } }

    /// What it comes to.
    public struct Outcome: Sendable {
        /// nil: it cannot be read, and is forgotten.
        public let before: AppState?
        public let after: AppState
        /// Those to requests with a key of their own that are forgotten.
        public let answers: Int
        /// What the store is to be told; empty: nothing changes.
        public let changes: [StateChange]

        /// - Parameter path: what the wish was read from.
        /// - Throws: when rules would have no room to write any more.
        public func check(path: String) throws(StoreFault) {
            try StateRoom.check(from: before ?? AppState(), to: after, path: path)
        }
    }

    public func outcome(of there: any StateReading, now: Instant) throws(EffectStoreFault) -> Outcome {
        let answers = isReset ? try there.answers(recipient: recipient) : 0
        var before: AppState?
        do throws(EffectStoreFault) {
            before = try state(of: there).kept(at: now)
        } catch {
            guard isReset, error.code == .damaged else { throw error }
        }
        return outcome(of: before, answers: answers, now: now)
    }

    /// - Parameter before: what there is and is not over at `now`; nil: it cannot be read.
    public func outcome(of before: AppState?, answers: Int, now: Instant) -> Outcome {
        let (after, changes) = apply(to: before ?? AppState(), now: now)
        let isNothing = before == after && answers == 0
        return Outcome(before: before, after: after, answers: answers, changes: isNothing ? [] : changes)
    }

    private func state(of there: any StateReading) throws(EffectStoreFault) -> AppState {
        if needsEverybody { return try there.everything() }
        var state = AppState()
        state.shared = try there.shared()
        if let recipient {
            let known = try there.recipient(recipient)
            if known != RecipientState() { state.recipients[recipient] = known }
        }
        return state
    }

    /// - Parameter before: what there is and is not over at `now`.
    private func apply(to before: AppState, now: Instant) -> (after: AppState, changes: [StateChange]) {
        switch kind {
        case .set(let key, let json): return put(StoredValue(json: json), at: key, in: before)
        case .delete(let key): return put(nil, at: key, in: before)
        case .import(let new): return take(new, into: before, now: now)
        case .reset:
            guard let recipient else { return (AppState(), [.everything]) }
            var after = before
            after.recipients[recipient] = nil
            return (after, [.recipient(recipient, nil)])
        }
    }

    private func put(_ value: StoredValue?, at key: String, in before: AppState) -> (AppState, [StateChange]) {
        var after = before
        guard let recipient else {
            after.shared[key] = value
            return (after, [.shared(after.shared)])
        }
        var state = before.recipients[recipient] ?? RecipientState()
        state.values[key] = value
        after.recipients[recipient] = state == RecipientState() ? nil : state
        return (after, [.recipient(recipient, state)])
    }

    private func take(_ new: AppState, into before: AppState, now: Instant) -> (AppState, [StateChange]) {
        var after = before
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
    }
}

extension RuleHost {
    /// Does it, or only tells what it would come to, between two messages of the app.
    /// - Parameter done: called once, on a thread of the host.
    public func change(
        app: String, by wish: StateWish, isDry: Bool, _ deed: Deed,
        _ done: @escaping @Sendable (Result<StateWish.Outcome, HostProblem>) -> Void
    ) {
        between(messagesOf: app, refuse: { done(.failure(.closing)) }) { keeping in
            let outcome = Monitor<StateWish.Outcome?>(nil)
            let refusal = Monitor<StoreFault?>(nil)
            do throws(EffectStoreFault) {
                let body: @Sendable (any StateReading) throws(EffectStoreFault) -> [StateChange] = { there throws(EffectStoreFault) in
                    let found = try wish.outcome(of: there, now: deed.at)
                    outcome.withLock { $0 = found }
                    do throws(StoreFault) {
                        try found.check(path: "the body")
                    } catch {
                        refusal.withLock { $0 = error }
                        return []
                    }
                    return isDry ? [] : found.changes
                }
                if wish.needsEverybody {
                    try keeping.editEverything(app: app, deed, action: wish.action, subject: wish.subject, body)
                } else {
                    try keeping.edit(app: app, deed, action: wish.action, subject: wish.subject, body)
                }
            } catch {
                return EditQueue.Done(changes: nil) { done(.failure(HostProblem(error))) }
            }
            if let refusal = refusal.withLock({ $0 }) {
                return EditQueue.Done(changes: []) { done(.failure(HostProblem(refusal, in: wish))) }
            }
            guard let outcome = outcome.withLock({ $0 }) else { return EditQueue.Done(changes: nil) { done(.failure(.closing)) } }
            return EditQueue.Done(changes: isDry ? [] : outcome.changes) { done(.success(outcome)) }
        }
    }

    /// Everything that an app remembers, as it is after everything that was handed to the store.
    public func everything(app: String, _ done: @escaping @Sendable (Result<AppState, HostProblem>) -> Void) {
        let keeping = keeping
        library.run(for: app) { _ in
            do throws(EffectStoreFault) {
                done(.success(try keeping.everything(app: app)))
            } catch {
                done(.failure(HostProblem(error)))
            }
        }
    }
}

extension HostProblem {
    /// The body is a state file, or one value of one.
    fileprivate init(_ fault: StoreFault, in wish: StateWish) {
        let isFile = if case .import = wish.kind { true } else { false }
        self.init(code: fault.code.rawValue, status: 422, detail: fault.message, hint: fault.hint, pointer: isFile ? fault.pointer : "")
    }
}
