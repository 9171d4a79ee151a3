// Finds what the tests of the documentation read: the pages themselves, their blocks, and the built program. Called by
// the tests beside it; knows nothing of what a block means.
import Foundation

struct Page {
    /// Relative to the repository.
    let path: String
    let lines: [String]

    struct Block {
        /// What stands after the backticks: `console`, `json`, `lua`, `lua app`.
        let kind: String
        /// Line of the opening backticks, from 1.
        let line: Int
        let lines: [String]

        var text: String { lines.joined(separator: "\n") + "\n" }
    }

    /// For `docs/errors/<code>.md`: the code.
    var errorCode: String? {
        guard path.hasPrefix("docs/errors/") else { return nil }
        return String(path.dropFirst("docs/errors/".count).dropLast(".md".count))
    }

    /// Every fenced block, in order.
    var blocks: [Block] {
        var found: [Block] = []
        var opened: (kind: String, line: Int, lines: [String])?
        for (index, line) in lines.enumerated() {
            if line.hasPrefix("```") {
                if let block = opened {
                    found.append(Block(kind: block.kind, line: block.line, lines: block.lines))
                    opened = nil
                } else {
                    opened = (String(line.dropFirst(3)), index + 1, [])
                }
            } else {
                opened?.lines.append(line)
            }
        }
        return found
    }

    /// Everything that people read: the pages at the top, `docs/` and the pages of the examples.
    static func all() throws -> [Page] {
        let files = FileManager.default
        let top = try files.contentsOfDirectory(atPath: Repository.root.path)
        let docs = try files.subpathsOfDirectory(atPath: Repository.root.appendingPathComponent("docs").path)
        let paths = top + docs.map { "docs/" + $0 } + ["examples/README.md", "examples/clients/README.md"]
        return try paths.filter { $0.hasSuffix(".md") }.sorted().map { path in
            let text = try String(contentsOf: Repository.root.appendingPathComponent(path), encoding: .utf8)
            return Page(path: path, lines: text.components(separatedBy: "\n"))
        }
    }
}

enum Repository {
    static let root: URL = {
        var url = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { url.deleteLastPathComponent() }
        return url
    }()

    /// The folder with the program that this test run has built: the tests stand beside it.
    static func products() throws -> URL {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(fileURLWithPath: tests).deletingLastPathComponent()
    }
}
