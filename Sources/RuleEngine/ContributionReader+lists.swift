// The lists and tables of a decide table: attachments, topics, labels, and what an inbox may hold.
import JSONDocument
import PushMessage

extension ContributionReader {
    static let attachmentKeys = ["url", "type"]
    static let topicKeys = ["subscribe", "unsubscribe"]
    static let topicOperationKeys = ["op", "topic"]
    static let topicOperations = ["subscribe", "unsubscribe"]

    static func attachments(_ value: JSONValue) throws(ContributionFault) -> ContributedAttachments {
        guard value.isArray else { throw Spot("attachments").wrongType(value, "a list of { url = \"…\" }") }
        var place = 0
        for attachment in value.children {
            place += 1
            guard attachment.isObject else {
                throw Spot("attachments", place).wrongType(attachment, "{ url = \"…\", type = \"…\" }")
            }
            var hasURL = false
            for member in attachment.children {
                if member.key == "url" {
                    _ = try text(member, Spot("attachments", place, "url"))
                    hasURL = true
                } else if member.key == "type" {
                    _ = try text(member, Spot("attachments", place, "type"))
                } else {
                    throw Spot("attachments", place).unknownKey(member.key, among: attachmentKeys)
                }
            }
            guard hasURL else { throw Spot("attachments", place).fault(.badValue, "`attachments[\(place)]` has no `url`") }
        }
        return ContributedAttachments(list: value)
    }

    static func topics(_ value: JSONValue) throws(ContributionFault) -> ContributedTopics {
        if value.isArray {
            var place = 0
            for operation in value.children {
                place += 1
                try checkOperation(operation, place)
            }
            return ContributedTopics(shape: .operations(value))
        }
        guard value.isObject else {
            throw Spot("topics").wrongType(value, "{ subscribe = { … }, unsubscribe = { … } } or a list of { op, topic }")
        }
        var subscribe: JSONValue?
        var unsubscribe: JSONValue?
        for member in value.children {
            if member.key == "subscribe" {
                try checkTopics(member, "subscribe")
                subscribe = member
            } else if member.key == "unsubscribe" {
                try checkTopics(member, "unsubscribe")
                unsubscribe = member
            } else {
                throw Spot("topics").unknownKey(member.key, among: topicKeys)
            }
        }
        return ContributedTopics(shape: .lists(subscribe: subscribe, unsubscribe: unsubscribe))
    }

    static func checkOperation(_ operation: JSONValue, _ place: Int) throws(ContributionFault) {
        let spot = Spot("topics", place)
        guard operation.isObject else { throw spot.wrongType(operation, "{ op = \"subscribe\", topic = \"…\" }") }
        var hasOperation = false
        var hasTopic = false
        for member in operation.children {
            if member.key == "op" {
                let word = try text(member, Spot("topics", place, "op"))
                guard word == "subscribe" || word == "unsubscribe" else {
                    throw Spot("topics", place, "op").unknownWord(
                        member, "a topic operation", among: topicOperations)
                }
                hasOperation = true
            } else if member.key == "topic" {
                try checkTopic(member, Spot("topics", place, "topic"))
                hasTopic = true
            } else {
                throw spot.unknownKey(member.key, among: topicOperationKeys)
            }
        }
        guard hasOperation, hasTopic else {
            throw spot.fault(.badValue, "`topics[\(place)]` needs both `op` and `topic`")
        }
    }

    static func checkTopics(_ list: JSONValue, _ name: StaticString) throws(ContributionFault) {
        guard list.isArray else { throw Spot("topics", name).wrongType(list, "a list of topics") }
        var place = 0
        for topic in list.children {
            place += 1
            try checkTopic(topic, Spot("topics", name, place))
        }
    }

    static func checkTopic(_ value: JSONValue, _ spot: Spot) throws(ContributionFault) {
        let topic = try text(value, spot)
        guard isTopic(topic) else {
            throw spot.fault(.badValue, about: value, hint: "a topic has only letters, digits and - _ . ~ %, and at most 900 of them") {
                "`\(spot.text)` = \($0) is not a topic"
            }
        }
    }

    /// `[a-zA-Z0-9-_.~%]{1,900}`, as the SDKs of FCM ask for.
    static func isTopic(_ topic: JSONText) -> Bool {
        guard (1...900).contains(topic.count) else { return false }
        for place in 0..<topic.count {
            switch topic.byte(place) {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                UInt8(ascii: "~"), UInt8(ascii: "%"):
                continue
            default: return false
            }
        }
        return true
    }

    static func labels(_ value: JSONValue) throws(ContributionFault) -> ContributedLabels {
        if value.isArray && value.count == 0 { return ContributedLabels(object: nil) }
        guard value.isObject else { throw Spot("labels").wrongType(value, "a table of texts by name") }
        for label in value.children where !label.isString {
            throw ContributionFault.wrongLabel(label)
        }
        return ContributedLabels(object: value)
    }

    /// Returned values are at most 16 deep; whatever is deeper than 64 is not looked into and not taken.
    static func containsFunction(_ value: JSONValue, depth: Int) -> Bool {
        if value.kind == .function || depth > 64 { return true }
        for child in value.children where containsFunction(child, depth: depth + 1) { return true }
        return false
    }
}
