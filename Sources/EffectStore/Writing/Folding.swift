// The oldest rows of the journal become part of the keyed rows of their recipients and apps, and leave the journal. A bounded
// number at a time, all or nothing. Called by Housekeeping on the writer's thread; the state that is read is the same before
// and after.
import PushMessage
import RuleEngine

struct Folding {
    private struct Person {
        let app: String
        let id: String
        var dedupe: Int64
    }

    /// Rows that were folded; fewer than were asked for when there are no more.
    static func fold(_ connection: Connection, atMost most: Int, now: Instant) throws(EffectStoreFault) -> Int {
        try connection.transaction { () throws(EffectStoreFault) in
            var apps = ExactTable<AppState>()
            var people = ExactTable<Person>()
            var sharing = ExactTable<Bool>()
            var last: Int64 = 0
            var count = 0
            try connection.rows(
                "SELECT seq, app, recipient, shares, format, effects FROM journal ORDER BY seq LIMIT ?", [.integer(Int64(most))]
            ) { (row) throws(EffectStoreFault) in
                let (app, id) = (row.text(1), row.text(2))
                let effects = try StoredBytes.effects(
                    row, format: 4, 5, of: StoredBytes.Owner(app: app, recipient: id), connection)
                let key = "\(app)/\(id)"
                if people[key] == nil {
                    let (state, dedupe) = try StoredState.keyed(app: app, recipient: id, in: connection)
                    people[key] = Person(app: app, id: id, dedupe: dedupe)
                    apps[app, default: AppState()].recipients[id] = state
                }
                if row.integer(3) != 0, sharing[app] == nil {
                    sharing[app] = true
                    apps[app, default: AppState()].shared = try StoredState.keyedShared(app: app, in: connection)
                }
                apps[app, default: AppState()].apply(effects, recipient: id)
                let windows = effects.compactMap { if case .sawMessage(let mark) = $0 { mark.window } else { nil } }
                if let window = windows.max(), let known = people[key]?.dedupe { people[key]?.dedupe = max(known, window) }
                last = row.integer(0)
                count += 1
            }
            guard count > 0 else { return 0 }
            for (_, person) in people {
                let state = apps[person.app]?.recipients[person.id] ?? RecipientState()
                try StoredState.write(state, dedupe: person.dedupe, app: person.app, recipient: person.id, now: now, in: connection)
            }
            for (app, _) in sharing { try StoredState.write(apps[app]?.shared ?? [:], app: app, now: now, in: connection) }
            try connection.run("DELETE FROM journal WHERE seq <= ?", [.integer(last)])
            try connection.run("INSERT OR REPLACE INTO meta (key, value) VALUES ('folded', ?)", [.integer(last)])
            return count
        }
    }
}
