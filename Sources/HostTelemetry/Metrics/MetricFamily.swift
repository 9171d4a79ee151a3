// What a metric is: its name, its kind, what its labels are. All of them stand in MetricTable; docs/operations.md shows the same.

public struct MetricFamily: Sendable {
    public enum Kind: String, Sendable { case counter, gauge, histogram }

    public let name: String
    public let kind: Kind
    public let labels: [String]
    /// One sentence, no full stop.
    public let help: String

    init(_ name: String, _ kind: Kind, _ labels: [String] = [], _ help: String) {
        self.name = name
        self.kind = kind
        self.labels = labels
        self.help = help
    }
}
