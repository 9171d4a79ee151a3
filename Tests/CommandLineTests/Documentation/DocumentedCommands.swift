// The documentation is true: every command shown is run and its output compared, every block of JSON is read, every
// block of Lua is loaded as rules. The rules by which a page is written stand in CONTRIBUTING.md.
import Foundation
import Testing

@Suite("The documentation runs")
struct DocumentedCommands {
    @Test("every command of every page answers what the page shows")
    func commands() throws {
        var count = 0
        for page in try Page.all() {
            let desk = try Desk()
            for block in page.blocks where block.kind == "console" {
                let steps = Self.steps(of: block)
                let answers = try desk.run(steps.map(\.command))
                #expect(answers.count == steps.count, "\(page.path):\(block.line): the shell ended early")
                for (step, answer) in zip(steps, answers) {
                    count += 1
                    let difference = step.expected.difference(from: answer.output)
                    #expect(difference == nil, "\(page.path):\(block.line): $ \(step.command)\n\(difference ?? "")")
                }
            }
        }
        #expect(count > 0, "no page shows a command")
    }

    @Test("every block of JSON in a page is JSON")
    func json() throws {
        for page in try Page.all() {
            for block in page.blocks where block.kind == "json" {
                #expect(throws: Never.self, "\(page.path):\(block.line)") {
                    try JSONSerialization.jsonObject(with: Data(block.text.utf8), options: .fragmentsAllowed)
                }
            }
        }
    }

    @Test("every block of Lua in a page loads as a rule or as a manifest")
    func lua() throws {
        for page in try Page.all() {
            for block in page.blocks where block.kind == "lua" {
                let desk = try Desk()
                let app = desk.folder.appendingPathComponent("rules/page")
                try FileManager.default.createDirectory(at: app, withIntermediateDirectories: true)
                let isManifest = block.lines.contains { $0.hasPrefix("return") }
                let manifest = isManifest ? block.text : "return { api = 1, tabs = { \"home\", \"chat\" } }\n"
                try manifest.write(to: app.appendingPathComponent("app.lua"), atomically: true, encoding: .utf8)
                if !isManifest {
                    try block.text.write(to: app.appendingPathComponent("rules.lua"), atomically: true, encoding: .utf8)
                }
                let answer = try desk.run(["rulehost eval --app page --format json examples/messages/chat-apns.json"])
                #expect(answer.first?.exitCode == 0, "\(page.path):\(block.line): \(answer.first?.output ?? "")")
            }
        }
    }

    @Test("no block is of a kind that nothing checks")
    func kinds() throws {
        // `text` is for pictures and trees, `sh` for what cannot run here (installing, cloning), `swift` for excerpts.
        let known: Set = ["console", "json", "lua", "text", "sh", "swift"]
        for page in try Page.all() {
            for block in page.blocks {
                #expect(known.contains(block.kind), "\(page.path):\(block.line): ```\(block.kind)")
            }
        }
    }

    private static func steps(of block: Page.Block) -> [(command: String, expected: Expectation)] {
        var steps: [(command: String, lines: [String])] = []
        for line in block.lines {
            if line.hasPrefix("$ ") {
                steps.append((String(line.dropFirst(2)), []))
            } else if let last = steps.indices.last {
                if steps[last].lines.isEmpty, steps[last].command.hasSuffix("\\"), line.hasPrefix("> ") {
                    steps[last].command += "\n" + line.dropFirst(2)
                } else {
                    steps[last].lines.append(line)
                }
            }
        }
        return steps.map { step in
            var lines = step.lines
            while lines.last == "" { lines.removeLast() }
            return (step.command, Expectation(lines: lines))
        }
    }
}
