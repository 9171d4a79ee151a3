// The same messages, phone, state, time and rules give the same bytes: on every run, in every zone and language of the
// machine, whatever seed it hashes with, and with the state read back from a file halfway.
import Foundation
import Testing

@Suite("The same question has the same answer, byte for byte")
struct SamenessTests {
    private static let messages = GeneratedMessages.lines(1000, seed: 20_261_130)

    /// Lines of the messages, and what is said about the phone and the moment. The state is carried from one to the next.
    private static let passes: [(lines: Range<Int>, flags: String)] = [
        (0..<300, "--recipient u-1 --state foreground --tab chat --path room-1 --now 2026-03-29T00:30:00Z"),
        (
            300..<500,
            "--device '{\"accounts\":[\"u-2\"]}' --recipient u-2 --state background --tap --timezone Asia/Seoul --now 2026-03-29T12:30:00Z"
        ),
        (500..<600, "--recipient u-1 --state terminated --tap --action REPLY --now 2026-03-29T21:30:00Z"),
        (600..<800, "--recipient u-3 --state inactive --permission provisional --now 2026-10-25T00:30:00Z"),
        (800..<900, "--recipient u-2 --state background --event receive --set channel.letters=on --now 2026-10-25T01:30:00Z"),
        (900..<1000, "--recipient u-1 --state foreground --event open --now 2026-10-25T02:30:00Z"),
        // The app comes to the front: one answer for each line, the first of which empties what was waiting.
        (0..<3, "--recipient u-1 --state foreground --event resume --now 2026-10-25T03:30:00Z"),
        (3..<6, "--recipient u-2 --state foreground --event resume --now 2026-10-25T03:30:00Z"),
    ]

    /// - Parameters:
    ///   - surroundings: shell assignments.
    ///   - pieces: the lines of a pass are handed to so many programs, one after the other, each reading the state anew.
    /// - Returns: every line written, then the state file.
    private static func run(in surroundings: String, pieces: Int = 1) throws -> [String] {
        var script = [
            "cp -r \(BuiltProgram.house.path)/Tests/Cases/determinism/rules .", "rulehost() { env \(surroundings) rulehost \"$@\"; }",
        ]
        for (lines, flags) in passes {
            let size = (lines.count + pieces - 1) / pieces
            for start in stride(from: lines.lowerBound, to: lines.upperBound, by: size) {
                let end = min(start + size, lines.upperBound)
                // 5: a rule failed, which some of these messages make it do.
                script.append(
                    "sed -n '\(start + 1),\(end)p' messages.ndjson > part.ndjson; rulehost eval --app everything --format ndjson --trace \(flags) --apply state.json part.ndjson 2>> told || [ $? = 5 ] || exit 1"
                )
            }
        }
        script.append("cat state.json")
        let test = CommandLineCase(
            name: surroundings, files: [(path: "messages.ndjson", lines: messages), (path: "rules/none", lines: [])], script: script)
        let answer = try BuiltProgram.run(test)
        #expect(answer.exitCode == 0 && answer.errors.isEmpty, "\(answer.errors.prefix(5))")
        return answer.output
    }

    private static let usual: [String] = {
        do { return try run(in: "TZ=UTC LANG=C") } catch { return ["\(error)"] }
    }()

    @Test("The messages cause answers of every kind")
    func kinds() {
        let all = Self.usual.joined(separator: "\n")
        #expect(Self.usual.count > 1000)
        for part in [
            "defer", "suppress", "show", "guard:channel_switch", "guard:empty", "guard:account", "link_not_allowed", "one of many",
            "not_run",
            "\"errors\"", "\"inbox\"", "\"pending\"", "\"change\"", "Asia/Seoul", "\"event\":\"resume\"", "\"event\":\"enrich\"",
        ] {
            let isThere = all.contains(part)
            #expect(isThere, "\(part)")
        }
    }

    @Test(
        "In other surroundings nothing changes",
        arguments: [
            "TZ=UTC LANG=C", "TZ=Asia/Seoul LANG=ko_KR.UTF-8 LC_ALL=ko_KR.UTF-8",
            "TZ=Pacific/Chatham LC_ALL=tr_TR.UTF-8 SWIFT_DETERMINISTIC_HASHING=1",
            "TZ=America/New_York LC_ALL=de_DE.UTF-8 LC_NUMERIC=de_DE.UTF-8 LUA_INIT=error MALLOC_PERTURB_=165", "TZ=:no/such/zone LC_ALL=C",
        ])
    func surroundings(_ surroundings: String) throws {
        try compare(Self.run(in: surroundings))
    }

    @Test("With the state read back from its file between messages nothing changes", arguments: [2, 7])
    func file(pieces: Int) throws {
        try compare(Self.run(in: "TZ=UTC LANG=C", pieces: pieces))
    }

    private func compare(_ answer: [String]) {
        #expect(answer.count == Self.usual.count)
        let first = zip(answer, Self.usual).first { $0 != $1 }
        #expect(first == nil)
    }
}
