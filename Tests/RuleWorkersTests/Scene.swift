// What the tests of this folder share: a pool whose children are doubles, small apps, and questions about them.
import Foundation
import JSONDocument
import PushMessage
import RuleEngine
import Synchronization

@testable import RuleWorkers

enum Scene {
    static let house = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    /// Where the build puts programs: beside the tests that are running.
    static let programs = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
    static let double = "\(programs)/WorkerDouble"

    /// Children that misbehave when a message says so.
    static func pool(workers: Int = 1, clock: TestClock? = nil) -> WorkerPool {
        guard let clock else { return WorkerPool(program: double, workers: workers) }
        return WorkerPool(program: double, workers: workers) { clock.now }
    }

    static let rules = """
        rule "Keep quiet" {
          on = "present",
          when = function(msg) return msg.title == "quiet" end,
          decide = function() state.set("seen", true) return suppress "as it says" end,
        }
        """

    static func files(_ rules: String = rules, app: String = "return { api = 1, guards = { duplicate = false } }") -> [SourceFile] {
        [SourceFile(path: "app.lua", bytes: Array(app.utf8)), SourceFile(path: "rules.lua", bytes: Array(rules.utf8))]
    }

    static func app(
        _ name: String = "victim", in pool: WorkerPool, rules: String = rules,
        app: String = "return { api = 1, guards = { duplicate = false } }"
    ) throws -> WorkerApp {
        switch pool.load(app: name, files: files(rules, app: app)) {
        case .loaded(let app): return app
        case .failed(let faults): throw NotLoaded(faults: faults)
        }
    }

    struct NotLoaded: Error { let faults: [RuleFault] }

    /// A message whose text says what a double does.
    static func question(_ title: String = "Hello", id: String = "m-1", state: AppState = AppState()) throws -> Question {
        try ask(title, id: id, state: state) { Question($0, windows: DedupeWindows()) }
    }

    static func ask<Answer>(
        _ title: String = "Hello", id: String = "m-1", device text: String = #"{"recipient":"u-1","state":"foreground"}"#,
        event: EventName = .present, state: AppState = AppState(), _ body: (EvaluationRequest) throws -> Answer
    ) throws -> Answer {
        let devices = DeviceReader()
        let document = JSONDocument()
        try document.read(text)
        let device = try devices.read(document.root)
        let messages = MessageReader()
        let message = Array(#"{"message_id":"\#(id)","aps":{"alert":{"title":"\#(title)","body":"Hello"}}}"#.utf8)
        return try withExtendedLifetime((devices, document, messages)) {
            try message.withUnsafeBytes { bytes in
                let message = try messages.read(bytes, for: device.messageContext)
                return try body(
                    EvaluationRequest(
                        message: message, device: device, event: Event(event), now: Instant("2026-01-01T12:00:00Z")!, state: state))
            }
        }
    }

    static func json(_ evaluation: Evaluation) -> String {
        String(decoding: DecisionWriter.bytes(of: evaluation.decision), as: UTF8.self)
    }
}

/// A clock of the pool that a test turns.
final class TestClock: Sendable {
    private let microseconds = Atomic<Int64>(1_000_000)
    var now: Int64 { microseconds.load(ordering: .relaxed) }
    func advance(seconds: Int64) { microseconds.add(seconds * 1_000_000, ordering: .relaxed) }
}

/// Waits for what another process does, at most so long.
func eventually(within seconds: Double = 2, _ holds: () -> Bool) -> Bool {
    let end = Date().addingTimeInterval(seconds)
    while Date() < end {
        if holds() { return true }
        usleep(1_000)
    }
    return holds()
}
