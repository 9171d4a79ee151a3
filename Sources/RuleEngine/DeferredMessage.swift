// A message that is held back: everything that is needed to decide it again, after a restart, on another machine, under
// other rules. Kept in the recipient's state by the effects of the decision that deferred it; whoever has a clock reads
// `dueAt` and asks with the event `due`.
import CivilTime
import JSONDocument
public import PushMessage

public struct DeferredMessage: Sendable, Equatable {
    /// `deferred_id` of the event `due`, as `KeptID` keeps it; the only one of its kind for a recipient.
    public var id: String { didSet { id = KeptID.of(id) } }
    /// The event that was answered with "defer": send, enrich, receive or present.
    public var event: EventName
    /// JSON text of the message.
    public var message: [UInt8]
    /// How the message was read; nil: as its shape says.
    public var format: MessageFormat?
    /// JSON text of what was known about the phone and stays true for a while: not its screen, nor whether the app was
    /// in front.
    public var device: [UInt8]
    public var until: Until
    /// Which time of looking at it again comes next: 1 at first.
    public var attempt: Int
    /// Who held it back: a rule's name, or `guard:<name>`.
    public var rule: String?
    /// Hash of the ruleset that is to answer; nil: the newest.
    public var ruleset: String?

    public init(
        id: String, event: EventName, message: [UInt8], format: MessageFormat?, device: [UInt8], until: Until, attempt: Int = 1,
        rule: String? = nil, ruleset: String? = nil
    ) {
        self.id = KeptID.of(id)
        self.event = event
        self.message = message
        self.format = format
        self.device = device
        self.until = until
        self.attempt = attempt
        self.rule = rule
        self.ruleset = ruleset
    }

    /// When it is to be looked at again; nil: at `resume`. The wall time is what was promised: where the rules of its
    /// zone have changed since, the instant moves with them.
    public var dueAt: Instant? {
        guard case .at(let instant, let local, let zone) = until else { return nil }
        guard let zone = Zone(zone), zone.civil(at: instant).text != local, let civil = CivilTime(local) else { return instant }
        return zone.instant(of: civil)
    }
}

extension CivilTime {
    /// `2026-01-02 08:00[:30]`; nil for anything else.
    init?(_ text: String) {
        var copy = text
        let wall = copy.withUTF8 { WallTime(JSONText(start: $0.baseAddress, count: $0.count)) }
        switch wall {
        case .date(let civil), .moment(let civil): self = civil
        case .clock, nil: return nil
        }
    }
}
