// What may stand in the query of a route, and the check that nothing else does: a name that is misspelt would otherwise do
// nothing, and nobody would know.
import HTTPServer
import PushMessage
import RuleHosting

struct QueryParameter: Sendable {
    enum Kind: Sendable {
        /// `1` or `true`, `0` or `false`.
        case flag
        case oneOf([String])
        case number(ClosedRange<Int>)
        /// Of so many bytes at most.
        case text(most: Int)
    }

    let name: String
    let kind: Kind
    /// One sentence, no full stop.
    let summary: String

    private var expected: String {
        switch kind {
        case .flag: "1 or 0"
        case .oneOf(let words): words.joined(separator: ", ")
        case .number(let range): "a number from \(range.lowerBound) to \(range.upperBound)"
        case .text(let most): "at most \(most) bytes"
        }
    }

    private func takes(_ value: String) -> Bool {
        switch kind {
        case .flag: ["1", "true", "0", "false"].contains(value)
        case .oneOf(let words): words.contains(value)
        case .number(let range): Int(value).map { range.contains($0) } ?? false
        case .text(let most): value.utf8.count <= most
        }
    }

    /// nil: each item is known, has a value that counts, and stands there once.
    static func problem(of items: [QueryItem], among known: [QueryParameter]) -> HostProblem? {
        for (index, item) in items.enumerated() {
            guard let parameter = known.first(where: { $0.name == item.name }) else {
                let names = known.map(\.name)
                let hint =
                    DidYouMean.nearest(to: item.name, among: names).map { "did you mean `\($0)`?" }
                    ?? (names.isEmpty ? "nothing can be asked of it" : "it knows \(names.joined(separator: ", "))")
                return APIProblem.queryUnknown.problem("the query has `\(item.name.prefix(64))`, which this route does not know", hint)
            }
            guard parameter.takes(item.value) else {
                return APIProblem.queryInvalid.problem(
                    "`\(item.name)` in the query is not what can be asked", "write \(parameter.expected)")
            }
            if items[..<index].contains(where: { $0.name == item.name }) {
                return APIProblem.queryInvalid.problem("`\(item.name)` stands in the query more than once", "write it once")
            }
        }
        return nil
    }
}

extension RequestHead {
    /// Of a query that has been checked.
    func has(_ flag: String) -> Bool { query.contains { $0.name == flag && ($0.value == "1" || $0.value == "true") } }

    func value(ofQuery name: String) -> String? { query.first { $0.name == name }?.value }
}
