// What the tests of this folder share: a folder that goes away, a host with everything that watches it, and metrics as a reader sees them.
import EffectStore
import Foundation
import PushMessage
import RuleHosting
import RuleStore

@testable import HostTelemetry

final class Scene: Sendable {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("telemetry-\(UUID().uuidString)").path
    var rules: String { "\(folder)/rules" }
    var log: String { "\(folder)/decisions.ndjson" }

    static let house = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    /// Where the build puts programs: beside the tests that are running.
    static let programs = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
    static let noon = Instant("2026-01-01T12:00:00Z") ?? Instant(milliseconds: 0)

    init() throws { try FileManager.default.createDirectory(atPath: rules, withIntermediateDirectories: true) }

    deinit {
        do { try FileManager.default.removeItem(atPath: folder) } catch { print("left behind: \(folder)") }
    }

    func write(_ app: String, _ rules: String) throws {
        let path = "\(self.rules)/\(app)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try "return { api = 1 }".write(toFile: "\(path)/app.lua", atomically: true, encoding: .utf8)
        try rules.write(toFile: "\(path)/rules.lua", atomically: true, encoding: .utf8)
    }

    func host(
        _ telemetry: HostTelemetry, store: EffectStore? = nil, rules: String? = nil, isolation: HostSettings.Isolation = .thread,
        stage: String? = nil,
        clock: @escaping @Sendable () -> Instant = { Scene.noon }
    ) throws -> RuleHost {
        var settings = HostSettings()
        settings.isolation = isolation
        settings.stage = stage
        settings.program = "\(Scene.programs)/rulehost"
        settings.shards = 2
        let host = try RuleHost(
            rules: RulesFolder(path: rules ?? self.rules), store: store.map { .durable($0) } ?? .memory, settings: settings, clock: clock,
            watch: telemetry)
        telemetry.look(at: host, store)
        return host
    }

    func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    func lines(_ path: String? = nil) throws -> [[String: Any]] {
        try text(path ?? log).split(separator: "\n").map { line in
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
        }
    }

    static func body(_ recipient: String = "u-1", id: String, event: String = "present", data: String = "") -> [UInt8] {
        Array(
            #"{"event":"\#(event)","message":{"message_id":"\#(id)","aps":{"alert":{"title":"Hello","body":"there"}}\#(data)},"device":{"recipient":"\#(recipient)","state":"foreground"}}"#
                .utf8)
    }
}

/// Waits for answers, which come on other threads.
final class Waiting: AnswerTaking {
    private let answers = Monitor<[UInt64: HostAnswer]>([:])

    func take(_ answers: [HostAnswer]) { self.answers.change { all in for answer in answers { all[answer.tag] = answer } } }

    func all(_ count: Int) -> [HostAnswer] {
        answers.wait { all in all.count >= count ? (0..<UInt64(count)).compactMap { all[$0] } : nil }
    }
}

extension RuleHost {
    func ask(_ app: String, _ bodies: [[UInt8]], _ options: DecideOptions = DecideOptions()) -> [HostAnswer] {
        let waiting = Waiting()
        decide(bodies.enumerated().map { DecideRequest(app: app, body: $1, options: options, tag: UInt64($0)) }, to: waiting)
        return waiting.all(bodies.count)
    }
}

extension HostTelemetry {
    /// Lines without comments, as `name{labels}` → value.
    var numbers: [String: Double] {
        var numbers: [String: Double] = [:]
        for line in String(decoding: metrics(), as: UTF8.self).split(separator: "\n") where !line.hasPrefix("#") {
            guard let blank = line.lastIndex(of: " ") else { continue }
            numbers[String(line[..<blank])] = Double(line[line.index(after: blank)...])
        }
        return numbers
    }
}

/// A program of an operator, where scripts/operators.sh has put it, or where the system has it.
enum OperatorTool {
    static func path(_ name: String) -> String? {
        [".build/operators/usr/bin/", ".build/operators/usr/sbin/"].map { "\(Scene.house.path)/\($0)\(name)" }
            .appending("/usr/bin/\(name)", "/usr/sbin/\(name)", "/usr/local/bin/\(name)")
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// What it says on both outputs, and how it ends.
    static func run(_ name: String, _ arguments: [String], input: [UInt8]? = nil, in folder: String? = nil) throws -> (
        text: String, code: Int32
    ) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path(name) ?? name)
        process.arguments = arguments
        if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("tool-\(UUID().uuidString)").path
        try Data(input ?? []).write(to: URL(fileURLWithPath: file))
        try Data().write(to: URL(fileURLWithPath: "\(file).out"))
        let output = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(file).out"))
        process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: file))
        process.standardOutput = output
        process.standardError = output
        try process.run()
        process.waitUntilExit()
        let text = try String(contentsOfFile: "\(file).out", encoding: .utf8)
        for path in [file, "\(file).out"] { try FileManager.default.removeItem(atPath: path) }
        return (text, process.terminationStatus)
    }
}

extension [String] {
    fileprivate func appending(_ more: String...) -> [String] { self + more }
}
