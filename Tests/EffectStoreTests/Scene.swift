// What the tests of this folder share: a folder that goes away, a clock that stands still, hosts that fold when they are told to.
import Foundation
import PushMessage
import RuleEngine

@testable import EffectStore

final class Scene {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("effects-\(UUID().uuidString)").path
    var path: String { "\(folder)/rulehost.db" }

    static let noon = Instant("2026-01-01T12:00:00Z") ?? Instant(milliseconds: 0)
    static let day: Int64 = 24 * 3_600_000

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    deinit {
        do { try FileManager.default.removeItem(atPath: folder) } catch { print("left behind: \(folder)") }
    }

    /// Folds nothing by itself.
    func open(
        _ durability: Durability = .group, schema: Schema = .current, mostBacklog: Int = .max, now: Instant = Scene.noon
    ) throws(EffectStoreFault) -> EffectStore {
        var housekeeping = Housekeeping()
        housekeeping.mostBacklog = mostBacklog
        housekeeping.rest = 3_600_000
        housekeeping.sweepPause = 3_600_000
        housekeeping.sweepUnderLoad = 3_600_000
        return try EffectStore(path, durability: durability, patience: 0, schema: schema, housekeeping: housekeeping) { now }
    }

    /// A store of the first layout, of an app that knows `u-0` with the badge 0, and so on.
    func makeEarlier(people: Int) throws {
        let earlier = Schema(steps: Array(Schema.current.steps.prefix(1)))
        let (connection, lock, _) = try StoreFile.forHost(path, schema: earlier, patience: 0)
        defer { lock.release() }
        let changes = (0..<people).map { number in
            var state = RecipientState()
            state.badge = number
            return StateChange.recipient("u-\(number)", state)
        }
        let audit = AuditEntry(Deed(who: "mina", at: Scene.noon), app: "chat", action: "state_import", subject: "\(people) recipients")
        try StateChange.apply(changes, app: "chat", audit, in: connection)
    }

    var bytes: Data { get throws { try Data(contentsOf: URL(fileURLWithPath: path)) } }
    var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() } }

    func size(_ name: String) throws -> Int {
        (try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")[.size] as? Int) ?? -1
    }

    /// What `body` is refused with; nil when it is not.
    static func code(_ body: () throws(EffectStoreFault) -> Void) -> EffectStoreFault.Code? {
        do throws(EffectStoreFault) {
            try body()
            return nil
        } catch {
            return error.code
        }
    }

    // MARK: the double

    /// Where the build puts programs: beside the tests that are running.
    static let double = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appendingPathComponent("StoreDouble")

    /// Started; its output comes through the pipe.
    static func start(_ words: String..., input: Pipe? = nil) throws -> (process: Process, output: FileHandle) {
        let process = Process()
        process.executableURL = double
        process.arguments = words
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = input ?? FileHandle.nullDevice
        try process.run()
        return (process, output.fileHandleForReading)
    }

    /// What it printed until it ended.
    static func lines(_ words: String...) throws -> [String] {
        let process = Process()
        process.executableURL = double
        process.arguments = words
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

/// The same numbers for the same seed (splitmix64).
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
