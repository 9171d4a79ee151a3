// What happens in a host beside answers, for whoever wants to know: rules that come into force or are refused, messages whose time
// has come.
public import PushMessage

public struct HostEvent: Sendable {
    public enum Kind: Sendable {
        /// Other rules are in force.
        case reload
        /// What was saved is not in force.
        case fault
        /// What was saved on a host of a stage has a fault. It would not have come into force there anyway.
        case draftFault
        /// The same rules are in force, and what is told of the app is something else: a fault is gone, the draft is another one.
        case state
        /// The app is not there any more.
        case gone
        /// A message that was held back has been decided: the decision as JSON.
        case due(DueDecision)
    }

    public let app: String
    public let at: Instant
    public let kind: Kind
    /// As it is now; nil when it is gone.
    public let info: AppInfo?
}

/// Called on any thread, in the order in which things happen to an app; it must not wait.
public protocol HostListening: AnyObject, Sendable {
    func heard(_ event: HostEvent)
}
