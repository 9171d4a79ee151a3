// The made-up day that examples, pages and measurements use.
import Foundation
import Testing

struct TrafficDayTests {
    private static func run(_ script: String...) throws -> BuiltProgram.Answer {
        try BuiltProgram.run(CommandLineCase(name: "day", script: script))
    }

    @Test("The day in examples is what the generator makes from its seed, to the byte")
    func day() throws {
        let answer = try Self.run("make-traffic --seed 1 --events 400 --people 60 | cmp - examples/traffic/chat-day.ndjson && echo same")
        #expect(answer.output == ["same"] && answer.errors.isEmpty)
    }

    @Test("A day has as many lines as were asked for, in order of time, and all of them can be read")
    func lines() throws {
        let answer = try Self.run(
            "make-traffic --seed 7 --events 3000 --people 200 > day.ndjson; wc -l < day.ndjson",
            "grep -o '^{\"at\":\"[^\"]*' day.ndjson | LC_ALL=C sort -c && echo in order",
            "rulehost diff rules rules --traffic day.ndjson --format json | grep -E '\"(events|changed|unreadable|out_of_order)\":'",
            "make-traffic --seed 8 --events 3000 --people 200 | cmp -s - day.ndjson || echo another day")
        #expect(answer.errors.isEmpty && answer.exitCode == 0)
        #expect(
            answer.output.map { $0.trimmingCharacters(in: .whitespaces) } == [
                "3000", "in order", "\"events\": 3000,", "\"changed\": 0,", "\"left_out\": {\"other_apps\": 0, \"unreadable\": 0},",
                "\"out_of_order\": 0",
                "another day",
            ])
    }

    @Test("What happens is spread as the page beside it says")
    func spread() throws {
        let answer = try Self.run("make-traffic --seed 3 --events 4000 --people 400")
        let count = Double(answer.output.count)
        func part(_ words: String) -> Double { Double(answer.output.count { $0.contains(words) }) / count }
        #expect((0.25...0.35).contains(part("\"name\":\"android\"")))
        #expect((0.01...0.03).contains(part("\"event\":\"resume\"")))
        #expect((0.001...0.01).contains(part("\"name\":\"settings\"")))
        #expect((0.08...0.16).contains(part("\"channel\":\"offers\"")), "\(part("\"channel\":\"offers\""))")
        #expect((0.10...0.25).contains(part("\"tap\":true")))
        #expect((0.30...0.50).contains(part("Asia/Seoul")))
        // Copies have the id of a message that was there before.
        let ids = answer.output.compactMap { $0.firstMatch(of: /"(?:gcm\.)?message_id":"(m-[0-9]+)"|"apns-id":"(m-[0-9]+)"/) }.map {
            $0.output.1 ?? $0.output.2 ?? ""
        }
        let copies = Double(ids.count - Set(ids).count) / Double(ids.count)
        #expect((0.01...0.05).contains(copies), "\(copies)")
    }

    @Test(
        "Words that are none are told with those that are",
        arguments: ["--sed 1", "--events none", "--people 0", "--day tomorrow", "--seed"])
    func usage(_ words: String) throws {
        let answer = try Self.run("make-traffic \(words)")
        #expect(answer.exitCode == 2 && answer.output.isEmpty && answer.errors.count == 1)
    }

    @Test(
        "The day is written anew when that is asked for",
        .enabled(if: ProcessInfo.processInfo.environment["RULEHOST_UPDATE"] != nil))
    func update() throws {
        let answer = try Self.run("make-traffic --seed 1 --events 400 --people 60")
        let file = BuiltProgram.house.appendingPathComponent("examples/traffic/chat-day.ndjson")
        try Data((answer.output.joined(separator: "\n") + "\n").utf8).write(to: file)
    }
}
