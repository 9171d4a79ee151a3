// The path of a route as it is written in docs, with names for its parts: `/v1/apps/{app}/decide`. Read once, when the table of
// routes is made; then held against the segments of requests.

struct RoutePath: Sendable, CustomStringConvertible {
    private enum Part: Sendable, Equatable {
        case word(String)
        case name(String)
        /// One segment or more, to the end.
        case rest(String)
    }

    let description: String
    private let parts: [Part]

    /// - Parameter text: `{name}` is one segment, `{name…}` all that are left.
    init(_ text: String) {
        description = text
        parts = text.split(separator: "/").map { part in
            guard part.hasPrefix("{"), part.hasSuffix("}") else { return .word(String(part)) }
            let name = part.dropFirst().dropLast()
            return name.hasSuffix("…") ? .rest(String(name.dropLast())) : .name(String(name))
        }
    }

    var names: [String] {
        parts.compactMap { part in
            switch part {
            case .word: nil
            case .name(let name), .rest(let name): name
            }
        }
    }

    /// As OpenAPI writes it.
    var template: String { description.split(separator: "…", omittingEmptySubsequences: false).joined() }

    func matches(_ path: [String]) -> Bool {
        if path.count != parts.count {
            guard case .rest = parts.last, path.count > parts.count else { return false }
        }
        for (part, segment) in zip(parts, path) {
            switch part {
            case .word(let word): if word != segment { return false }
            // A slash at the end of a path is an empty segment, which is no name.
            case .name: if segment.isEmpty { return false }
            case .rest: return path.last?.isEmpty == false
            }
        }
        return true
    }
}
