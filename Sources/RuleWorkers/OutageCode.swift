// Why rules were not asked: the codes that stand in a decision's errors, and in the faults of an app that does not load.

public enum OutageCode: String, Sendable, CaseIterable {
    /// The process that runs the rules ended while it had the message.
    case died = "worker_died"
    /// It did not answer within twice the time limit and was ended.
    case hung = "worker_hung"
    /// It answered what cannot be and was ended.
    case lied = "worker_lied"
    /// The app has ended three processes within a minute, and is not asked any more.
    case quarantined = "app_quarantined"

    init(_ end: ChildEnd) {
        switch end {
        case .died, .notStarted: self = .died
        case .hung: self = .hung
        case .lied: self = .lied
        }
    }
}

extension ChildEnd {
    /// For people, without a full stop.
    var sentence: String {
        switch self {
        case .died(let end) where end > 0: "the process that runs the rules was ended by signal \(end)"
        case .died(let end) where end < 0: "the process that runs the rules ended with code \(-1 - end)"
        case .died: "the process that runs the rules ended"
        case .hung: "the process that runs the rules took more than twice the time limit and was ended"
        case .lied(let expected): "the process that runs the rules was ended: where \(expected) was due, it sent something else"
        case .notStarted(let number): "no process could be started to run the rules (error \(number))"
        }
    }

    static let quarantine =
        "the app has ended the process that runs its rules three times within a minute; its rules are asked again when they "
        + "have been changed, or when an operator lets the app out"
}
