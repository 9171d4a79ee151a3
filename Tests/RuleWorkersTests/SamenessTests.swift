// Bad rules, state and messages have the same answers byte for byte, whether rules run here or in a process of their own.
import Foundation
import JSONDocument
import PushMessage
import RuleEngine
import RuleLab
import RuleStore
import Testing

@testable import RuleWorkers

/// Asks both, and notes where they differ.
final class Twin: RuleEvaluating {
    let here: Evaluator
    let there: WorkerApp
    private(set) var differences: [String] = []
    private(set) var count = 0

    init(here: Evaluator, there: WorkerApp) {
        self.here = here
        self.there = there
    }

    var ruleset: Ruleset { there.ruleset }
    var warnings: [RuleWarning] { there.warnings }

    func evaluate(_ request: consuming EvaluationRequest) -> Evaluation {
        count += 1
        let request = request
        let one = here.evaluate(request)
        let other = there.evaluate(request)
        if Scene.json(one) != Scene.json(other) { differences.append("\(Scene.json(one))\n\(Scene.json(other))") }
        if one.effects != other.effects { differences.append("\(one.effects)\n\(other.effects)") }
        return other
    }

    static func load(_ app: String, _ files: [SourceFile], in pool: WorkerPool) throws -> Twin? {
        switch (RulesetLoader.load(app: app, files: files), pool.load(app: app, files: files)) {
        case (.loaded(let here), .loaded(let there)):
            #expect(here.ruleset.hash == there.ruleset.hash)
            #expect(here.warnings == there.warnings)
            #expect(here.ruleset.rules.map(\.name) == there.ruleset.rules.map(\.name))
            #expect(String(describing: here.ruleset.manifest) == String(describing: there.ruleset.manifest))
            return Twin(here: Evaluator(here), there: there)
        case (.failed(let here), .failed(let there)):
            #expect(here == there, "\(app)")
            return nil
        default:
            Issue.record("\(app) loads in one of two places only")
            return nil
        }
    }
}

@Suite("The same answers in a process of its own", .serialized) struct SamenessTests {
    private static let folders = ["rules", "Tests/Cases/apps"].map { RulesFolder(path: "\(Scene.house)/\($0)") }
    private static let apps: [(folder: Int, app: String)] = folders.indices.flatMap { place -> [(Int, String)] in
        do throws(StoreFault) { return try folders[place].apps().map { (place, $0) } } catch { return [] }
    }
    /// The real program.
    private static let pool = WorkerPool(program: "\(Scene.programs)/rulehost", workers: 2)

    @Test("All cases of all apps", arguments: apps)
    func cases(place: Int, app: String) throws {
        var twins: [Twin] = []
        _ = try AppCases.run(app, in: Self.folders[place]) { app, files in
            do {
                guard let twin = try Twin.load(app, files, in: Self.pool) else { return .failed([]) }
                twins.append(twin)
                return .ready(twin)
            } catch {
                Issue.record("\(error)")
                return .failed([])
            }
        }
        #expect(twins.map(\.count).reduce(0, +) > 0)
        for difference in twins.flatMap(\.differences).prefix(3) { Issue.record("\(app): \(difference)") }
    }

    @Test("All messages of the examples, in each state of the phone, with what they leave behind, traced")
    func examples() throws {
        let folder = "\(Scene.house)/examples/messages"
        let messages = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json") }.sorted()
        #expect(messages.count > 5)
        for app in try Self.folders[0].apps() {
            let twin = try #require(try Twin.load(app, try Self.folders[0].files(of: app), in: Self.pool))
            let manifest = twin.ruleset.manifest
            let (reader, devices) = (MessageReader(fields: manifest.fields, links: manifest.linkOrder), DeviceReader())
            var state = AppState()
            for (place, state_) in DeviceState.allCases.enumerated() {
                let device = Array(
                    #"{"recipient":"u-1","state":"\#(state_.rawValue)","tap":true,"timezone":"Asia/Seoul","odd":1,"topics":["a"]}"#.utf8)
                for name in messages {
                    let bytes = [UInt8](try #require(FileManager.default.contents(atPath: "\(folder)/\(name)")))
                    state = try device.withUnsafeBytes { device in
                        let device = try devices.read(device)
                        guard let message = try? reader.read(bytes, for: device.messageContext) else { return state }
                        let now = Instant(milliseconds: 1_767_268_800_000 + Int64(place) * 60_000)
                        let request = EvaluationRequest(
                            message: message, device: device, event: Event(.send), now: now, state: state,
                            options: EvaluationOptions(tracesRules: true, tracesLines: place % 2 == 0, payload: .shown))
                        return twin.evaluateJourney(request).state
                    }
                }
            }
            #expect(twin.count > messages.count)
            for difference in twin.differences.prefix(3) { Issue.record("\(app): \(difference)") }
        }
    }

    @Test("Folders of mistakes have the same faults at the same places")
    func mistakes() throws {
        let folder = "\(Scene.house)/Tests/Cases/rules"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix(".") }.sorted()
        #expect(names.count >= 30)
        for name in names {
            var files: [SourceFile] = []
            for case let path as String in FileManager.default.enumerator(atPath: "\(folder)/\(name)") ?? .init()
            where path.hasSuffix(".lua") {
                files.append(
                    SourceFile(path: path, bytes: [UInt8](FileManager.default.contents(atPath: "\(folder)/\(name)/\(path)") ?? Data())))
            }
            _ = try Twin.load("mistake", files, in: Self.pool)
        }
    }
}
