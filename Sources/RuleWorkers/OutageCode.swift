// Why rules were not asked: the codes that stand in a decision's errors, and in the faults of an app that does not load.

public enum OutageCode: String, Sendable, CaseIterable {
    /// The process that runs the rules ended while it had the message, or there was none.
    case died = "worker_died"
    /// It did not answer within twice the time limit and was ended.
    case hung = "worker_hung"
    /// It answered what cannot be and was ended.
    case lied = "worker_lied"
    /// The app has ended three processes within a minute, and is not asked any more.
    case quarantined = "app_quarantined"

    init(_ end: ChildEnd) {
        switch end {
        case .died, .notStarted, .notSealed: self = .died
        case .hung: self = .hung
        case .lied, .strayed: self = .lied
        }
    }
}
