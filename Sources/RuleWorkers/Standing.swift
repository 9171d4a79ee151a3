// Where an app's rules run: with those of others, alone, or nowhere. An app that has ended a process, or that takes more
// time than its share, gets a process of its own, so that it costs the others nothing more; a ruleset that ends three
// within a minute is not asked any more.

/// Of one app by name, as operators see it.
public enum AppStanding: Sendable, Equatable {
    case sharing
    /// It has ended the process that it shared, or taken too much of its time.
    case alone
    case quarantined
}

struct Standing {
    enum Place {
        case shared(Worker)
        case own(Worker)
    }

    /// A new ruleset does not change it: it is about the app.
    private(set) var place: Place
    /// The one that was taken into use last.
    var ruleset: String
    /// When rulesets ended a process, in microseconds of the pool's clock; of those in quarantine the last three.
    private var deaths: [String: [Int64]] = [:]
    private var share = Share()

    static let mostDeaths = 3
    static let span: Int64 = 60_000_000

    init(ruleset: String, sharing worker: Worker) {
        self.ruleset = ruleset
        place = .shared(worker)
    }

    func isInQuarantine(_ ruleset: String) -> Bool { (deaths[ruleset]?.count ?? 0) >= Standing.mostDeaths }

    /// - Parameter own: makes a worker for the app alone.
    mutating func died(_ ruleset: String, at now: Int64, own: () -> Worker) {
        deaths = deaths.filter { $0.value.count >= Standing.mostDeaths || $0.value.contains { now - $0 < Standing.span } }
        if !isInQuarantine(ruleset) {
            deaths[ruleset] = (deaths[ruleset] ?? []).filter { now - $0 < Standing.span } + [now]
        }
        // In place of one that nobody asks any more; it is started when somebody does.
        if isInQuarantine(ruleset) { place = .own(own()) } else { leave(own) }
    }

    /// The app has used so much fuel of the process that it shares. True: that was more than its share.
    mutating func used(_ fuel: Int, at now: Int64) -> Bool { share.take(fuel, at: now) }

    mutating func leave(_ own: () -> Worker) {
        if case .shared = place { place = .own(own()) }
    }
}

/// What an app may take of a process that it shares: a twentieth of its time, and a tenth of a second at once.
private struct Share {
    private var level = 0
    private var since: Int64 = 0

    /// Fuel; a unit is about ten nanoseconds.
    private static let most = 10_000_000
    private static let perMicrosecond = 5

    mutating func take(_ fuel: Int, at now: Int64) -> Bool {
        let drained = max(0, min(now - since, Int64(Share.most))) * Int64(Share.perMicrosecond)
        since = now
        level = max(0, level - Int(drained)) + max(0, min(fuel, Share.most))
        return level > Share.most
    }
}
