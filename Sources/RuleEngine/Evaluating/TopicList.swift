// Topics in the order in which they came, each once. TopicChange asks for thousands of them whether they are there.

struct TopicList {
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

    func contains(_ topic: String) -> Bool { places[topic] != nil }

    mutating func insert(_ topic: String) {
        guard places[topic] == nil else { return }
        places[topic] = order.count
        order.append(topic)
    }

    mutating func remove(_ topic: String) { places[topic] = nil }
}
