// Measures this machine: the reference job from the bytes of a message to the bytes of a decision, and its parts alone.
// Everything is read afresh for every message; nothing is kept by content.
import JSONDocument
import PushMessage
import ReferenceJob
public import RuleEngine

public enum BenchmarkFault: Error {
    case rulesDoNotLoad([RuleFault])
    /// An input that was built into the program cannot be read, or an answer is not as expected: a sentence.
    case wrong(String)
}

public final class Benchmark {
    public enum Name: String, CaseIterable, Sendable {
        case reference, parse, device, normalise, evaluate, write
        case size4k = "size-4k"
        case size60k = "size-60k"
        case thread, process
        case process16 = "process-16"
        case process64 = "process-64"

        public var meaning: String {
            switch self {
            case .reference: "a message and a device in, a decision as JSON out"
            case .parse: "a message's JSON, read and checked"
            case .device: "a device's JSON, read and checked"
            case .normalise: "a message, read and normalised"
            case .evaluate: "a decision on a message that has been read"
            case .write: "a decision, written as JSON"
            case .size4k: "the reference job with a message of 4 KiB"
            case .size60k: "the reference job with a message of 60 KiB"
            case .thread: "the reference job on the clock, to compare the rows below with"
            case .process: "the same with the rules in a process of their own"
            case .process16: "16 messages at a time"
            case .process64: "64 messages at a time"
            }
        }
    }

    private let job: ReferenceRun
    private let messages: [[UInt8]]
    private let deviceBytes: [UInt8]
    private let counter = AllocationCounter()
    /// What a child runs.
    private let program: String

    /// Loads the reference app and makes sure that it answers as every engine must.
    /// - Parameter program: rulehost itself, for the rows whose rules run in a process of their own.
    public init(program: String = "/proc/self/exe") throws(BenchmarkFault) {
        self.program = program
        job = try ReferenceRun()
        messages = ReferenceJob.messages(1_000)
        let checks: [ReferenceJob.Check]
        do throws(JSONFault) {
            checks = try ReferenceJob.checks()
            deviceBytes = try ReferenceJob.device()
        } catch {
            throw .wrong(error.message)
        }
        try job.check(checks, messages)
    }

    /// The messages that the job goes through, for other engines to go through them, too.
    public static func messages() -> [[UInt8]] { ReferenceJob.messages(1_000) }

    public func measure(_ name: Name, rounds: Int) throws(BenchmarkFault) -> Measurement {
        switch name {
        case .reference: try measure(name, rounds, messages.count) { () throws(BenchmarkFault) in try decideAll(messages) }
        case .size4k: try measureLarge(name, rounds, bytes: 4_096, count: 500)
        case .size60k: try measureLarge(name, rounds, bytes: 60_000, count: 50)
        case .thread:
            try measure(name, rounds, messages.count, by: clockTime) { () throws(BenchmarkFault) in try decideAll(messages) }
        case .process: try measureProcess(name, rounds, batch: 1)
        case .process16: try measureProcess(name, rounds, batch: 16)
        case .process64: try measureProcess(name, rounds, batch: 64)
        case .parse: try measure(name, rounds, messages.count) { () throws(BenchmarkFault) in try parseAll() }
        case .device:
            try measure(name, rounds, messages.count) { () throws(BenchmarkFault) in
                for _ in messages { _ = try job.device(deviceBytes) }
            }
        case .normalise:
            try measure(name, rounds, messages.count) { () throws(BenchmarkFault) in
                let device = try job.device(deviceBytes)
                for message in messages { _ = try job.message(message, for: device) }
            }
        case .evaluate:
            try measure(name, rounds, messages.count) { () throws(BenchmarkFault) in
                let device = try job.device(deviceBytes)
                let message = try job.message(messages[0], for: device)
                for _ in messages { _ = job.evaluate(message, device, AppState()) }
            }
        case .write:
            try measure(name, rounds, messages.count) { () throws(BenchmarkFault) in
                let device = try job.device(deviceBytes)
                let decision = job.evaluate(try job.message(messages[0], for: device), device, AppState()).decision
                for _ in messages { job.write(decision) }
            }
        }
    }

    private func measureLarge(
        _ name: Name, _ rounds: Int, bytes: Int, count: Int
    ) throws(BenchmarkFault) -> Measurement {
        let large = messages.prefix(count).map { ReferenceJob.padded($0, to: bytes) }
        return try measure(name, rounds, count) { () throws(BenchmarkFault) in try decideAll(large) }
    }

    private func measureProcess(_ name: Name, _ rounds: Int, batch: Int) throws(BenchmarkFault) -> Measurement {
        let isolated = try IsolationRun(program: program)
        return try measure(name, rounds, messages.count, by: clockTime) { () throws(BenchmarkFault) in
            try isolated.decide(messages, deviceBytes, batch: batch)
        }
    }

    /// How much longer one app's messages take while others beside it in the same pool do what hostile rules do.
    /// - Parameters:
    ///   - scripts: Lua files, each of which is tried at load and inside `decide`; nil: those of the program.
    ///   - attackers: apps that attack at the same time.
    ///   - rounds: of the messages, alone and attacked in turns.
    public func measureNeighbour(
        scripts: [SourceFile]?, attackers: Int, rounds: Int
    ) throws(BenchmarkFault) -> NeighbourMeasurement {
        try NeighbourRun(program: program, scripts: scripts ?? HostileScripts.all, attackers: attackers)
            .measure(messages, deviceBytes, rounds: rounds)
    }

    private func decideAll(_ messages: [[UInt8]]) throws(BenchmarkFault) {
        var state = AppState()
        for message in messages { try job.decide(message, deviceBytes, &state) }
    }

    private func parseAll() throws(BenchmarkFault) {
        let document = JSONDocument()
        do throws(JSONFault) {
            for message in messages { try document.read(message) }
        } catch {
            throw .wrong(error.message)
        }
    }

    private func measure(
        _ name: Name, _ rounds: Int, _ operations: Int, by time: () -> Double = cpuTime,
        _ work: () throws(BenchmarkFault) -> Void
    ) throws(BenchmarkFault) -> Measurement {
        // What grows once - buffers, tables - has grown after two rounds.
        for _ in 0..<2 { try work() }
        let before = counter.total
        var samples: [Double] = []
        samples.reserveCapacity(rounds)
        for _ in 0..<rounds {
            let start = time()
            try work()
            samples.append((time() - start) / Double(operations))
        }
        let allocated = before.flatMap { before in counter.total.map { Double($0 - before) } }
        samples.sort()
        return Measurement(
            name: name.rawValue, meaning: name.meaning, nanoseconds: samples[samples.count / 2],
            bestNanoseconds: samples[0], rounds: rounds, operations: operations,
            allocations: allocated.map { $0 / Double(rounds * operations) })
    }
}
