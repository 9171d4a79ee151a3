// A comparison with the names of what was compared: what every form of the answer is made from.
import JSONDocument
import PushMessage
import RuleEngine
import RuleLab

struct Comparison {
    struct Side {
        /// "rules", "main (3f2a9c41)"
        let name: String
        /// In front of an app's name in the path of a file.
        let path: String
        let ruleset: Ruleset
    }

    let report: DiffReport
    let app: String
    let old: Side
    let new: Side
    let traffic: String

    /// The app's title.
    var title: String { new.ruleset.manifest.title ?? app }

    func writeHead(into writer: inout JSONWriter) {
        writer.key("app")
        writer.string(app)
        for (key, side) in [("old", old), ("new", new)] {
            writer.key(key)
            writer.beginObject()
            writer.key("name")
            writer.string(side.name)
            writer.key("ruleset")
            writer.string(side.ruleset.hash)
            writer.endObject()
        }
    }
}

/// Counts as people say them.
enum Counted {
    static func events(_ count: Int) -> String { of(count, "event", "events") }
    static func people(_ count: Int) -> String { of(count, "person", "people") }

    static func of(_ count: Int, _ one: String, _ many: String) -> String { "\(Figures.grouped(count)) \(count == 1 ? one : many)" }

    /// "5.0 %", and never "0.0 %" for something.
    static func percent(_ count: Int, of all: Int) -> String {
        guard all > 0, count > 0 else { return "0 %" }
        let tenths = Int((1000 * Double(count) / Double(all)).rounded())
        return tenths == 0 ? "under 0.1 %" : "\(tenths / 10).\(tenths % 10) %"
    }
}
