// Why a request has no decision: as RFC 9457 wants it, with the codes of the command line. Made wherever something is found,
// also by whoever serves; written once, as bytes. What a message or a phone holds is never in it.
import JSONDocument
public import RuleStore

public struct HostProblem: Error, Sendable, Equatable {
    /// Each has a page in docs/errors.
    public var code: String
    public var status: Int
    /// One sentence without a full stop.
    public var detail: String
    public var hint: String?
    /// Where in the body: a JSON pointer (RFC 6901); "" is the whole.
    public var pointer: String?
    /// From 1, in the body; the column in Unicode scalars.
    public var place: TextPlace?
    /// Seconds.
    public var retryAfter: Int?
    /// Of an app that does not load.
    public var faults: [AppFault] = []

    public init(
        code: String, status: Int, detail: String, hint: String? = nil, pointer: String? = nil, place: TextPlace? = nil,
        retryAfter: Int? = nil
    ) {
        self.code = code
        self.status = status
        self.detail = detail
        self.hint = hint
        self.pointer = pointer
        self.place = place
        self.retryAfter = retryAfter
    }

    public static let contentType = "application/problem+json"

    /// Codes that no other room gives.
    public enum Code: String, Sendable, CaseIterable {
        case requestInvalid = "request_invalid"
        case nowNotAllowed = "now_not_allowed"
        case queueFull = "queue_full"
        case hostClosing = "host_closing"
        case idempotencyMismatch = "idempotency_mismatch"
        case notPromoted = "not_promoted"
        case versionUnknown = "version_unknown"
        case versionRefused = "version_refused"
        case comparisonTooLong = "comparison_too_long"
    }

    public init(_ code: Code, status: Int, detail: String, hint: String? = nil, retryAfter: Int? = nil) {
        self.init(code: code.rawValue, status: status, detail: detail, hint: hint, retryAfter: retryAfter)
    }

    // MARK: as JSON

    public var body: [UInt8] {
        var writer = JSONWriter(reserving: 512)
        writer.beginObject()
        writer.member("type", "urn:rulehost:error:\(code)")
        writer.member("title", title)
        writer.member("status", status)
        writer.member("code", code)
        writer.member("detail", detail)
        writer.member("hint", hint)
        writer.member("pointer", pointer)
        if let place {
            writer.member("line", place.line)
            writer.member("column", place.column)
        }
        if !faults.isEmpty {
            writer.key("faults")
            AppFault.write(faults, into: &writer)
        }
        writer.endObject()
        return writer.bytes
    }

    private var title: String {
        switch status {
        case 400: "The request cannot be used"
        case 401: "Who asks is not known"
        case 403: "This is not allowed"
        case 404: "There is no such thing"
        case 409: "This does not fit to what is there"
        case 412: "Somebody else has changed this"
        case 413: "The request is too large"
        case 422:
            faults.isEmpty
                ? "The request cannot be carried out" : faults.allSatisfy(\.isOfCase) ? "The cases fail" : "The rules do not load"
        case 428: "The request must say what it expects"
        case 429: "These are too many requests"
        case 503: "This is not possible at the moment"
        default: status < 500 ? "The request cannot be used" : "The host has failed"
        }
    }
}
