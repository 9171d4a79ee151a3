// Where an app's rules run: with those of others, alone, or nowhere. An app that has ended a process gets one of its own,
// so that it costs the others nothing more; one that does it three times within a minute is not asked any more.

/// Of one app by name, as operators see it.
public enum AppStanding: Sendable, Equatable {
    case sharing
    /// It has ended the process that it shared.
    case alone
    case quarantined
}

struct Standing {
    enum Place {
        case shared(Worker)
        case own(Worker)
        case quarantine
    }

    private(set) var place: Place
    /// The ruleset that it is about; another one begins anew.
    let ruleset: String
    /// Microseconds of the pool's clock.
    private var deaths: [Int64] = []

    static let mostDeaths = 3
    static let span: Int64 = 60_000_000

    init(ruleset: String, sharing worker: Worker) {
        self.ruleset = ruleset
        place = .shared(worker)
    }

    /// - Parameter own: makes a worker for the app alone.
    mutating func died(at now: Int64, own: () -> Worker) {
        deaths.removeAll { now - $0 >= Standing.span }
        deaths.append(now)
        if deaths.count >= Standing.mostDeaths {
            place = .quarantine
        } else if case .shared = place {
            place = .own(own())
        }
    }
}
