// What people do with versions of a running host, and with what it remembers. Each is done in its turn beside other work on the app, on
// a thread of the host, and told when it is kept and in force.
public import EffectStore
public import RuleEngine

extension RuleHost {
    /// The file of what it remembers; nil: it keeps nothing.
    public var storePath: String? { keeping.path }

    // MARK: versions

    /// The newest first.
    /// - Parameter app: nil: of all apps.
    public func versions(of app: String?) throws(HostProblem) -> [StoredVersion] {
        do throws(EffectStoreFault) { return try keeping.versions(of: app) } catch { throw HostProblem(error) }
    }

    /// The newest first.
    public func audit(newest count: Int, of app: String?) throws(HostProblem) -> [AuditEntry] {
        do throws(EffectStoreFault) { return try keeping.audit(newest: count, of: app) } catch { throw HostProblem(error) }
    }

    /// - Parameters:
    ///   - new: its first digits are enough.
    ///   - old: nil: the one that was kept before it.
    public func change(app: String, of new: String, from old: String? = nil) throws(HostProblem) -> VersionChange {
        try library.desk.change(app: app, of: new, from: old)
    }

    /// What a version consists of, shared modules that it uses included.
    /// - Parameter hash: its first digits are enough.
    public func files(app: String, ofVersion hash: String) throws(HostProblem) -> (hash: String, files: [SourceFile]) {
        try library.desk.files(app: app, hash: hash)
    }

    /// - Parameters:
    ///   - stage: nil: the one that the host serves.
    ///   - percent: nil: for all recipients.
    ///   - done: with what is in force in this host afterwards.
    public func promote(
        app: String, hash: String, to stage: String? = nil, percent: Int? = nil, _ deed: Deed,
        _ done: @escaping @Sendable (Result<AppInfo, HostProblem>) -> Void
    ) {
        library.stage(of: app, stage, done) { (library, stage) throws(HostProblem) in
            try library.desk.promote(app: app, hash: hash, to: stage, percent: percent, deed)
        }
    }

    /// Goes back to the version before.
    public func rollback(
        app: String, stage: String? = nil, _ deed: Deed, _ done: @escaping @Sendable (Result<AppInfo, HostProblem>) -> Void
    ) {
        library.stage(of: app, stage, done) { (library, stage) throws(HostProblem) in
            try library.desk.rollback(app: app, stage: stage, deed)
        }
    }

    // MARK: state

    /// What is remembered of a recipient and what the app shares, as it is after everything that was decided.
    public func state(
        app: String, recipient: String, _ done: @escaping @Sendable (Result<AppState, HostProblem>) -> Void
    ) {
        shard(of: app).queue.signal(
            .task { shard in
                let memory = shard.seat(of: app).memory
                do throws(HostProblem) {
                    try memory.open(recipient)
                    done(.success(memory.state(of: recipient)))
                } catch {
                    done(.failure(error))
                }
            })
    }

    /// Changes state by hand, between two messages of the app, with a line in the audit.
    /// - Parameters:
    ///   - action: a word for the audit; `subject`: what is changed, without the value.
    ///   - edit: is given what is remembered of the recipient and what the app shares; on a thread of the host.
    public func edit(
        app: String, recipient: String, _ deed: Deed, action: String, subject: String,
        _ edit: @escaping @Sendable (inout RecipientState, inout ExactTable<StoredValue>) throws(HostProblem) -> Void,
        _ done: @escaping @Sendable (Result<AppState, HostProblem>) -> Void
    ) {
        between(messagesOf: app, refuse: { done(.failure(.closing)) }) { keeping in
            let (result, changes) = StateEdit.carryOut(app, recipient, deed, action: action, subject: subject, in: keeping, edit)
            return EditQueue.Done(changes: changes) { done(result) }
        }
    }

    /// Does something with what is kept while the app's requests wait, on a thread of the host; what it may have changed is read again
    /// afterwards.
    /// - Parameter refuse: called instead, at once, when the host has ended.
    func between(
        messagesOf app: String, refuse: @escaping @Sendable () -> Void,
        _ deed: @escaping @Sendable (any HostKeeping) -> EditQueue.Done
    ) {
        shard(of: app).edits.add(EditQueue.Edit(app: app, deed: deed, refuse: refuse))
    }

    /// Messages of an app that are held back until a moment: those that come next.
    public func deferred(of app: String, first count: Int) throws(HostProblem) -> [DueMessage] {
        do throws(EffectStoreFault) { return try keeping.due(of: app, first: count) } catch { throw HostProblem(error) }
    }
}

/// One change of state by hand.
enum StateEdit {
    static func carryOut(
        _ app: String, _ recipient: String, _ deed: Deed, action: String, subject: String, in keeping: any HostKeeping,
        _ edit: @escaping @Sendable (inout RecipientState, inout ExactTable<StoredValue>) throws(HostProblem) -> Void
    ) -> (Result<AppState, HostProblem>, changes: [StateChange]?) {
        let outcome = Monitor<(Result<AppState, HostProblem>, changes: [StateChange]?)>((.failure(.closing), nil))
        do throws(EffectStoreFault) {
            try keeping.edit(app: app, deed, action: action, subject: subject) { (there) throws(EffectStoreFault) in
                let (known, shared) = (try there.recipient(recipient), try there.shared())
                var (newKnown, newShared) = (known, shared)
                do throws(HostProblem) {
                    try edit(&newKnown, &newShared)
                } catch {
                    outcome.withLock { $0 = (.failure(error), []) }
                    return []
                }
                var state = AppState()
                state.shared = newShared
                state.recipients[recipient] = newKnown
                var changes: [StateChange] = []
                if newKnown != known { changes.append(.recipient(recipient, newKnown == RecipientState() ? nil : newKnown)) }
                if newShared != shared { changes.append(.shared(newShared)) }
                outcome.withLock { [state, changes] in $0 = (.success(state), changes) }
                return changes
            }
            return outcome.withLock { $0 }
        } catch {
            return (.failure(HostProblem(error)), nil)
        }
    }
}
