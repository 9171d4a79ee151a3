// A dictionary by names, which are told apart by their bytes: whatever is remembered by recipient, key, id or topic. Used
// like one with String keys; whoever writes it down takes it in the order of those bytes.
import PushMessage

public struct ExactTable<Value> {
    private var entries: [ExactText: Value]

    public init() { entries = [:] }
    private init(_ entries: [ExactText: Value]) { self.entries = entries }

    public var isEmpty: Bool { entries.isEmpty }
    public var count: Int { entries.count }

    public subscript(key: String) -> Value? {
        get { entries[ExactText(key)] }
        _modify { yield &entries[ExactText(key)] }
    }

    public subscript(key: String, default value: @autoclosure () -> Value) -> Value {
        get { entries[ExactText(key), default: value()] }
        _modify { yield &entries[ExactText(key), default: value()] }
    }

    /// What stood there before.
    @discardableResult
    public mutating func updateValue(_ value: Value, forKey key: String) -> Value? { entries.updateValue(value, forKey: ExactText(key)) }

    public mutating func removeAll() { entries.removeAll() }

    public func filter(_ isKept: (Element) throws -> Bool) rethrows -> ExactTable {
        ExactTable(try entries.filter { try isKept(($0.key.string, $0.value)) })
    }

    /// By the bytes of the keys: the same order everywhere.
    public var inOrder: [Element] {
        entries.sorted { $0.key < $1.key }.map { ($0.key.string, $0.value) }
    }
}

extension ExactTable: Sequence {
    public typealias Element = (key: String, value: Value)

    public struct Iterator: IteratorProtocol {
        fileprivate var rest: Dictionary<ExactText, Value>.Iterator

        public mutating func next() -> Element? { rest.next().map { ($0.key.string, $0.value) } }
    }

    /// In no order.
    public func makeIterator() -> Iterator { Iterator(rest: entries.makeIterator()) }
}

extension ExactTable: ExpressibleByDictionaryLiteral {
    /// Of two entries with the same key the later one counts.
    public init(dictionaryLiteral elements: (String, Value)...) {
        entries = Dictionary(elements.map { (ExactText($0.0), $0.1) }) { $1 }
    }
}

extension ExactTable: Sendable where Value: Sendable {}
extension ExactTable: Equatable where Value: Equatable {}
