// The words beside the numbers of answers (RFC 9110 section 15). Used by what writes heads and problems; a number that is not
// in here goes out with an empty word, which is allowed.

enum StatusWords {
    static func reason(_ status: Int) -> String {
        switch status {
        case 100: "Continue"
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 204: "No Content"
        case 301: "Moved Permanently"
        case 303: "See Other"
        case 304: "Not Modified"
        case 307: "Temporary Redirect"
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 406: "Not Acceptable"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 410: "Gone"
        case 411: "Length Required"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 417: "Expectation Failed"
        case 421: "Misdirected Request"
        case 422: "Unprocessable Content"
        case 428: "Precondition Required"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        case 505: "HTTP Version Not Supported"
        case 507: "Insufficient Storage"
        default: ""
        }
    }

    /// The whole first line.
    static func line(_ status: Int) -> [UInt8] {
        if let line = lines[status] { return line }
        return Array("HTTP/1.1 \(status) \(reason(status))\r\n".utf8)
    }

    private static let lines: [Int: [UInt8]] = {
        var lines: [Int: [UInt8]] = [:]
        for status in 200..<600 where !reason(status).isEmpty { lines[status] = Array("HTTP/1.1 \(status) \(reason(status))\r\n".utf8) }
        return lines
    }()
}
