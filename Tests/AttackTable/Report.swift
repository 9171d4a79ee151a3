// The lines of a run as text: each with its figures, tab by tab, and the totals by class, place and mode.
import Foundation

enum Report {
    static func file(_ lines: [Line]) -> String {
        var text = "script\tclass\texpected\tplace\tmode\tended\tms\tfuel\tmemory\tjudgement\n"
        for line in lines {
            let cells = [
                line.script.name, line.script.kind, line.script.expectation.rawValue, line.place.rawValue, line.mode.rawValue,
                line.ending.code, String(format: "%.1f", line.milliseconds), line.fuel.map { "\($0)" } ?? "-",
                line.memory.map { "\($0)" } ?? "-", line.wrong ?? "as expected",
            ]
            text += cells.joined(separator: "\t") + "\n"
        }
        return text
    }

    private static let groups = ["fuel", "memory", "time", "error", "refused", "returned"]

    /// A table as Markdown has them, in less than a hundred columns.
    static func totals(_ lines: [Line]) -> String {
        var rows = [["class", "where", "mode", "runs"] + groups + ["ms", "KiB"]]
        for kind in Set(lines.map(\.script.kind)).sorted() {
            for place in Place.allCases {
                for mode in Mode.allCases {
                    let part = lines.filter { $0.script.kind == kind && $0.place == place && $0.mode == mode }
                    if !part.isEmpty { rows.append([kind, place.rawValue, mode.rawValue] + figures(part)) }
                }
            }
        }
        rows.append(["all", "", ""] + figures(lines))
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        let texts = rows.map { row in
            "| "
                + row.enumerated().map { column, cell in
                    let space = String(repeating: " ", count: widths[column] - cell.count)
                    return column < 3 ? cell + space : space + cell
                }.joined(separator: " | ") + " |"
        }
        let rule =
            "|"
            + widths.enumerated().map { column, width in
                String(repeating: "-", count: width + (column < 3 ? 2 : 1)) + (column < 3 ? "" : ":")
            }.joined(separator: "|") + "|"
        return ([texts[0], rule] + texts.dropFirst()).joined(separator: "\n") + "\n"
    }

    private static func figures(_ lines: [Line]) -> [String] {
        let counts = groups.map { group in lines.count { $0.ending.group == group } }
        let milliseconds = lines.map(\.milliseconds).max() ?? 0
        let memory = lines.compactMap(\.memory).max() ?? 0
        return (["\(lines.count)"] + counts.map { $0 == 0 ? "" : "\($0)" }) + [String(format: "%.1f", milliseconds), "\(memory >> 10)"]
    }
}
