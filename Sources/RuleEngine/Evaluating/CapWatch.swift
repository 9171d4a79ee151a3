// What caps have to do with the message at hand: whether one has room for it, which it counts for when it is shown in the
// end, and how much one person's caps may keep. RuleRun asks; what is counted is written by DecisionMaking.
import CivilTime
import JSONDocument
import PushMessage

struct CapWatch {
    private let situation: Situation
    /// Caps that the message counts for when it is shown in the end.
    private(set) var uses: [CapUse] = []
    /// Keys of caps that the recipient has now; nil: nobody had to know.
    private var liveKeys: Int?
    /// The same of what they have counted.
    private var liveInstants: Int?

    init(_ situation: Situation) { self.situation = situation }

    enum Room {
        case free
        /// Until there is room for one more.
        case full(Instant)
        /// Nothing more is kept for this person: a sentence.
        case refused(String)
    }

    /// Caps are about messages, at events where they may disturb somebody; what the app posts itself was counted before.
    var limitsEvent: Bool {
        situation.event.hasQuietHours && situation.message != nil && !situation.request.device.isLocalCopy
    }

    func use(of cap: PlannedCap, _ key: String) -> CapUse {
        CapUse(key: key, memory: cap.memory, hasCounted: situation.seen?.caps.contains(where: key.isExactly) ?? false)
    }

    mutating func room(for use: CapUse, in cap: PlannedCap) -> Room {
        guard use.key.utf8.count <= StateQuota.key else {
            return .refused("the key of `cap` has \(use.key.utf8.count) bytes; at most \(StateQuota.key) are allowed")
        }
        guard !use.hasCounted else { return .free }
        // A cap that is full needs no room for one more.
        if let until = situation.stored.caps[use.key]?.room(
            for: cap.limit, in: cap.window, at: situation.request.now, zone: { situation.zone })
        {
            return .full(until)
        }
        return whyNotCounted(use.key).map { .refused($0) } ?? .free
    }

    /// Of two rules that share a key the message counts once.
    mutating func count(_ use: CapUse) {
        if !uses.contains(where: { $0.key.isExactly(use.key) }) { uses.append(use) }
    }

    /// nil: there is room for one more.
    private mutating func whyNotCounted(_ key: String) -> String? {
        let stored = situation.stored.caps
        // Most people have a handful: then nothing is counted one by one.
        if stored[key] == nil, stored.count + uses.count >= CapCount.mostKeys {
            let live = liveKeys ?? stored.liveCount(at: situation.request.now)
            liveKeys = live
            let new = uses.count { !$0.hasCounted && stored[$0.key] == nil && !$0.key.isExactly(key) }
            if live + new >= CapCount.mostKeys {
                return "the cap's key \"\(key.prefix(40))\" would be one more than the \(CapCount.mostKeys) that are kept"
            }
        }
        guard (stored.count + uses.count) * CapCount.mostInstants >= CapCount.mostOfAll else { return nil }
        let instants = liveInstants ?? stored.instantCount(at: situation.request.now)
        liveInstants = instants
        guard instants + uses.count >= CapCount.mostOfAll else { return nil }
        return "the caps of one person count at most \(CapCount.mostOfAll) times, and have"
    }
}

extension PlannedCap {
    /// The reason of everything that a full cap does.
    private static let reason = JSONText("cap")

    /// What the rule wants while there is no room.
    func contribution(until: Instant, in zone: Zone, _ sentences: Sentences) -> Contribution {
        var contribution = Contribution()
        contribution.fields = [.display, .reason]
        contribution.reason = PlannedCap.reason
        contribution.detail = sentences.keep(sentence)
        switch otherwise {
        case .suppress: contribution.action = .suppress
        case .list: contribution.options = .list
        case .defer:
            contribution.action = .defer
            contribution.fields.insert(.holdUntil)
            contribution.holdUntil = .zoned(until, zone)
        }
        return contribution
    }
}
