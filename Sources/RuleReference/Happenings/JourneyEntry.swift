// Which events one message causes, asked of the function that decides it (PushMessage's Journey): by kind of message, a
// word for each state of the app.
public import PushMessage

public struct JourneyEntry: Sendable {
    /// "alert with mutable-content"
    public let name: String
    public let traits: JourneyTraits
    public let isTapped: Bool
    /// Columns: what the app is doing, and the events, in order.
    public let rows: [(state: String, events: [String])]
    public let example: Example

    public static let all: [JourneyEntry] = [
        JourneyEntry("alert", JourneyTraits(hasAlert: true), #"{"aps": {"alert": "hi"}}"#),
        JourneyEntry("silent", JourneyTraits(contentAvailable: true, isSilent: true), #"{"aps": {"content-available": 1}}"#),
        JourneyEntry(
            "alert with content-available", JourneyTraits(hasAlert: true, contentAvailable: true),
            #"{"aps": {"alert": "hi", "content-available": 1}}"#),
        JourneyEntry(
            "alert with mutable-content", JourneyTraits(hasAlert: true, mutableContent: true),
            #"{"aps": {"alert": "hi", "mutable-content": 1}}"#),
        JourneyEntry("only a badge or a sound", JourneyTraits(hasBadgeOrSound: true), #"{"aps": {"badge": 3}}"#),
        JourneyEntry("only data", JourneyTraits(hasData: true), #"{"message": {"token": "t", "data": {"room": "r-1"}}}"#),
        JourneyEntry("tapped alert", JourneyTraits(hasAlert: true), isTapped: true, #"{"aps": {"alert": "hi"}}"#),
    ]

    private static let states: [(String, DeviceState)] = [
        ("in front", .foreground), ("background", .background), ("not running", .terminated), ("swiped away", .forceQuit),
    ]

    private init(_ name: String, _ traits: JourneyTraits, isTapped: Bool = false, _ message: String) {
        self.name = name
        self.traits = traits
        self.isTapped = isTapped
        func events(_ state: DeviceState, _ platform: Platform) -> [String] {
            Journey.events(for: traits, state: state, platform: platform, tapped: isTapped).map(\.rawValue)
        }
        rows =
            JourneyEntry.states.map { ($0.0, events($0.1, .ios)) }
            + [("Android, in front", events(.foreground, .android)), ("Android, else", events(.background, .android))]
        example = .journey(message: message, state: DeviceState.terminated.rawValue, tap: isTapped, gives: events(.terminated, .ios))
    }
}
