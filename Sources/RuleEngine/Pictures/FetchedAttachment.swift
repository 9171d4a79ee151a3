// What somebody who has tried to fetch an attachment says about it: `fetched` in the details of the event `enrich`. The
// engine fetches nothing; phones, tests and `eval --fetch` tell it.
import JSONDocument
import PushMessage

/// Valid as long as the value it was read from.
public struct FetchedAttachment {
    public enum Failure: String, CaseIterable, Sendable {
        case unreachable, timeout, truncated
        case tooLarge = "too_large"
        /// A redirect to something that is not https.
        case insecureRedirect = "insecure_redirect"
        case privateAddress = "private_address"
    }

    /// Of the last answer.
    public let status: Int?
    /// What the content itself says that it is.
    public let type: String?
    public let bytes: Int?
    public let seconds: Double?
    public let failure: Failure?
    /// A word more on the failure.
    public let detail: String?

    /// Seconds that fetching may take: the app's extension has 30 in all, and must not be cut off while it hands over.
    public static let budget = 25

    static let keys = ["url", "status", "type", "bytes", "seconds", "error", "detail"]

    /// What is said of one address; nil: nothing.
    static func about(_ url: String, in details: JSONValue?) -> FetchedAttachment? {
        guard let facts = details?["fetched"] else { return nil }
        let entries = facts.isArray ? Array(facts.children) : [facts]
        guard let entry = entries.last(where: { entry in entry["url"]?.text.map { $0 == url } ?? false }) else { return nil }
        return FetchedAttachment(entry)
    }

    private init(_ entry: JSONValue) {
        status = entry["status"]?.integer.map { Int($0) }
        type = entry["type"]?.text?.string
        bytes = entry["bytes"]?.integer.map { Int($0) }
        seconds = entry["seconds"]?.double
        failure = entry["error"]?.text.flatMap { Failure(rawValue: $0.string) }
        detail = entry["detail"]?.text?.string
    }

    // MARK: checking

    /// Refuses details that cannot be read, before anything is decided by them.
    static func check(_ details: JSONValue) throws(RequestFault) {
        guard let facts = details["fetched"], !facts.isNull else { return }
        if facts.isArray {
            for (place, entry) in facts.children.enumerated() { try check(entry, at: "fetched[\(place)]") }
        } else {
            try check(facts, at: "fetched")
        }
    }

    private static func check(_ entry: JSONValue, at path: String) throws(RequestFault) {
        guard entry.isObject, entry["url"]?.isString ?? false else {
            throw fault(path, "`\(path)` must be an object with the `url` that was fetched")
        }
        for member in entry.children where !member.isNull {
            let key = member.key.string
            guard keys.contains(key) else {
                let nearest = PushMessage.DidYouMean.nearest(to: key, among: keys)
                throw fault(
                    "\(path).\(key)", "`\(path)` has no key `\(key)`",
                    hint: nearest.map { "did you mean `\($0)`?" } ?? "known keys: " + keys.joined(separator: ", "))
            }
            switch key {
            case "status", "bytes":
                guard let number = member.integer, (0...Int64(1) << 40).contains(number) else {
                    throw fault("\(path).\(key)", "`\(path).\(key)` must be a whole number, 0 or more")
                }
            case "seconds":
                guard let number = member.double, number >= 0 else {
                    throw fault("\(path).\(key)", "`\(path).\(key)` must be a number, 0 or more")
                }
            case "error":
                let words = Failure.allCases.map(\.rawValue)
                guard let word = member.text?.string, words.contains(word) else {
                    throw fault("\(path).error", "`\(path).error` is not known", hint: "one of " + words.joined(separator: ", "))
                }
            default:
                guard member.isString else { throw fault("\(path).\(key)", "`\(path).\(key)` must be a text") }
            }
        }
    }

    private static func fault(_ path: String, _ message: String, hint: String? = nil) -> RequestFault {
        RequestFault(
            code: .eventInvalid, path: path, message: message,
            hint: hint ?? "such as {\"url\": \"https://…\", \"status\": 200, \"type\": \"image/jpeg\", \"bytes\": 48211, \"seconds\": 0.4}")
    }
}
