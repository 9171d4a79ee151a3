// What kind of thing decided about a display, for whoever counts: read from the names and the reasons that a decision carries.

public enum DisplayCause: Sendable, Equatable {
    /// The quiet hours of a rule.
    case quietHours
    /// The full cap of a rule.
    case cap
    case `guard`
    case rule
    /// Nobody: as the message came.
    case nobody
}

extension Display {
    /// How the reason of quiet hours begins.
    static let quietReason = "quiet from "

    public var cause: DisplayCause {
        guard let rule else { return .nobody }
        if rule.hasPrefix("guard:") { return .guard }
        // Only a cap has a sentence behind its reason beside guards.
        if detail != nil, reason == "cap" { return .cap }
        return reason?.hasPrefix(Display.quietReason) == true ? .quietHours : .rule
    }
}
