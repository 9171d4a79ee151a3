// Operations on topics, in order, without those that change nothing: a topic that is wanted and confirmed needs no
// subscribing. What is not known counts as different. The device's list is the confirmation of what was asked for
// earlier; what it lacks or still has is asked for again.
import JSONDocument
import PushMessage

struct TopicChange {
    private(set) var operations: [TopicOperation] = []
    private var refusals: [Warning] = []
    /// Topics for which there was no room.
    private var lost = 0
    private var wanted: TopicList?
    private let confirmed: TopicList?
    /// As the device says it, else as stored.
    private let confirmedTopics: [String]?
    /// What was asked for last, by topic.
    private var asked = ExactTable<TopicOperation.Kind>()
    private let before: (wanted: [String]?, confirmed: [String]?)

    /// What the device says replaces the stored set of confirmed topics.
    init(_ situation: Situation) {
        before = (situation.stored.wantedTopics, situation.stored.confirmedTopics)
        confirmedTopics = situation.request.device.topics.map { $0.children.compactMap { $0.text?.string } } ?? before.confirmed
        confirmed = confirmedTopics.map { TopicList($0) }
        wanted = before.wanted.map { TopicList($0) } ?? confirmed
    }

    /// - Parameter always: keep the operation even when it changes nothing.
    mutating func add(_ kind: TopicOperation.Kind, _ topic: String, always: Bool = false) {
        let isSubscribed = kind == .subscribe
        let changesWanted = wanted.map { $0.contains(topic) != isSubscribed } ?? true
        let changesConfirmed = confirmed.map { $0.contains(topic) != isSubscribed } ?? true
        guard always || changesWanted || changesConfirmed else { return }
        // Asked for a moment ago.
        if !changesWanted, asked[topic] == kind { return }
        if isSubscribed, changesWanted, wanted?.isFull == true {
            lost += 1
            return
        }
        operations.append(TopicOperation(kind: kind, topic: topic))
        asked[topic] = kind
        guard changesWanted else { return }
        if wanted == nil { wanted = TopicList([]) }
        if isSubscribed { wanted?.insert(topic) } else { wanted?.remove(topic) }
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
        let others = accounts.filter { !name.isExactly($0) }
        switch operation {
        case .logout:
            // The last one out leaves everything; before that what is for whoever is logged in stays.
            let kept = TopicList(others.flatMap { topics(of: $0, templates) })
            var leaving = (own + left).filter { !kept.contains($0) }
            if others.isEmpty { leaving = known + leaving }
            for topic in leaving { add(.unsubscribe, topic) }
            retry()
        case .login, .switch:
            let kept = TopicList(others.flatMap { topics(of: $0, templates) })
            let strangers = known.filter { topic in templates.contains { $0.matches(topic) } && !kept.contains(topic) }
            let staying = TopicList(own)
            for topic in strangers + left where !staying.contains(topic) && !kept.contains(topic) { add(.unsubscribe, topic) }
            retry(.unsubscribe, except: staying)
            for topic in own { add(.subscribe, topic) }
            retry(.subscribe)
        }
    }

    /// What was asked for and has not come about, the unsubscribes first.
    mutating func retry() {
        retry(.unsubscribe)
        retry(.subscribe)
    }

    private mutating func retry(_ kind: TopicOperation.Kind, except topics: TopicList = TopicList([])) {
        guard let confirmed, let wanted else { return }
        let (these, those) = kind == .subscribe ? (wanted, confirmed) : (confirmed, wanted)
        for topic in these.topics where !those.contains(topic) && !topics.contains(topic) { add(kind, topic) }
    }

    /// Everything that is wanted or confirmed, each once.
    private var known: [String] {
        var all = wanted ?? TopicList([])
        for topic in confirmedTopics ?? [] { all.insert(topic) }
        return all.topics
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
                message:
                    "\"\(template.text)\" makes no topic of the name \"\(name.shortened)\", which has characters that topics do not have",
                hint: "a topic has letters, digits and - _ . ~ %")
            if !refusals.contains(warning) { refusals.append(warning) }
        }
        return topics
    }

    var warnings: [Warning] { lost == 0 ? refusals : refusals + [.topicsFull(lost)] }

    /// nil when nothing has changed.
    var effect: Effect? {
        let changed = operations.isEmpty ? before.wanted : wanted?.topics
        let areSame = TopicChange.areSame(changed, before.wanted) && TopicChange.areSame(confirmedTopics, before.confirmed)
        return areSame ? nil : .setTopics(wanted: changed, confirmed: confirmedTopics)
    }

    private static func areSame(_ a: [String]?, _ b: [String]?) -> Bool {
        guard let a, let b else { return a == nil && b == nil }
        return a.elementsEqual(b) { $0.isExactly($1) }
    }
}
