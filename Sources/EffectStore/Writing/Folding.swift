// The oldest rows of the journal become part of the keyed rows of their recipients and apps, and leave the journal. A bounded
// number at a time, all or nothing. Called by Housekeeping on the writer's thread; the state that is read is the same before
// and after. What cannot be read stays, with what has come after it for the same recipient or app.
import PushMessage
import RuleEngine

struct Folding {
    private struct Person {
        let app: String
        let id: String
        var dedupe: Int64
    }

    /// What is left of a row of which only a part could be folded.
    private struct Rest {
        let number: Int64
        let effects: [Effect]
        let shares: Bool
    }

    private let connection: Connection
    private var unreadable: UnreadableParts
    private var apps = ExactTable<AppState>()
    private var people = ExactTable<Person>()
    private var sharing = ExactTable<Bool>()
    private var gone: [Int64] = []
    private var rests: [Rest] = []
    private var last: Int64 = 0
    private var count = 0

    private init(_ connection: Connection, _ unreadable: UnreadableParts) {
        self.connection = connection
        self.unreadable = unreadable
    }

    /// Rows that were looked at; fewer than were asked for when there are no more.
    /// - Parameter place: up to which rows were looked at before; what is there still cannot be folded.
    static func fold(
        _ connection: Connection, after place: inout Int64, atMost most: Int, now: Instant, _ unreadable: inout UnreadableParts
    ) throws(EffectStoreFault) -> Int {
        let start = place
        var folding = Folding(connection, unreadable)
        try connection.transaction { () throws(EffectStoreFault) in
            try connection.rows(
                "SELECT seq, app, recipient, shares, format, effects FROM journal WHERE seq > ? ORDER BY seq LIMIT ?",
                [.integer(start), .integer(Int64(most))]
            ) { (row) throws(EffectStoreFault) in try folding.take(row) }
            if folding.count > 0 { try folding.write(after: start, now: now) }
        }
        unreadable = folding.unreadable
        if folding.count > 0 { place = folding.last }
        return folding.count
    }

    // MARK: reading

    private mutating func take(_ row: Row) throws(EffectStoreFault) {
        let (number, app, id, shares) = (row.integer(0), row.text(1), row.text(2), row.integer(3) != 0)
        last = number
        count += 1
        let takesPerson = try hasPerson(id, of: app)
        let takesShared = shares ? try hasShared(of: app) : false
        guard takesPerson || takesShared else { return }
        let effects = try UnreadableParts.read { () throws(EffectStoreFault) in
            try StoredBytes.effects(row, format: 4, 5, of: StoredBytes.Owner(app: app, recipient: id), connection)
        } else: {
            unreadable.add(recipient: id, of: app)
            if shares { unreadable.addShared(of: app) }
        }
        guard let effects else { return }
        let folded = takesPerson && (takesShared || !shares) ? effects : effects.filter { $0.isOfApp ? takesShared : takesPerson }
        if folded.count == effects.count {
            gone.append(number)
        } else {
            rests.append(
                Rest(number: number, effects: effects.filter { $0.isOfApp ? !takesShared : !takesPerson }, shares: !takesShared))
        }
        apps[app, default: AppState()].apply(folded, recipient: id)
        let key = "\(app)/\(id)"
        let windows = folded.compactMap { if case .sawMessage(let mark) = $0 { mark.window } else { nil } }
        if let window = windows.max(), let known = people[key]?.dedupe { people[key]?.dedupe = max(known, window) }
    }

    private mutating func hasPerson(_ id: String, of app: String) throws(EffectStoreFault) -> Bool {
        if unreadable.hasRecipient(id, of: app) { return false }
        let key = "\(app)/\(id)"
        if people[key] != nil { return true }
        let known = try UnreadableParts.read { () throws(EffectStoreFault) in
            try StoredState.keyed(app: app, recipient: id, in: connection)
        } else: {
            unreadable.add(recipient: id, of: app)
        }
        guard let known else { return false }
        people[key] = Person(app: app, id: id, dedupe: known.dedupe)
        apps[app, default: AppState()].recipients[id] = known.state
        return true
    }

    private mutating func hasShared(of app: String) throws(EffectStoreFault) -> Bool {
        if unreadable.hasShared(of: app) { return false }
        if sharing[app] != nil { return true }
        let known = try UnreadableParts.read { () throws(EffectStoreFault) in
            try StoredState.keyedShared(app: app, in: connection)
        } else: {
            unreadable.addShared(of: app)
        }
        guard let known else { return false }
        sharing[app] = true
        apps[app, default: AppState()].shared = known
        return true
    }

    // MARK: writing

    private func write(after place: Int64, now: Instant) throws(EffectStoreFault) {
        for (_, person) in people {
            let state = apps[person.app]?.recipients[person.id] ?? RecipientState()
            try StoredState.write(state, dedupe: person.dedupe, app: person.app, recipient: person.id, now: now, in: connection)
        }
        for (app, _) in sharing { try StoredState.write(apps[app]?.shared ?? [:], app: app, now: now, in: connection) }
        // Before rows leave: numbers rise for ever.
        try ReplacedRows.keepNumbers(in: connection)
        if gone.count == count {
            try connection.run("DELETE FROM journal WHERE seq > ? AND seq <= ?", [.integer(place), .integer(last)])
        } else {
            for number in gone { try connection.run("DELETE FROM journal WHERE seq = ?", [.integer(number)]) }
            for rest in rests { try ReplacedRows.keep(rest.effects, shares: rest.shares, at: rest.number, in: connection) }
        }
    }
}
