// A topic that belongs to a person, as app.lua writes it: "APPPUSH%{recipient}". Read at load; filled when somebody logs
// in or out, and compared with topics to find those of somebody else. One without a placeholder is for whoever is logged in.
import JSONDocument
import PushMessage

public struct TopicTemplate: Sendable, Equatable {
    /// As it is written.
    public let text: String
    /// Between the placeholders, one more than there are placeholders.
    private let parts: [String]

    /// Both stand for whoever logs in or out; without an account in the event `{recipient}` is whose phone it is.
    static let placeholders = ["recipient", "account"]

    enum Fault: Error, Equatable {
        case unknownPlaceholder(String)
        /// A brace that nothing closes or opens.
        case brace
        /// A character that no topic has.
        case notATopic
    }

    init(_ text: String) throws(Fault) {
        self.text = text
        var parts: [String] = []
        var rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            guard let close = rest[open...].firstIndex(of: "}") else { throw .brace }
            let name = String(rest[rest.index(after: open)..<close])
            guard TopicTemplate.placeholders.contains(name) else { throw .unknownPlaceholder(name) }
            parts.append(String(rest[..<open]))
            rest = rest[rest.index(after: close)...]
        }
        guard !rest.contains("}") else { throw .brace }
        self.parts = parts + [String(rest)]
        guard filled("u") != nil else { throw .notATopic }
    }

    /// nil when that is no topic: the name has a character that topics do not have.
    func filled(_ name: String) -> String? {
        var topic = parts.joined(separator: name)
        let isTopic = topic.withUTF8 { ContributionReader.isTopic(JSONText(start: $0.baseAddress, count: $0.count)) }
        return isTopic ? topic : nil
    }

    /// The topic is this template filled with some name. A template that is nothing but its placeholder claims none.
    package func matches(_ topic: String) -> Bool {
        guard parts.count > 1 else { return topic.isExactly(text) }
        guard let first = parts.first, let last = parts.last, !first.isEmpty || !last.isEmpty else { return false }
        return topic.utf8.count > first.utf8.count + last.utf8.count && topic.utf8.starts(with: first.utf8)
            && topic.utf8.suffix(last.utf8.count).elementsEqual(last.utf8)
    }
}
