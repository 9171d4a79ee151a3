// The ways in which two rulesets can differ over one event, as a comparison counts them. The names are those of the JSON.

public enum ChangeKind: String, Sendable, CaseIterable {
    /// The person sees it now, and did not.
    case newlyShown = "newly_shown"
    /// The person does not see it any more, now or later.
    case newlySuppressed = "newly_suppressed"
    /// It comes later.
    case newlyDeferred = "newly_deferred"
    /// A tap, or the app itself, is led elsewhere.
    case route
    /// The number on the icon.
    case badge
    /// Text, sound, pictures and the like.
    case content
    /// Shown both times, but in another way: banner, list, sound.
    case options
    /// Topics that are joined or left.
    case topics
    /// Until when it is held back, labels, what is kept for the app, what the app reports.
    case other
    /// A rule fails, or fails no longer.
    case error
}

/// A set of them.
public struct ChangeKinds: Sendable, Hashable {
    private var bits: UInt16 = 0

    public init() {}

    public var isEmpty: Bool { bits == 0 }
    public func contains(_ kind: ChangeKind) -> Bool { bits & kind.bit != 0 }
    public mutating func insert(_ kind: ChangeKind) { bits |= kind.bit }
    public mutating func formUnion(_ other: ChangeKinds) { bits |= other.bits }
    public func subtracting(_ other: ChangeKinds) -> ChangeKinds {
        var rest = self
        rest.bits &= ~other.bits
        return rest
    }

    /// In the order of the declarations.
    public var all: [ChangeKind] { ChangeKind.allCases.filter(contains) }
}

extension ChangeKind {
    fileprivate var bit: UInt16 {
        switch self {
        case .newlyShown: 1
        case .newlySuppressed: 2
        case .newlyDeferred: 4
        case .route: 8
        case .badge: 16
        case .content: 32
        case .options: 64
        case .topics: 128
        case .other: 256
        case .error: 512
        }
    }
}
