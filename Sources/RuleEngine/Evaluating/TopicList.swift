// Topics in the order in which they came, each once. TopicChange asks for thousands of them whether they are there.

struct TopicList {
    /// FCM: "one app instance can be subscribed to no more than 2000 topics" (Firebase, Topic messaging).
    static let most = 2_000

    /// Those that have left since are still in it.
    private var order: [String] = []
    /// Where in `order` a topic stands.
    private var places = ExactTable<Int>()

    init(_ topics: some Sequence<String>) {
        for topic in topics { insert(topic) }
    }

    var topics: [String] {
        order.enumerated().filter { places[$0.element] == $0.offset }.map(\.element)
    }

    var isFull: Bool { places.count >= TopicList.most }

    func contains(_ topic: String) -> Bool { places[topic] != nil }

    mutating func insert(_ topic: String) {
        guard places[topic] == nil else { return }
        places[topic] = order.count
        order.append(topic)
    }

    mutating func remove(_ topic: String) { places[topic] = nil }
}
