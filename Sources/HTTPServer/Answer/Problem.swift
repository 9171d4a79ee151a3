// Problems as RFC 9457 wants them, for what the server itself has to say. A handler that has more to tell makes its own
// (HTTPHandler.problem).

/// `application/problem+json`, of type about:blank.
public struct Problem: Sendable {
    public var status: Int
    /// Stable: for programs.
    public var code: String
    public var detail: String

    public init(status: Int, code: String, detail: String) {
        self.status = status
        self.code = code
        self.detail = detail
    }

    public init(_ refusal: Refusal) {
        self.init(status: refusal.status, code: refusal.code, detail: refusal.detail)
    }

    public func answer() -> Answer {
        var text = #"{"type":"about:blank","title":""# + StatusWords.reason(status) + #"","status":"# + String(status)
        text += #","detail":"# + Problem.quoted(detail) + #","code":"# + Problem.quoted(code)
        return Answer(status: status, .problem, Array((text + "}\n").utf8))
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\u{0}"..<"\u{20}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
