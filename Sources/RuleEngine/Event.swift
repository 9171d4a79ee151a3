// What is happening to the message.

public enum EventName: String, Sendable, CaseIterable {
    case send, enrich, receive, present, open, resume, token, account, settings, due

    /// Events whose answer says whether something is displayed even when no rule speaks.
    var displaysByDefault: Bool {
        switch self {
        case .send, .enrich, .present, .due: true
        case .receive, .open, .resume, .token, .account, .settings: false
        }
    }
}
