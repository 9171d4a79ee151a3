// Operations on topics, in order, without those that change nothing: a topic that is wanted and confirmed needs no
// subscribing. What is not known counts as different. The device's list is the confirmation of what was asked for
// earlier; what it lacks or still has is asked for again.
import JSONDocument
import PushMessage

struct TopicChange {
    private(set) var operations: [TopicOperation] = []
    private(set) var warnings: [Warning] = []
    private var wanted: [String]?
    private let confirmed: [String]?
    private let before: (wanted: [String]?, confirmed: [String]?)

    /// What the device says replaces the stored set of confirmed topics.
    init(_ situation: Situation) {
        before = (situation.stored.wantedTopics, situation.stored.confirmedTopics)
        confirmed = situation.request.device.topics.map { $0.children.compactMap { $0.text?.string } } ?? before.confirmed
        wanted = before.wanted ?? confirmed
    }

    /// - Parameter always: keep the operation even when it changes nothing.
    mutating func add(_ kind: TopicOperation.Kind, _ topic: String, always: Bool = false) {
        let isSubscribed = kind == .subscribe
        let changesWanted = wanted.map { $0.contains(topic) != isSubscribed } ?? true
        let changesConfirmed = confirmed.map { $0.contains(topic) != isSubscribed } ?? true
        guard always || changesWanted || changesConfirmed else { return }
        // Asked for a moment ago.
        if !changesWanted, operations.last(where: { $0.topic == topic })?.kind == kind { return }
        operations.append(TopicOperation(kind: kind, topic: topic))
        guard changesWanted else { return }
        var topics = wanted ?? []
        if isSubscribed { topics.append(topic) } else { topics.removeAll { $0 == topic } }
        wanted = topics
    }

    // MARK: what the host does by itself

    /// Somebody logs in or out, or another account is used from now on. One that fails never keeps the others from being
    /// tried: each is an operation of its own, and stays different until the device says otherwise.
    mutating func follow(
        _ operation: EventDetails.AccountOperation, account: JSONText?, previous: JSONText?, in situation: Situation
    ) {
        let name: String? = account?.string ?? situation.recipient
        let templates = situation.plan.ruleset.manifest.topics
        let own = name.map { topics(of: $0, templates) } ?? []
        let left = previous.map { topics(of: $0.string, templates) } ?? []
        let accounts: [String] = situation.request.device.accounts?.children.compactMap { $0.text?.string } ?? []
        let others = accounts.filter { $0 != name }
        switch operation {
        case .logout:
            // The last one out leaves everything; before that what is for whoever is logged in stays.
            let kept = others.flatMap { topics(of: $0, templates) }
            var leaving = (own + left).filter { !kept.contains($0) }
            if others.isEmpty { leaving = known + leaving }
            for topic in leaving { add(.unsubscribe, topic) }
            retry(except: [])
        case .login, .switch:
            let kept = others.flatMap { topics(of: $0, templates) }
            let strangers = known.filter { topic in templates.contains { $0.matches(topic) } && !kept.contains(topic) }
            for topic in strangers + left where !own.contains(topic) && !kept.contains(topic) { add(.unsubscribe, topic) }
            retry(.unsubscribe, except: own)
            for topic in own { add(.subscribe, topic) }
            retry(.subscribe, except: [])
        }
    }

    /// What was asked for and has not come about, the unsubscribes first.
    mutating func retry(except topics: [String] = []) {
        retry(.unsubscribe, except: topics)
        retry(.subscribe, except: topics)
    }

    private mutating func retry(_ kind: TopicOperation.Kind, except topics: [String]) {
        guard let confirmed, let wanted else { return }
        let (these, those) = kind == .subscribe ? (wanted, confirmed) : (confirmed, wanted)
        for topic in these where !those.contains(topic) && !topics.contains(topic) { add(kind, topic) }
    }

    /// Everything that is wanted or confirmed, each once.
    private var known: [String] {
        var topics = wanted ?? []
        for topic in confirmed ?? [] where !topics.contains(topic) { topics.append(topic) }
        return topics
    }

    private mutating func topics(of name: String, _ templates: [TopicTemplate]) -> [String] {
        var topics: [String] = []
        for template in templates {
            if let topic = template.filled(name) {
                topics.append(topic)
                continue
            }
            let warning = Warning(
                code: .topicInvalid, path: "topics",
                message: "\"\(template.text)\" makes no topic of the name \"\(name)\", which has characters that topics do not have",
                hint: "a topic has letters, digits and - _ . ~ %")
            if !warnings.contains(warning) { warnings.append(warning) }
        }
        return topics
    }

    /// nil when nothing has changed.
    var effect: Effect? {
        let changed = operations.isEmpty ? before.wanted : wanted
        guard changed != before.wanted || confirmed != before.confirmed else { return nil }
        return .setTopics(wanted: changed, confirmed: confirmed)
    }
}
