// Nothing that messages, phones, rules or cases say reaches a terminal as a command: every output for people, of a message
// whose texts are all hostile.
import Testing

@Suite("Whatever a text says, no output for people obeys it")
struct TerminalTests {
    /// Sets a title and a colour, moves the cursor, and begins a sequence in one character.
    private static let hostile = #"X\u001b]0;OWNED\u0007\u001b[31m\u009b2J\r\u0085\u2028X"#

    private static let message =
        #"{"message_id":"m-HERE","aps":{"alert":{"title":"HERE","subtitle":"HERE","body":"HERE"},"category":"HERE","thread-id":"HERE"},"channel":"HERE","place":"HERE","account":"HERE","odd HERE":"HERE","url":"shop://HERE","image":"https://example.com/HERE"}"#
        .replacing("HERE", with: hostile)

    private static let device =
        #"{"recipient":"u-HERE","state":"STATE","screen":{"tab":"HERE","path":["HERE","HERE"]},"accounts":["HERE"],"tap":TAP}"#
        .replacing("HERE", with: hostile)

    private static let rules = #"""
        rule "Lead" { on = { "open", "present", "resume" }, decide = function(msg, device)
          log(msg and msg.title or "none")
          if not msg then return nil end
          return { route = { tab = msg.data.place, path = { msg.data.place, msg.data.place }, account = device.accounts and device.accounts[1] or nil },
                   inbox = msg.title, labels = { place = msg.data.place }, reason = msg.body }
        end }
        rule "Fail" { on = "present", decide = function(msg) error(msg.title) end }
        rule "Hold" { on = "send", when = function(msg) return msg.data.hold end, decide = function(msg) return defer("resume", msg.body) end }
        """#

    private static func device(_ state: String, tap: Bool = false) -> String {
        device.replacing("STATE", with: state).replacing("TAP", with: "\(tap)")
    }

    private static let scripts: [String] =
        ["foreground", "background", "terminated"].flatMap { state in
            [false, true].map { tap in "rulehost eval --color never --trace=lines --device '\(device(state, tap: tap))' message.json" }
        } + [
            "rulehost eval --color never --device '\(device("terminated", tap: true))' --apply state.json message.json held.json message.json; "
                + "rulehost eval --color never --device '\(device("foreground"))' --event resume --state-file state.json",
            "rulehost eval --color never --format human --device '\(device("foreground"))' < lines.ndjson",
            "rulehost inspect message.json", "rulehost inspect --format ndjson message.json",
            "rulehost matrix message.json", "rulehost matrix --format csv message.json",
            "rulehost matrix --format csv --event open message.json",
            "rulehost replay --traffic traffic.ndjson", "rulehost replay --traffic traffic.ndjson --recipient \"$(cat name)\"",
            "rulehost diff old rules --app shop --traffic traffic.ndjson",
            "rulehost test", "rulehost test --format github", "rulehost test --format tap", "rulehost test --update=show",
            "rulehost check", "rulehost check --format github",
        ]

    @Test("Every output, of texts that are all hostile", arguments: scripts)
    func each(_ script: String) throws {
        let traffic = #"{"at":"2026-01-01T12:00:00Z","app":"shop","message":\#(Self.message),"device":\#(Self.device("foreground"))}"#
        let held = Self.message.replacing(#""place""#, with: #""hold":true,"place""#)
        let expected = #"{"display":{"action":"HERE"},"reason":"HERE"}"#.replacing("HERE", with: Self.hostile)
        let cases =
            #"[{"name":"Case \#(Self.hostile)","message":\#(Self.message),"device":\#(Self.device("foreground")),"expect":\#(expected)}]"#
        let answer = try BuiltProgram.run(
            CommandLineCase(
                name: "hostile",
                files: [
                    ("rules/shop/app.lua", ["return { api = 1, tabs = { \"chat\" }, links = { schemes = { \"shop\" } } }"]),
                    ("rules/shop/rules.lua", [Self.rules]), ("rules/shop/cases/all.json", [cases]),
                    ("old/shop/app.lua", ["return { api = 1 }"]), ("message.json", [Self.message]), ("held.json", [held]),
                    ("lines.ndjson", [Self.message, held]), ("traffic.ndjson", [traffic]), ("name", ["u-" + "X\u{1b}[31mX"]),
                ], script: [script]))
        let text = (answer.output + answer.errors).joined(separator: "\n")
        #expect(script.hasPrefix("rulehost check") || text.contains("X"), "\(answer)")
        // A sheet ends its lines as RFC 4180 says; JSON writes what is below a space with a backslash.
        let isJSON = script.contains("--format ndjson")
        let commands = text.replacing("\r\n", with: "\n").unicodeScalars.filter {
            $0 != "\n" && ($0.value < 0x20 || !isJSON && (0x7F...0x9F).contains($0.value))
        }
        #expect(commands.isEmpty, "\(text.debugDescription)")
    }
}
