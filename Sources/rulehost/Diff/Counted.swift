// Counts as people say them. Used by every report in words.
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
