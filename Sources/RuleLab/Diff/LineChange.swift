// The differences over one line of traffic: the decisions of both sides are laid beside each other by their events.
import RuleEngine

enum LineChange {
    /// Of all events of the line together.
    static func between(_ old: [Decision], _ new: [Decision]) -> DecisionChange {
        if old.count == 1, new.count == 1, old[0].event == new[0].event { return DecisionChange(old[0], new[0]) }
        var whole: DecisionChange?
        var left = new[...]
        for decision in old {
            let place = left.firstIndex { $0.event == decision.event }
            whole.merge(DecisionChange(decision, place.map { left[$0] }))
            if let place { left.remove(at: place) }
        }
        for decision in left { whole.merge(DecisionChange(nil, decision)) }
        return whole ?? DecisionChange(nil, nil)
    }
}

extension Optional where Wrapped == DecisionChange {
    fileprivate mutating func merge(_ change: DecisionChange) {
        if self == nil { self = change } else { self?.merge(change) }
    }
}
