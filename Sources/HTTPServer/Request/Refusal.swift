// Why the server itself answers a request, before or instead of a route. Made by what reads requests and by deadlines; what it
// looks like on the wire is the handler's (HTTPHandler.problem). Nothing in here repeats bytes of the request.

/// Something that is wrong with a request as a message of HTTP, or with the moment at which it comes.
public enum Refusal: Error, Sendable, Hashable, CaseIterable {
    case plainHTTP
    case malformedHead
    case bareLineFeed
    case invalidFieldName
    case invalidFieldValue
    case invalidHost
    case invalidTarget
    case invalidPath
    case ambiguousLength
    case invalidLength
    case invalidChunk
    case headLate
    case bodyLate
    case bodyTooLarge
    case targetTooLong
    case expectationUnknown
    case headTooLarge
    case tooManyFields
    case methodUnknown
    case codingUnknown
    case busy
    case tooManyBodies
    case versionUnknown

    public var status: Int {
        switch self {
        case .plainHTTP, .malformedHead, .bareLineFeed, .invalidFieldName, .invalidFieldValue, .invalidHost, .invalidTarget, .invalidPath,
            .ambiguousLength, .invalidLength, .invalidChunk:
            400
        case .headLate, .bodyLate: 408
        case .bodyTooLarge: 413
        case .targetTooLong: 414
        case .expectationUnknown: 417
        case .headTooLarge, .tooManyFields: 431
        case .methodUnknown, .codingUnknown: 501
        case .busy, .tooManyBodies: 503
        case .versionUnknown: 505
        }
    }

    /// Stable: for programs.
    public var code: String {
        switch self {
        case .plainHTTP: "plain_http"
        case .malformedHead: "malformed_head"
        case .bareLineFeed: "bare_line_feed"
        case .invalidFieldName: "invalid_field_name"
        case .invalidFieldValue: "invalid_field_value"
        case .invalidHost: "invalid_host"
        case .invalidTarget: "invalid_target"
        case .invalidPath: "invalid_path"
        case .ambiguousLength: "ambiguous_length"
        case .invalidLength: "invalid_length"
        case .invalidChunk: "invalid_chunk"
        case .headLate: "head_late"
        case .bodyLate: "body_late"
        case .bodyTooLarge: "body_too_large"
        case .targetTooLong: "target_too_long"
        case .expectationUnknown: "expectation_unknown"
        case .headTooLarge: "head_too_large"
        case .tooManyFields: "too_many_fields"
        case .methodUnknown: "method_unknown"
        case .codingUnknown: "coding_unknown"
        case .busy: "too_many_connections"
        case .tooManyBodies: "too_many_bodies"
        case .versionUnknown: "http_version_unknown"
        }
    }

    /// One sentence for people.
    public var detail: String {
        switch self {
        case .plainHTTP: "This port speaks HTTPS, and the request came as plain HTTP."
        case .malformedHead: "The head of the request is none of HTTP/1.1."
        case .bareLineFeed: "A line of the head ends without a carriage return."
        case .invalidFieldName: "The name of a header field has a byte that no name may have."
        case .invalidFieldValue: "The value of a header field has a control character, or goes on in a second line."
        case .invalidHost: "The request needs one field Host, with a host and at most a port."
        case .invalidTarget: "The target of the request is neither a path nor an address with http or https."
        case .invalidPath: "The path or the query is not percent-encoded UTF-8, or has an empty segment, `.`, `..` or a control character."
        case .ambiguousLength: "The length of the body is told more than once."
        case .invalidLength: "Content-Length is no number."
        case .invalidChunk: "The body is not in chunks as Transfer-Encoding says."
        case .headLate: "The head of the request did not come in time."
        case .bodyLate: "The body of the request did not come in time."
        case .bodyTooLarge: "The body is larger than is taken here."
        case .targetTooLong: "The target of the request is longer than 8 KiB."
        case .expectationUnknown: "Only 100-continue can be expected."
        case .headTooLarge: "The head of the request is larger than 16 KiB."
        case .tooManyFields: "The request has more than 100 header fields."
        case .methodUnknown: "This method is not known here."
        case .codingUnknown: "Of the transfer codings only chunked is known here."
        case .busy: "There are as many connections as this server takes."
        case .tooManyBodies: "The bodies that are coming fill the memory that this server has for them."
        case .versionUnknown: "Only HTTP/1.1 and HTTP/1.0 are spoken here."
        }
    }

    /// Seconds after which the same request may be welcome.
    public var retryAfter: Int? { status == 503 ? 1 : nil }
}
