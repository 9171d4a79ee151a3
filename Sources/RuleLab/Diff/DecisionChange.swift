// What is different between two decisions on the same event, and whose doing it is. Words of explanation - reasons, names of
// rules - make no difference by themselves: nobody who holds the phone sees them.
import PushMessage
import RuleEngine

struct DecisionChange {
    private(set) var kinds = ChangeKinds()
    /// Who decided what is different, before and after: a rule's name, `guard:<name>`, or "" for nobody.
    private(set) var before: [String] = []
    private(set) var after: [String] = []
    /// The badge changes by as much as before, and begins elsewhere: an earlier event made the difference.
    private(set) var carriesBadge = false
    /// Everything is the same, but somebody else says so.
    private(set) var hasOtherReason = false

    /// - Parameters:
    ///   - old: nil: there is no such event.
    init(_ old: Decision?, _ new: Decision?) {
        compareDisplay(old?.display, new?.display)
        compareRoute(old?.route, new?.route)
        compareBadge(old?.badge, new?.badge)
        if old?.content ?? Content() != new?.content ?? Content() { add(.content, old?.contentRule, new?.contentRule) }
        if old?.topics ?? [] != new?.topics ?? [] { add(.topics, old?.display?.rule, new?.display?.rule) }
        if DecisionChange.rest(of: old) != DecisionChange.rest(of: new) { add(.other, old?.display?.rule, new?.display?.rule) }
        compareErrors(old?.errors ?? [], new?.errors ?? [])
        compareHandedOver(old?.deferred ?? [], new?.deferred ?? [])
        if kinds.isEmpty {
            hasOtherReason =
                old?.display?.rule != new?.display?.rule || old?.route?.rule != new?.route?.rule
                || old?.badge?.rule != new?.badge?.rule || old?.display?.reason != new?.display?.reason
        }
    }

    init(_ kind: ChangeKind, before: String?, after: String?) { add(kind, before, after) }

    private mutating func add(_ kind: ChangeKind, _ old: String?, _ new: String?) {
        kinds.insert(kind)
        // Nobody is named where somebody is: "as the message came" is only of interest alone.
        if let old, !before.contains(where: old.isExactly) { before.append(old) }
        if let new, !after.contains(where: new.isExactly) { after.append(new) }
    }

    // MARK: the parts

    /// What somebody gets to see of it.
    private enum Sight { case now, later, never }

    private static func sight(_ display: Display?) -> Sight {
        switch display?.action {
        case .show: .now
        case .defer: .later
        case .suppress, nil: .never
        }
    }

    private mutating func compareDisplay(_ old: Display?, _ new: Display?) {
        let (before, after) = (DecisionChange.sight(old), DecisionChange.sight(new))
        if before != after {
            let kind: ChangeKind =
                switch after {
                case .now: .newlyShown
                case .later: .newlyDeferred
                case .never: .newlySuppressed
                }
            add(kind, old?.rule, new?.rule)
        } else if old?.action != new?.action {
            // Not displayed by any of them, but only one says so.
            add(.other, old?.rule, new?.rule)
        } else if old?.options != new?.options {
            add(.options, old?.rule, new?.rule)
        }
        if before == .later, after == .later, old?.until != new?.until { add(.other, old?.rule, new?.rule) }
    }

    private mutating func compareRoute(_ old: Route?, _ new: Route?) {
        guard DecisionChange.plain(old) != DecisionChange.plain(new) else { return }
        add(.route, old?.rule, new?.rule)
    }

    /// Without its words.
    private static func plain(_ route: Route?) -> Route? {
        var route = route
        route?.reason = nil
        route?.rule = nil
        return route
    }

    private mutating func compareBadge(_ old: Badge?, _ new: Badge?) {
        guard old?.value != new?.value || old?.change != new?.change || old?.isAbsolute != new?.isAbsolute else { return }
        carriesBadge = old != nil && new != nil && old?.cause == new?.cause && old?.change == new?.change
        add(.badge, old?.rule, new?.rule)
    }

    private mutating func compareErrors(_ old: [RuleError], _ new: [RuleError]) {
        // Where a failing line stands moves with every line before it.
        let isSame =
            old.count == new.count && zip(old, new).allSatisfy { $0.code == $1.code && $0.rule == $1.rule && $0.message == $1.message }
        if !isSame { add(.error, old.first?.rule, new.first?.rule) }
    }

    /// What waited until the app came to the front, each message with its decision.
    private mutating func compareHandedOver(_ old: [Decision], _ new: [Decision]) {
        for decision in old { merge(DecisionChange(decision, new.first { $0.messageID.isExactly(decision.messageID) })) }
        for decision in new where !old.contains(where: { $0.messageID.isExactly(decision.messageID) }) {
            merge(DecisionChange(nil, decision))
        }
    }

    mutating func merge(_ other: DecisionChange) {
        // Only what makes a difference everywhere is carried: one change of its own is enough.
        carriesBadge =
            kinds.contains(.badge) && other.kinds.contains(.badge) ? carriesBadge && other.carriesBadge : carriesBadge || other.carriesBadge
        kinds.formUnion(other.kinds)
        for name in other.before where !before.contains(where: name.isExactly) { before.append(name) }
        for name in other.after where !after.contains(where: name.isExactly) { after.append(name) }
        hasOtherReason = kinds.isEmpty && (hasOtherReason || other.hasOtherReason)
    }

    /// What has no kind of its own.
    private struct Rest: Equatable {
        var isDuplicate = false
        var tokenAction: TokenAction?
        var fetchResult: FetchResult?
        var inbox: [UInt8]?
        var labels: [String] = []
    }

    private static func rest(of decision: Decision?) -> Rest {
        guard let decision else { return Rest() }
        return Rest(
            isDuplicate: decision.isDuplicate, tokenAction: decision.tokenAction, fetchResult: decision.fetchResult, inbox: decision.inbox,
            labels: decision.labels.isEmpty ? [] : decision.labels.map { "\($0.name)=\($0.value)" })
    }
}

extension Decision {
    /// Who replaced the content, when the trace tells; else who decided about the display.
    fileprivate var contentRule: String? {
        let fields: Set = [
            "title", "subtitle", "body", "sound", "category", "thread", "interruption_level", "relevance", "attachments",
        ]
        return trace?.rules.first { line in line.set.contains { fields.contains($0.field) } }?.rule ?? display?.rule
    }
}
