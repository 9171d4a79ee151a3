// The condition of a message to several topics: `'a' in topics && ('b' in topics || !('c' in topics))`.

public struct TopicCondition: Sendable, Equatable {
    indirect enum Expression: Sendable, Equatable {
        case topic(String)
        case not(Expression)
        case and(Expression, Expression)
        case or(Expression, Expression)
    }

    /// FCM refuses conditions with more.
    public static let maxTopics = 5

    let expression: Expression
    /// The topics that it names, each once, in the order of their first mention.
    public let topics: [String]

    /// Reads a condition. `&&` binds tighter than `||`; text is in single or double quotes; `!` negates what follows.
    public init(parsing text: String) throws(TopicConditionFault) {
        var parser = TopicConditionParser(text)
        expression = try parser.whole()
        topics = parser.topics
    }

    /// Whether a device with these topics gets the message.
    public func holds(for subscribed: Set<ExactText>) -> Bool {
        TopicCondition.holds(expression, subscribed)
    }

    private static func holds(_ expression: Expression, _ subscribed: Set<ExactText>) -> Bool {
        switch expression {
        case .topic(let name): subscribed.contains(ExactText(name))
        case .not(let inner): !holds(inner, subscribed)
        case .and(let a, let b): holds(a, subscribed) && holds(b, subscribed)
        case .or(let a, let b): holds(a, subscribed) || holds(b, subscribed)
        }
    }
}

public struct TopicConditionFault: Error, Sendable, Equatable {
    public let message: String
    /// Bytes from 0, in the condition's text.
    public let offset: Int
}

private struct TopicConditionParser {
    private let bytes: [UInt8]
    private var place = 0
    private var depth = 0
    private var mentions = 0
    private(set) var topics: [String] = []

    /// Brackets and negations inside each other, and mentions of topics: five topics need few of either, and an
    /// expression of either length is walked by recursion.
    private static let maxDepth = 64
    private static let maxMentions = 64

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func whole() throws(TopicConditionFault) -> TopicCondition.Expression {
        let expression = try alternatives()
        skipSpace()
        guard place == bytes.count else { throw fault("expected `&&`, `||` or the end") }
        return expression
    }

    private mutating func alternatives() throws(TopicConditionFault) -> TopicCondition.Expression {
        var expression = try conjunction()
        while skip("||") { expression = .or(expression, try conjunction()) }
        return expression
    }

    private mutating func conjunction() throws(TopicConditionFault) -> TopicCondition.Expression {
        var expression = try term()
        while skip("&&") { expression = .and(expression, try term()) }
        return expression
    }

    private mutating func term() throws(TopicConditionFault) -> TopicCondition.Expression {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maxDepth else { throw fault("nested too deep") }
        if skip("!") { return .not(try term()) }
        if skip("(") {
            let expression = try alternatives()
            guard skip(")") else { throw fault("expected `)`") }
            return expression
        }
        let name = try quoted()
        guard skip("in"), skip("topics") else { throw fault("expected `in topics` after a topic") }
        mentions += 1
        guard mentions <= Self.maxMentions else { throw fault("topics are mentioned too often") }
        if !topics.contains(where: name.isExactly) { topics.append(name) }
        return .topic(name)
    }

    private mutating func quoted() throws(TopicConditionFault) -> String {
        skipSpace()
        guard place < bytes.count, bytes[place] == UInt8(ascii: "'") || bytes[place] == UInt8(ascii: "\"") else {
            throw fault("expected a topic in quotes")
        }
        let mark = bytes[place]
        let start = place + 1
        guard let end = bytes[start...].firstIndex(of: mark) else { throw fault("a quote does not end") }
        guard end > start else { throw fault("the topic is empty") }
        place = end + 1
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    private mutating func skip(_ token: StaticString) -> Bool {
        skipSpace()
        let matches = token.withUTF8Buffer { bytes[place...].starts(with: $0) }
        if matches { place += token.utf8CodeUnitCount }
        return matches
    }

    private mutating func skipSpace() {
        while place < bytes.count, bytes[place] == 32 || (9...13).contains(bytes[place]) { place += 1 }
    }

    private func fault(_ message: String) -> TopicConditionFault { TopicConditionFault(message: message, offset: place) }
}
