// A comparison with the names of what was compared: what every form of the answer is made from. Made by the verb `diff` and by
// a host that is asked for one; written as JSON in here, so that both say the same.
import JSONDocument
public import RuleEngine

public struct Comparison {
    public struct Side {
        /// "rules", "main (3f2a9c41)"
        public let name: String
        /// In front of an app's name in the path of a file.
        public let path: String
        public let ruleset: Ruleset

        public init(name: String, path: String, ruleset: Ruleset) {
            self.name = name
            self.path = path
            self.ruleset = ruleset
        }
    }

    public let report: DiffReport
    public let app: String
    public let old: Side
    public let new: Side

    public init(report: DiffReport, app: String, old: Side, new: Side) {
        self.report = report
        self.app = app
        self.old = old
        self.new = new
    }

    /// The app's title.
    public var title: String { new.ruleset.manifest.title ?? app }

    /// In one line.
    public var json: [UInt8] {
        var writer = JSONWriter(reserving: 65_536)
        DiffWriter.write(report, into: &writer, head: writeHead)
        return writer.bytes
    }

    private func writeHead(into writer: inout JSONWriter) {
        writer.member("app", app)
        for (key, side) in [("old", old), ("new", new)] {
            writer.key(key)
            writer.beginObject()
            writer.member("name", side.name)
            writer.member("ruleset", side.ruleset.hash)
            writer.endObject()
        }
    }
}
