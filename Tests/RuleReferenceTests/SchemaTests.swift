// The schemas take what rulehost takes and writes, and refuse what it refuses: said by a validator that is not ours.
import Foundation
import JSONDocument
import PushMessage
import RuleEngine
import RuleStore
import Testing

@testable import RuleReference

struct SchemaTests {
    private static let house = ReaderSourceTests.repository

    /// For each value: nil when it is valid, else why it is not.
    private static func validate(_ values: [[UInt8]], as kind: JSONSchema.Kind) throws -> [String?] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rulehost-schema-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { do { try FileManager.default.removeItem(at: folder) } catch { print("left behind: \(folder.path)") } }
        let schema = folder.appendingPathComponent("schema.json")
        let lines = folder.appendingPathComponent("values.ndjson")
        try Data(JSONSchema.bytes(of: kind)).write(to: schema)
        try Data(values.map { JSONLayout.line($0) }.joined(separator: [0x0A]) + [0x0A]).write(to: lines)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [house.appendingPathComponent("Tests/RuleReferenceTests/validate.py").path, schema.path, lines.path]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let answer = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(answer)")
        let verdicts = answer.split(separator: "\n").map { $0 == "ok" ? nil : String($0) }
        try #require(verdicts.count == values.count)
        return verdicts
    }

    private static func expectValid(_ values: [(name: String, bytes: [UInt8])], as kind: JSONSchema.Kind) throws {
        #expect(!values.isEmpty)
        for (value, verdict) in zip(values, try validate(values.map(\.bytes), as: kind)) {
            if let verdict { Issue.record("\(value.name): \(verdict)") }
        }
    }

    private static func files(_ folders: [String], where isWanted: (String) -> Bool) throws -> [(name: String, bytes: [UInt8])] {
        try folders.flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: house.appendingPathComponent(folder).path).sorted().filter(isWanted).map {
                path in
                (path, Array(try Data(contentsOf: house.appendingPathComponent("\(folder)/\(path)"))))
            }
        }
    }

    @Test("Every file of cases that we ship or test with is valid")
    func cases() throws {
        let files = try Self.files(["rules", "Tests/Cases/apps"]) { $0.contains("/cases/") && $0.hasSuffix(".json") }
        #expect(files.count > 50)
        try Self.expectValid(files, as: .aCase)
    }

    @Test("Every phone that we ship is valid")
    func devices() throws {
        try Self.expectValid(try Self.files(["examples/devices"]) { $0.hasSuffix(".json") }, as: .device)
    }

    @Test("Every line of the traffic that we ship is valid")
    func traffic() throws {
        let files = try Self.files(["examples/traffic"]) { $0.hasSuffix(".ndjson") }
        let lines = files.flatMap { file in
            file.bytes.split(separator: 0x0A).enumerated().map { ("\(file.name):\($0.offset + 1)", Array($0.element)) }
        }
        #expect(lines.count > 300)
        try Self.expectValid(lines, as: .traffic)
    }

    @Test(
        "The JSON examples of the reference are valid",
        arguments: [(Entry.Section.aCase, JSONSchema.Kind.aCase), (.stateFile, .state), (.traffic, .traffic), (.decision, .decision)])
    func examples(_ section: Entry.Section, _ kind: JSONSchema.Kind) throws {
        let values = Entry.entries(of: section).compactMap { entry -> (name: String, bytes: [UInt8])? in
            guard case .json(let text) = entry.example else { return nil }
            // The short state of a case is a part of one.
            let isState = section == .aCase && !text.hasPrefix("[")
            let whole = isState ? "[{\"name\": \"n\", \"state\": \(text), \"expect_state\": \(text)}]" : text
            return (entry.name, Array(whole.utf8))
        }
        try Self.expectValid(values, as: kind)
    }

    @Test("Every decision of the shipped apps on the shipped messages and phones is valid, and so is the state that they leave")
    func decisions() throws {
        let folder = RulesFolder(path: Self.house.appendingPathComponent("rules").path)
        let devices = try Self.files(["examples/devices"]) { $0.hasSuffix(".json") }.map(\.bytes)
        let lines = try String(contentsOf: Self.house.appendingPathComponent("examples/messages.ndjson"), encoding: .utf8)
        let messages =
            try Self.files(["examples/messages"]) { $0.hasSuffix(".json") }.map(\.bytes)
            + lines.split(separator: "\n").map { Array($0.utf8) }
        var decisions: [(name: String, bytes: [UInt8])] = []
        var states: [(name: String, bytes: [UInt8])] = []
        for app in try folder.apps() {
            guard case .loaded(let loaded) = RulesetLoader.load(app: app, files: try folder.files(of: app)) else {
                Issue.record("\(app) does not load")
                continue
            }
            let evaluator = Evaluator(loaded)
            let manifest = evaluator.ruleset.manifest
            var state = AppState()
            // A device is a view of what its reader holds, and of the bytes that were read.
            let deviceReader = DeviceReader()
            for (place, message) in messages.enumerated() {
                let deviceBytes = devices[place % devices.count]
                let read = try MessageReader(fields: manifest.fields, links: manifest.linkOrder).read(message)
                let journey = try withExtendedLifetime(deviceReader) {
                    try deviceBytes.withUnsafeBytes { deviceBytes in
                        evaluator.evaluateJourney(
                            EvaluationRequest(
                                message: read, device: try deviceReader.read(deviceBytes), event: Event(.send),
                                now: Instant(milliseconds: 1_767_268_800_000 + Int64(place) * 60_000),
                                state: state, options: EvaluationOptions(tracesRules: true, tracesLines: place % 2 == 0, payload: .shown)))
                    }
                }
                state = journey.state
                decisions += journey.evaluations.map { ("\(app), message \(place)", DecisionWriter.bytes(of: $0.decision)) }
            }
            states.append((app, StateWriter.file(state)))
        }
        #expect(decisions.count > 100)
        try Self.expectValid(decisions, as: .decision)
        try Self.expectValid(states, as: .state)
    }

    @Test("What is wrong is refused", arguments: JSONSchema.Kind.allCases)
    func wrong(_ kind: JSONSchema.Kind) throws {
        let text = try String(contentsOf: Self.house.appendingPathComponent("Tests/Cases/schemas/wrong.ndjson"), encoding: .utf8)
        let document = JSONDocument()
        var values: [(why: String, bytes: [UInt8])] = []
        for line in text.split(separator: "\n") {
            try document.read(Array(line.utf8))
            guard let root = document.root, root["kind"]?.text?.string == kind.rawValue, let value = root["value"] else { continue }
            var writer = JSONWriter()
            writer.value(value)
            values.append((root["why"]?.text?.string ?? "", writer.bytes))
        }
        #expect(values.count > 5)
        for (value, verdict) in zip(values, try Self.validate(values.map(\.bytes), as: kind)) {
            #expect(verdict != nil, "\(kind.rawValue): \(value.why)")
        }
    }
}
