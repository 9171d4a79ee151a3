// Which callbacks one message causes on one device, in order: the table in docs/messages.md as a pure function.
// The engine turns each callback into its event of the same name.

/// The callbacks that a message can cause; raw values are the names of events.
public enum Callback: String, Sendable, CaseIterable { case send, enrich, present, receive, open, resume }

/// What of a message matters for its journey.
public struct JourneyTraits: Sendable, Equatable {
    /// It has text to show.
    public var hasAlert: Bool
    /// It carries a badge or a sound.
    public var hasBadgeOrSound: Bool
    public var contentAvailable: Bool
    public var mutableContent: Bool
    /// Content available and nothing to show, or a recipient-time carrier.
    public var isSilent: Bool
    /// It carries custom keys.
    public var hasData: Bool

    public init(
        hasAlert: Bool = false, hasBadgeOrSound: Bool = false, contentAvailable: Bool = false,
        mutableContent: Bool = false, isSilent: Bool = false, hasData: Bool = false
    ) {
        self.hasAlert = hasAlert
        self.hasBadgeOrSound = hasBadgeOrSound
        self.contentAvailable = contentAvailable
        self.mutableContent = mutableContent
        self.isSilent = isSilent
        self.hasData = hasData
    }
}

public enum Journey {
    /// The callbacks of a message on a device that is in `state` when it arrives.
    public static func events(
        for message: Message, state: DeviceState, platform: Platform, tapped: Bool = false
    ) -> [Callback] {
        events(for: message.traits, state: state, platform: platform, tapped: tapped)
    }

    public static func events(
        for traits: JourneyTraits, state: DeviceState, platform: Platform, tapped: Bool = false
    ) -> [Callback] {
        var events: [Callback] = []
        switch platform {
        case .ios: arrivalOnIOS(traits, state, &events)
        case .android: arrivalOnAndroid(traits, state, &events)
        }
        if tapped {
            events.append(.open)
            if state.isColdStart { events.append(.resume) }
        }
        return events
    }

    /// Apple's delivery: the system shows alerts unless the app is in front, and wakes the app for content-available
    /// unless the user has swiped it away.
    private static func arrivalOnIOS(_ traits: JourneyTraits, _ state: DeviceState, _ events: inout [Callback]) {
        let inFront = state == .foreground || state == .inactive
        if traits.isSilent {
            if state != .forceQuit { events.append(.receive) }
            return
        }
        if traits.hasAlert {
            if traits.mutableContent { events.append(.enrich) }
            if inFront {
                if traits.contentAvailable { events.append(.receive) }
                events.append(.present)
            } else {
                if !traits.mutableContent { events.append(.send) }
                if traits.contentAvailable, state != .forceQuit { events.append(.receive) }
            }
            return
        }
        if traits.hasBadgeOrSound { events.append(inFront ? .present : .send) }
    }

    /// FCM's delivery: in front the app gets everything; else the system shows notifications and the app gets data.
    private static func arrivalOnAndroid(_ traits: JourneyTraits, _ state: DeviceState, _ events: inout [Callback]) {
        guard traits.hasAlert || traits.hasData else { return }
        if state == .foreground || state == .inactive {
            events.append(.receive)
        } else {
            events.append(traits.hasAlert ? .send : .receive)
        }
    }
}
