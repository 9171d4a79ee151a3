// What a stream costs does not depend on its length: the most memory that the built program ever had, of a short stream and of
// a long one.
import Foundation
import LuaSandbox
import Testing

@Suite("Memory does not grow with the length of a stream")
struct StreamMemoryTests {
    /// A mebibyte of the app's values in each message, always under the same keys.
    private static let rules = #"""
        rule "Fill" { on = "send", decide = function(msg)
          for key = 1, 17 do state.app.set("key " .. key, string.rep(msg.id, 10000)) end
        end }
        """#

    /// The most that the program had resident at one time, in KiB.
    private static func peak(messages count: Int) throws -> Int {
        let manager = FileManager.default
        let folder = manager.temporaryDirectory.appendingPathComponent("rulehost-\(UUID().uuidString)")
        let app = folder.appendingPathComponent("rules/shop")
        try manager.createDirectory(at: app, withIntermediateDirectories: true)
        defer {
            do { try manager.removeItem(at: folder) } catch { print("left behind: \(folder.path)") }
        }
        try Data("return { api = 1 }".utf8).write(to: app.appendingPathComponent("app.lua"))
        try Data(rules.utf8).write(to: app.appendingPathComponent("fill.lua"))
        let process = Process()
        process.executableURL = BuiltProgram.folder.appendingPathComponent("rulehost")
        process.currentDirectoryURL = folder
        process.arguments = [
            "eval", "--recipient", "u-1", "--event", "send", "--format", "ndjson", "--now", "2026-01-01T12:00:00Z", "--apply",
            "state.json",
        ]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        for number in 0..<count {
            let line = #"{"message_id":"m-\#(1000 + number)","aps":{"alert":"x"}}"#
            try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
            let answer = answer(from: output)
            try #require(answer.contains("\"display\"") && !answer.contains("\"errors\""), "\(answer)")
        }
        // It waits for the next one: what the system counted from its beginning on is still there.
        let status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let peak = try #require(status.firstMatch(of: #/VmHWM:\s+(\d+) kB/#)).output.1
        return try #require(Int(peak))
    }

    private static func answer(from pipe: Pipe) -> String {
        var bytes = Data()
        repeat {
            let more = pipe.fileHandleForReading.availableData
            guard !more.isEmpty else { break }
            bytes += more
        } while bytes.last != UInt8(ascii: "\n")
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(
        "What rules have overwritten since is let go of, also while a state is carried along",
        .enabled(if: ScriptLimits.slowness == 1, "a sanitizer keeps what was freed for a while"))
    func applied() throws {
        let (short, long) = (try Self.peak(messages: 30), try Self.peak(messages: 200))
        #expect(long < short * 2, "\(short) KiB, then \(long) KiB")
    }
}
