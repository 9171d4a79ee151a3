// The program that the build has just made, run by a shell in an empty folder that has only `rules` and `examples`.
import Foundation
import LuaSandbox

struct BuiltProgram {
    struct Answer {
        var output: [String]
        var errors: [String]
        var exitCode: Int
    }

    /// The top of the source tree.
    static let house = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Where the build puts programs: beside the tests that are running.
    static let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

    static func run(_ test: CommandLineCase) throws -> Answer {
        let manager = FileManager.default
        let place = manager.temporaryDirectory.appendingPathComponent("rulehost-\(UUID().uuidString)")
        let work = place.appendingPathComponent("work")
        try manager.createDirectory(at: work, withIntermediateDirectories: true)
        defer {
            do { try manager.removeItem(at: place) } catch { print("left behind: \(place.path)") }
        }
        for name in ["rules", "examples"] where !test.files.contains(where: { $0.path.hasPrefix("\(name)/") }) {
            try manager.createSymbolicLink(
                at: work.appendingPathComponent(name), withDestinationURL: house.appendingPathComponent(name))
        }
        for file in test.files {
            let path = work.appendingPathComponent(file.path)
            try manager.createDirectory(at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data((file.lines.joined(separator: "\n") + "\n").utf8).write(to: path)
        }
        let input = place.appendingPathComponent("input")
        try Data((test.input + [""]).joined(separator: "\n").utf8).write(to: input)
        let output = place.appendingPathComponent("output")
        let errors = place.appendingPathComponent("errors")
        for file in [output, errors] { try Data().write(to: file) }

        let process = Process()
        // A server in the process of the tests has switched it off for all that is started there.
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "--default-signal=PIPE", "timeout", "\(60 * ScriptLimits.slowness)", "bash", "-c", test.script.joined(separator: "\n"),
        ]
        process.currentDirectoryURL = work
        // A zone that must not show through, and no colours but those a test asks for.
        process.environment = [
            "PATH": "\(folder.path):/usr/local/bin:/usr/bin:/bin", "TZ": "America/New_York", "TERM": "xterm-256color",
            "LC_ALL": "C.UTF-8", "HOUSE": house.path,
        ]
        // Under a sanitizer a program knows its leaks by name, also where a test takes the PATH away.
        process.environment?["ASAN_SYMBOLIZER_PATH"] = ProcessInfo.processInfo.environment["ASAN_SYMBOLIZER_PATH"]
        process.standardInput = try FileHandle(forReadingFrom: input)
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        process.waitUntilExit()
        return Answer(
            output: try lines(of: output), errors: try lines(of: errors), exitCode: Int(process.terminationStatus))
    }

    private static func lines(of file: URL) throws -> [String] {
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
            .replacing(#/"ruleset": ?"[0-9a-f]{12}"/#) { $0.output.dropLast(13) + "*\"" }
            .replacing(#/"fuel": ?[1-9][0-9]*/#) { String($0.output.prefix { !$0.isNumber }) + "*" }
        guard !text.isEmpty else { return [] }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        return lines
    }
}
