// Commits become rows: one transaction for all that wait, in the order in which they came. Called on the writer's thread,
// which is the only one that numbers rows of the journal.
import PushMessage
import RuleEngine

struct GroupWriting {
    private let connection: Connection
    /// Of the next row; numbers rise for ever, also when all rows are folded.
    private var next: Int64
    /// Rows that are not folded yet.
    var backlog: Int
    private(set) var outbox: OutboxWriting
    /// Whether the last group had anything to write.
    private(set) var isWritten = false

    init(_ connection: Connection, _ bounds: OutboxBounds) throws(EffectStoreFault) {
        self.connection = connection
        outbox = try OutboxWriting(connection, bounds)
        let folded = try connection.integer("SELECT value FROM meta WHERE key = 'folded'") ?? 0
        let newest = try connection.integer("SELECT max(seq) FROM journal") ?? 0
        next = max(folded, newest) + 1
        backlog = Int(try connection.integer("SELECT count(*) FROM journal") ?? 0)
    }

    /// All of them are kept but those whose chain is broken, or a fault is thrown and none is.
    mutating func write(_ commits: ArraySlice<Commit>, now: Instant) throws(EffectStoreFault) -> [Result<CommitOutcome, EffectStoreFault>] {
        let (before, backlogBefore, outboxBefore) = (next, backlog, outbox)
        isWritten = false
        do throws(EffectStoreFault) {
            return try connection.transaction { () throws(EffectStoreFault) in
                var outcomes: [Result<CommitOutcome, EffectStoreFault>] = []
                outcomes.reserveCapacity(commits.count)
                for commit in commits {
                    if let fault = commit.chain?.broken {
                        outcomes.append(.failure(fault))
                    } else {
                        outcomes.append(.success(try write(commit, now: now)))
                    }
                }
                return outcomes
            }
        } catch {
            (next, backlog, outbox) = (before, backlogBefore, outboxBefore)
            throw error
        }
    }

    private mutating func write(_ commit: Commit, now: Instant) throws(EffectStoreFault) -> CommitOutcome {
        if let answer = commit.answer {
            let known = try StoredAnswers.answer(app: commit.app, token: answer.token, key: answer.key, now: now, in: connection)
            if let known {
                commit.chain?.breakOff(.failed(connection.path, "what it builds on has been answered before"))
                return .answeredBefore(known)
            }
            isWritten = true
            try StoredAnswers.keep(answer, app: commit.app, recipient: commit.recipient, now: now, in: connection)
        }
        if let post = commit.post {
            isWritten = true
            try outbox.add(post, app: commit.app, recipient: commit.recipient, now: now, in: connection)
        }
        guard !commit.effects.isEmpty else { return .kept }
        isWritten = true
        try connection.run(
            "INSERT INTO journal (seq, app, recipient, shares, format, effects) VALUES (?, ?, ?, ?, ?, ?)",
            [
                .integer(next), .text(commit.app), .text(commit.recipient), .integer(commit.shares ? 1 : 0),
                .integer(Int64(KeptBytes.format)), .bytes(commit.effects),
            ])
        next += 1
        backlog += 1
        for change in commit.due { try StoredDue.apply(change, app: commit.app, recipient: commit.recipient, in: connection) }
        return .kept
    }
}
