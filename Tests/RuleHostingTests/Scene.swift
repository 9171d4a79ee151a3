// What the tests of this folder share: a folder of rules that goes away, hosts on it, and a caller who waits.
import EffectStore
import Foundation
import PushMessage
import RuleEngine
import RuleStore

@testable import RuleHosting

final class Scene: Sendable {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hosting-\(UUID().uuidString)").path
    var rules: String { "\(folder)/rules" }
    var storePath: String { "\(folder)/rulehost.db" }

    static let noon = Instant("2026-01-01T12:00:00Z") ?? Instant(milliseconds: 0)
    /// Where the build puts programs: beside the tests that are running.
    static let programs = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path

    init() throws { try FileManager.default.createDirectory(atPath: rules, withIntermediateDirectories: true) }

    deinit {
        do { try FileManager.default.removeItem(atPath: folder) } catch { print("left behind: \(folder)") }
    }

    /// An app that counts: on the icon, for the person and for all.
    static let counting = """
        rule "Count" {
          on = { "present", "send" },
          decide = function(msg)
            local n = state.incr("count")
            if msg.data.shared then state.app.incr("all") end
            return show { "banner", badge = "+1", labels = { count = tostring(n), all = tostring(state.app.get("all") or 0) } }
          end,
        }
        """

    func write(_ app: String, _ rules: String = counting, manifest: String = "return { api = 1 }") throws {
        let path = "\(self.rules)/\(app)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try manifest.write(toFile: "\(path)/app.lua", atomically: true, encoding: .utf8)
        try rules.write(toFile: "\(path)/rules.lua", atomically: true, encoding: .utf8)
    }

    func store(_ durability: Durability = .group) throws -> EffectStore {
        try EffectStore(storePath, durability: durability, patience: 2_000) { Scene.noon }
    }

    func host(
        _ store: HostStore = .memory, _ isolation: HostSettings.Isolation = .thread, shards: Int = 2,
        clock: TestClock = TestClock(), watch: (any HostWatching)? = nil, rules path: String? = nil,
        _ change: (inout HostSettings) -> Void = { _ in }
    ) throws -> RuleHost {
        var settings = HostSettings()
        settings.isolation = isolation
        settings.program = "\(Scene.programs)/rulehost"
        settings.shards = shards
        change(&settings)
        return try RuleHost(rules: RulesFolder(path: path ?? rules), store: store, settings: settings, clock: { clock.now }, watch: watch)
    }

    static func body(_ recipient: String = "u-1", id: String, event: String? = "present", data: String = "", device: String = "") -> [UInt8]
    {
        let event = event.map { #""event":"\#($0)","# } ?? ""
        return Array(
            #"{\#(event)"message":{"message_id":"\#(id)","aps":{"alert":{"title":"Hello","body":"there"}}\#(data)},"device":{"recipient":"\#(recipient)","state":"foreground"\#(device)}}"#
                .utf8)
    }

    static func keyed(_ key: String, token: String = "t") -> DecideOptions {
        var options = DecideOptions()
        options.idempotency = IdempotencyKey(token: token, key: key)
        return options
    }
}

/// A clock that a test turns.
final class TestClock: Sendable {
    private let instant = Monitor(Scene.noon)

    var now: Instant { instant.withLock { $0 } }
    func turn(minutes: Int64) { instant.withLock { $0.milliseconds += minutes * 60_000 } }
}

/// Waits for answers, which come on other threads.
final class Waiting: AnswerTaking {
    private let answers = Monitor<[UInt64: [HostAnswer]]>([:])

    func take(_ answers: [HostAnswer]) {
        self.answers.change { all in for answer in answers { all[answer.tag, default: []].append(answer) } }
    }

    func answer(_ tag: UInt64) -> HostAnswer { answers.wait { $0[tag]?.first } }

    /// nil: there was none in so many milliseconds.
    func answer(_ tag: UInt64, within milliseconds: Int) -> HostAnswer? { answers.wait(milliseconds: milliseconds) { $0[tag]?.first } }

    func all(_ count: Int) -> [HostAnswer] {
        answers.wait { all in all.count >= count ? (0..<UInt64(count)).compactMap { all[$0]?.first } : nil }
    }

    /// Of how many requests there was more than one answer.
    var repeated: Int { answers.withLock { $0.values.count { $0.count > 1 } } }
    var count: Int { answers.withLock { $0.count } }
}

extension RuleHost {
    func ask(_ app: String, _ body: [UInt8], _ options: DecideOptions = DecideOptions()) -> HostAnswer {
        let waiting = Waiting()
        decide([DecideRequest(app: app, body: body, options: options)], to: waiting)
        return waiting.answer(0)
    }

    /// Handed over all at once, and answered in this order.
    func askAll(_ requests: [(app: String, body: [UInt8], options: DecideOptions)]) -> [HostAnswer] {
        let waiting = Waiting()
        decide(
            requests.enumerated().map { DecideRequest(app: $1.app, body: $1.body, options: $1.options, tag: UInt64($0)) }, to: waiting)
        return waiting.all(requests.count)
    }
}

extension HostAnswer {
    var json: [String: Any] {
        do {
            return try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] ?? [:]
        } catch {
            return [:]
        }
    }
    var text: String { String(decoding: body, as: UTF8.self) }
    var code: String? { json["code"] as? String }
    var badge: Int? { (json["badge"] as? [String: Any])?["value"] as? Int }
    func label(_ name: String) -> String? { (json["labels"] as? [String: Any])?[name] as? String }
}
