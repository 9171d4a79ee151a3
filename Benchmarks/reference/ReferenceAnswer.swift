// What every engine's answer to the reference job comes down to, whatever else it says.
public import JSONDocument

public struct ReferenceAnswer: Sendable, Equatable {
    /// Of a message that is shown: its options, sorted.
    public var options: [String]?
    /// Of one that is suppressed.
    public var reason: String?
    public var badge: Int64?
    public var tab: String?
    public var path: [String]?

    /// As the engines without a word for it answer: {"display": […] | "suppress", "reason", "badge": n, "route"}.
    init(peer: JSONValue) {
        options = peer["display"].flatMap(ReferenceAnswer.texts)?.sorted()
        reason = peer["reason"]?.text?.string
        badge = peer["badge"]?.integer
        route(peer["route"])
    }

    /// A decision of rulehost.
    public init(decision: JSONValue) {
        let display = decision["display"]
        if display?["action"]?.text == "show" { options = display?["options"].flatMap(ReferenceAnswer.texts)?.sorted() }
        if display?["action"]?.text == "suppress" { reason = display?["reason"]?.text?.string }
        badge = decision["badge"]?["value"]?.integer
        route(decision["route"])
    }

    private mutating func route(_ route: JSONValue?) {
        tab = route?["tab"]?.text?.string
        path = route?["path"].flatMap(ReferenceAnswer.texts)
    }

    private static func texts(_ list: JSONValue) -> [String]? {
        list.isArray ? list.children.compactMap { $0.text?.string } : nil
    }
}
