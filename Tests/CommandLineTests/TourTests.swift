// The walk through the shipped apps prints what examples/tour.txt shows.
import Foundation
import Testing

struct TourTests {
    private static let text = BuiltProgram.house.appendingPathComponent("examples/tour.txt")

    private static func walk() throws -> [String] {
        let answer = try BuiltProgram.run(CommandLineCase(name: "tour", script: ["$HOUSE/examples/tour.sh"]))
        try #require(answer.exitCode == 0 && answer.errors.isEmpty, "\(answer.errors)")
        return answer.output
    }

    @Test("The tour shows what its page shows")
    func tour() throws {
        let shown = try String(contentsOf: Self.text, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(try Self.walk() == shown.dropLast().map(String.init))
    }

    @Test("Every shipped app is a stop of the tour")
    func apps() throws {
        let script = try String(contentsOf: BuiltProgram.house.appendingPathComponent("examples/tour.sh"), encoding: .utf8)
        let apps = try FileManager.default.contentsOfDirectory(atPath: BuiltProgram.house.appendingPathComponent("rules").path)
        for app in apps where !app.hasPrefix("_") && !app.hasPrefix(".") { #expect(script.contains("--app \(app) "), "\(app)") }
    }

    @Test("The page is written anew when that is asked for", .enabled(if: ProcessInfo.processInfo.environment["RULEHOST_UPDATE"] != nil))
    func update() throws {
        try Data((try Self.walk().joined(separator: "\n") + "\n").utf8).write(to: Self.text)
    }
}
