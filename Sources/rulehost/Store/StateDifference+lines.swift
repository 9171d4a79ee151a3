// A difference of two states for people: a line for each value, the first forty of them. Shown by `state` before and after it changes
// something.
import RuleStore

extension StateDifference {
    private static let mostLines = 40
    private static let columns = 72

    func lines(_ ink: Ink) -> [String] {
        var lines = changes.prefix(StateDifference.mostLines).map { change in
            let path = change.path.printable
            switch (change.old, change.new) {
            case (let old?, let new?):
                return "  \(ink.paint("~", .caution)) \(path)  \(StateDifference.short(old)) → \(StateDifference.short(new))"
            case (nil, let new?): return "  \(ink.paint("+", .good)) \(path)  \(StateDifference.short(new))"
            case (let old, nil): return "  \(ink.paint("-", .bad)) \(path)  \(StateDifference.short(old ?? []))"
            }
        }
        let more = changes.count - lines.count
        if more > 0 { lines.append("  … and \(Figures.grouped(more)) more") }
        return lines
    }

    private static func short(_ json: [UInt8]) -> String {
        let text = String(decoding: json, as: UTF8.self).printable
        return TextWidth.of(text) > columns ? TextWidth.prefix(text, columns: columns - 1) + "…" : text
    }
}
