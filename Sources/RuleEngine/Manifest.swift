// What `app.lua` says of an app.
public import CivilTime
public import PushMessage

public struct Manifest: Sendable {
    public struct Channel: Sendable, Equatable {
        public let code: String
        public let title: String?
        /// On for somebody who never touched the switch.
        public let isOnByDefault: Bool
        /// Passes switches and quiet hours, never the permission.
        public let isCritical: Bool
    }
    public struct Links: Sendable, Equatable {
        /// nil: any scheme but those that run or read something (javascript, data, file, blob, vbscript).
        public let schemes: [String]?
        /// For http and https; "*.example.com" stands for every host below; nil: any.
        public let hosts: [String]?
        /// Always allowed.
        public let fallback: String?
    }
    public enum OnError: String, Sendable, CaseIterable { case show, suppress }
    public enum GuardMode: Sendable { case on, off, warn }

    public var title: String?
    /// The IANA name of `zone`.
    public var timezone: String? { zone?.name }
    /// Where people are whose phone does not say.
    public var zone: Zone?
    /// The language of people whose phone does not say, and of texts that theirs does not have.
    package var locale: LocaleTag?
    public var tabs: [String] = []
    /// nil: the manifest has no `channels`, so that no channel switch is looked at.
    public var channels: [Channel]?
    public var unknownChannelIsOn = true
    public var fields = FieldMap.none
    public var linkOrder: [String]?
    public var links: Links?
    /// What belongs to whoever is logged in.
    public var topics: [TopicTemplate] = []
    public var onError = OnError.show
    public var guards: [GuardName: GuardMode] = [:]
    public var limits = LimitOverrides()
    public var dedupe = DedupeWindows()

    public init() {}
}

/// Limits that an app asks for; only lower ones than the operator's count.
public struct LimitOverrides: Sendable, Equatable {
    public var fuel: Int?
    public var memoryBytes: Int?
    public var milliseconds: Int?

    public init() {}
}

/// How long a message is recognised as one that was here before; nil: the host's default.
public struct DedupeWindows: Sendable, Equatable {
    /// By id.
    public var windowMilliseconds: Int64?
    /// By content, for messages without an id.
    public var contentWindowMilliseconds: Int64?

    public init() {}

    var byID: Int64 { windowMilliseconds ?? 28 * 86_400_000 }
    var byContent: Int64 { contentWindowMilliseconds ?? 5_000 }
}
