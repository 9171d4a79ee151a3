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
            for (block, step, answer) in try Self.runs(of: page) {
                count += 1
                let difference = step.expected.difference(from: answer.output)
                #expect(difference == nil, "\(page.path):\(block.line): $ \(step.command)\n\(difference ?? "")")
            }
        }
        #expect(count > 0, "no page shows a command")
    }

    @Test(
        "the output in the pages is written anew when that is asked for",
        .enabled(if: ProcessInfo.processInfo.environment["RULEHOST_UPDATE"] != nil))
    func update() throws {
        for page in try Page.all() {
            var lines = page.lines
            // From the end, so that the places of the blocks before stay as they are.
            for (block, step, answer) in try Self.runs(of: page).reversed()
            where step.expected.difference(from: answer.output) != nil {
                let first = block.line + step.line
                let written = answer.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
                lines.replaceSubrange(first..<(first + step.expected.lines.count), with: written.trimmed)
            }
            let file = Repository.root.appendingPathComponent(page.path)
            try lines.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
        }
    }

    /// Every command of a page, in order, with what it wrote; all of them on one desk.
    private static func runs(of page: Page) throws -> [(block: Page.Block, step: Step, answer: Desk.Answer)] {
        let desk = try Desk()
        return try page.blocks.filter { $0.kind == "console" }.flatMap { block in
            let steps = steps(of: block)
            let answers = try desk.run(steps.map(\.command))
            try #require(answers.count == steps.count, "\(page.path):\(block.line): the shell ended early")
            return zip(steps, answers).map { (block, $0, $1) }
        }
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

    @Test("every block of Lua loads as a rule or as a manifest, or fails with the error that its page is about")
    func lua() throws {
        for page in try Page.all() {
            for block in page.blocks where block.kind == "lua" {
                let desk = try Desk()
                let app = desk.folder.appendingPathComponent("rules/page")
                try FileManager.default.createDirectory(at: app, withIntermediateDirectories: true)
                // A block that begins with the name of a file is that file.
                let named = block.lines.first.flatMap { $0.hasPrefix("-- lib/") ? String($0.dropFirst(3)) : nil }
                let isManifest = named == nil && block.lines.contains { $0.hasPrefix("return") }
                let manifest = isManifest ? block.text : "return { api = 1, tabs = { \"home\", \"chat\" } }\n"
                try manifest.write(to: app.appendingPathComponent("app.lua"), atomically: true, encoding: .utf8)
                if !isManifest {
                    let file = app.appendingPathComponent(named ?? "rules.lua")
                    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                    try block.text.write(to: file, atomically: true, encoding: .utf8)
                }
                let eval = "rulehost eval --app page --state foreground examples/messages/chat-apns.json"
                let answer = try #require(try desk.run([eval]).first)
                let isShown = page.errorCode.map { answer.output.contains("[\($0)]") } ?? false
                #expect(answer.exitCode == 0 || isShown, "\(page.path):\(block.line): \(answer.output)")
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

    private struct Step {
        var command: String
        /// Of its output, from 0 in the block.
        var line: Int
        var expected: Expectation
    }

    private static func steps(of block: Page.Block) -> [Step] {
        var steps: [(command: String, line: Int, output: [String])] = []
        for (index, line) in block.lines.enumerated() {
            if line.hasPrefix("$ ") {
                steps.append((String(line.dropFirst(2)), index + 1, []))
            } else if let last = steps.indices.last {
                steps[last].output.append(line)
            }
        }
        return steps.map { Step(command: $0.command, line: $0.line, expected: Expectation(lines: $0.output.trimmed)) }
    }
}

extension [String] {
    /// Without empty lines at the end.
    fileprivate var trimmed: [String] {
        var lines = self
        while lines.last == "" { lines.removeLast() }
        return lines
    }
}
