// Operations on topics, in order, without those that change nothing: a topic that is wanted and confirmed needs no
// subscribing. What is not known counts as different.
import JSONDocument

struct TopicChange {
    private(set) var operations: [TopicOperation] = []
    private var wanted: [String]?
    private var confirmed: [String]?

    /// What the device says replaces the stored set of confirmed topics.
    init(_ situation: Situation) {
        let said = situation.request.device.topics.map { $0.children.compactMap { $0.text?.string } }
        confirmed = said ?? situation.stored.confirmedTopics
        wanted = situation.stored.wantedTopics ?? confirmed
    }

    /// - Parameter always: keep the operation even when it changes nothing.
    mutating func add(_ kind: TopicOperation.Kind, _ topic: String, always: Bool) {
        let isSubscribed = kind == .subscribe
        let changesWanted = wanted.map { $0.contains(topic) != isSubscribed } ?? true
        let changesConfirmed = confirmed.map { $0.contains(topic) != isSubscribed } ?? true
        guard always || changesWanted || changesConfirmed else { return }
        operations.append(TopicOperation(kind: kind, topic: topic))
        guard changesWanted else { return }
        var topics = wanted ?? []
        if isSubscribed { topics.append(topic) } else { topics.removeAll { $0 == topic } }
        wanted = topics
    }

    /// nil when no operation is left.
    var effect: Effect? {
        guard !operations.isEmpty, let wanted else { return nil }
        return .setTopics(wanted: wanted, confirmed: confirmed)
    }
}
