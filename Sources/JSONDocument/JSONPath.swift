// Where a value stands, as people write it: `message.data.items[0]["odd key"]`; the root is "".

public struct JSONPath: Sendable, Hashable {
    public enum Step: Sendable, Hashable {
        case key(String)
        /// From 0.
        case index(Int)
    }

    public var steps: [Step]

    public init(_ steps: [Step] = []) { self.steps = steps }

    public static let root = JSONPath()

    public func appending(_ key: String) -> JSONPath { JSONPath(steps + [.key(key)]) }
    public func appending(_ index: Int) -> JSONPath { JSONPath(steps + [.index(index)]) }

    public var text: String {
        var text = ""
        for step in steps {
            switch step {
            case .index(let index): text += "[\(index)]"
            case .key(let key) where Self.isPlain(key): text += text.isEmpty ? key : "." + key
            case .key(let key):
                var writer = JSONWriter(reserving: key.utf8.count + 2)
                writer.string(key)
                text += "[" + String(decoding: writer.bytes, as: UTF8.self) + "]"
            }
        }
        return text
    }

    /// Letters, digits, `_` and `-`: needs no quotes.
    static func isPlain(_ key: String) -> Bool {
        !key.isEmpty
            && key.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}

extension JSONPath: CustomStringConvertible {
    public var description: String { text }
}
