// How a canary does beside those who have the rules of all: what `versions` adds for people when a host that runs has one. Counts are those
// that GET /v1/apps/{app} has; whoever judges by program takes them from there.
import JSONDocument

struct CanaryReport {
    let text: String

    /// - Parameter app: what a host tells of an app; nil: it tries no version, or counts nothing.
    init?(_ app: JSONValue) {
        guard let canary = app["canary"], let percent = canary["percent"]?.integer, let hash = canary["ruleset"]?.text?.string,
            let sides = app["counters"]?["rulesets"]
        else { return nil }
        let name = app["app"]?.text?.string ?? ""
        var table = PlainTable(columns: 3)
        for side in ["canary", "base"] {
            guard let counts = sides[side] else { continue }
            table.add(["  \(side)", CanaryReport.decisions(counts), "a rule failed in \(counts["errors"]?.integer ?? 0)"])
        }
        text = "\(name): \(hash) is tried on \(percent) of 100 recipients; since then".printable + "\n" + table.text
    }

    /// "54 decisions: show 50, suppress 4"
    private static func decisions(_ side: JSONValue) -> String {
        let actions = side["decisions"].map { $0.children.map { ($0.key.string, $0.integer ?? 0) } } ?? []
        let told = actions.filter { $0.1 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        return "\(actions.map(\.1).reduce(0, +)) decisions" + (told.isEmpty ? "" : ": \(told)")
    }
}
