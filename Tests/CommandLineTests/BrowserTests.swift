// Every report opens in a browser, and the browser has nothing to complain of: no text became a script, nothing is fetched,
// no markup is broken so that its policy steps in.
import Foundation
import Testing

struct BrowserTests {
    private static let browser = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// Runs the commands, opens `page.html`, and gives what the browser's console says, and the page as it stands then.
    private static func open(_ files: [(path: String, lines: [String])] = [], _ script: String...) throws -> (
        console: [String], page: [String]
    ) {
        let browser = try #require(browser)
        let open =
            "\(browser) --headless --no-sandbox --disable-gpu --user-data-dir=$PWD/profile --enable-logging=stderr --dump-dom file://$PWD/page.html 2> log.txt; grep -o 'CONSOLE.*' log.txt >&2; true"
        let answer = try BuiltProgram.run(CommandLineCase(name: "browser", files: files, script: script + [open]))
        return (answer.errors, answer.output)
    }

    private static let traffic = "--traffic examples/traffic/chat-day.ndjson --html page.html > answer.txt"
    /// What somebody might hope to get into a page.
    private static let hostile = #"</title><script>throw 1</script><img src=x onerror=alert(1)><style>@import 'http://x';</style>"#

    @Test(
        "Reports open without a word in the browser's console",
        .enabled(if: browser != nil, "there is no chromium: scripts/setup.sh installs it"),
        arguments: [
            "rulehost matrix --app chat examples/messages/chat-fcm-v1.json --html page.html > answer.txt",
            "cp -rL rules new; sed -i 's/enabled = true/enabled = false/' new/chat/banner.lua; rulehost diff rules new \(traffic)",
            "rulehost replay \(traffic)", "rulehost replay --recipient u-0009 \(traffic)",
            "cp -rL rules few; rm few/chat/cases/tap.json; rulehost test chat --rules few --coverage=html --coverage-file page.html > answer.txt",
        ])
    func opens(_ command: String) throws {
        let (console, page) = try Self.open([], command)
        #expect(console.isEmpty)
        #expect(page.contains { $0.contains("<h1>Chat") || $0.contains("<h1>chat") } && page.contains { $0.contains("How this was found") })
    }

    @Test(
        "Whatever a message, a rule or a person is called, the page stays a page",
        .enabled(if: browser != nil, "there is no chromium: scripts/setup.sh installs it"))
    func hostileTexts() throws {
        let escaped = Self.hostile.replacing("\"", with: "\\\"")
        let line =
            #"{"at":"2026-03-02T09:00:00Z","app":"shop","message":{"aps":{"alert":"\#(escaped)"},"channel":"\#(escaped)"},"device":{"recipient":"\#(escaped)"}}"#
        let files = [
            ("rules/shop/app.lua", ["return { api = 1, title = \"\(escaped)\" }"]),
            ("rules/shop/rules.lua", ["rule \"\(escaped)\" { on = \"send\", decide = suppress \"\(escaped)\" }"]), ("day.ndjson", [line]),
        ]
        let (console, page) = try Self.open(files, "rulehost replay --traffic day.ndjson --html page.html > answer.txt")
        #expect(console.isEmpty)
        #expect(page.contains { $0.contains("&lt;script&gt;") } && !page.contains { $0.contains("<script") || $0.contains("<img") })
    }

    @Test(
        "Whatever a file of rules holds, the page that shows its lines stays a page",
        .enabled(if: browser != nil, "there is no chromium: scripts/setup.sh installs it"))
    func hostileSource() throws {
        let escaped = Self.hostile.replacing("\"", with: "\\\"")
        let files = [
            ("rules/shop/app.lua", ["return { api = 1 }"]),
            (
                "rules/shop/rules.lua",
                ["rule \"\(escaped)\" { on = \"send\", when = function() return nil end, -- \(Self.hostile)", "decide = suppress \"x\" }"]
            ),
        ]
        let (console, page) = try Self.open(
            files, "rulehost test --fail-on-empty=no --coverage=html --coverage-file page.html > answer.txt")
        #expect(console.isEmpty)
        #expect(page.contains { $0.contains("<code>rule") && $0.contains("&lt;script&gt;") })
        #expect(!page.contains { $0.contains("<script") || $0.contains("<img") })
    }

    @Test(
        "A page with a script or a picture in it is noticed",
        .enabled(if: browser != nil, "there is no chromium: scripts/setup.sh installs it"))
    func isNoticed() throws {
        let page = [
            "<!doctype html><meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'\">",
            "<img src=x.png><script>throw 1</script>",
        ]
        #expect(try Self.open([("page.html", page)]).console.count == 2)
    }
}
