// Measures a host without the way to it: how many decisions a second come out of its shards, from the bytes of a request to the
// bytes of an answer that is kept. Called by the verb `bench`.
public import EffectStore
import Glibc
import PushMessage
import ReferenceJob
import RuleEngine
public import RuleStore

public struct HostedMeasurement: Sendable {
    public let name: String
    public let perSecond: Double
    public let requests: Int
    /// Of all threads, without the children that run rules, for each request.
    public let processorMicroseconds: Double
}

public enum HostedBenchmark {
    public enum Fault: Error {
        case start(HostStartFault)
        case store(EffectStoreFault)
        /// A sentence.
        case wrong(String)
    }

    /// - Parameters:
    ///   - rules: a folder with the apps.
    ///   - bodies: of requests, about as many recipients as they name; they are sent again and again.
    ///   - store: a file that is made; nil: nothing is kept.
    ///   - watch: who is told how it does.
    ///   - atOnce: requests that are under way at the same time.
    public static func measure(
        name: String, rules: RulesFolder, apps: [String], bodies: [[UInt8]], isolation: HostSettings.Isolation, store path: String?,
        durability: Durability = .group, atOnce: Int, seconds: Double, shards: Int? = nil,
        watch: (any HostWatching)? = nil
    ) throws(Fault) -> HostedMeasurement {
        var settings = HostSettings()
        settings.isolation = isolation
        if let shards { settings.shards = shards }
        var kept = HostStore.memory
        do throws(EffectStoreFault) {
            if let path { kept = .durable(try EffectStore(path, durability: durability, clock: HostClock.now)) }
        } catch {
            throw .store(error)
        }
        defer { if case .durable(let store) = kept { store.close() } }
        let host: RuleHost
        do throws(HostStartFault) {
            host = try RuleHost(rules: rules, store: kept, settings: settings, watch: watch)
        } catch {
            throw .start(error)
        }
        defer { host.close() }
        let load = HostedLoad(host, apps, bodies)
        // Apps are loaded, and what grows once has grown.
        load.run(count: 2_000, atOnce: atOnce)
        let start = HostClock.microseconds()
        let before = processorMicroseconds()
        var count = 0
        while Double(HostClock.microseconds() - start) < seconds * 1e6 { count += load.run(count: 5_000, atOnce: atOnce) }
        let spent = Double(HostClock.microseconds() - start) / 1e6
        let processor = Double(processorMicroseconds() - before)
        if let problem = load.problem { throw .wrong(problem) }
        return HostedMeasurement(
            name: name, perSecond: Double(count) / spent, requests: count, processorMicroseconds: processor / Double(max(1, count)))
    }

    /// Writes the app of the reference job into a folder, and makes requests of its messages: each is about another recipient.
    public static func reference(in folder: String) throws(StoreFault) -> (app: String, bodies: [[UInt8]]) {
        for file in ReferenceJob.files { try WrittenFiles.write(file.bytes, to: "\(folder)/\(ReferenceJob.app)/\(file.path)") }
        let bodies = ReferenceJob.messages(1_000).enumerated().map { number, message in
            Array(#"{"event":"present","message":"#.utf8) + message
                + Array(
                    #","device":{"recipient":"u-\#(number)","state":"foreground","screen":{"tab":"home","path":["home"]}}}"#.utf8)
        }
        return (ReferenceJob.app, bodies)
    }

    private static func processorMicroseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
}

/// Keeps a number of requests under way: as many as have been answered follow, all that can at once.
final class HostedLoad: AnswerTaking {
    private struct State {
        var sent = 0
        var answered = 0
        var problem: String?
    }

    private let host: RuleHost
    private let apps: [String]
    private let bodies: [[UInt8]]
    private let state = Monitor(State())

    init(_ host: RuleHost, _ apps: [String], _ bodies: [[UInt8]]) {
        self.host = host
        self.apps = apps
        self.bodies = bodies
    }

    var problem: String? { state.withLock { $0.problem } }

    func take(_ answers: [HostAnswer]) {
        let wrong = answers.first { $0.status != 200 }.map { String(decoding: $0.body, as: UTF8.self) }
        state.change { state in
            state.answered += answers.count
            state.problem = state.problem ?? wrong
        }
    }

    /// - Returns: how many were answered.
    @discardableResult
    func run(count: Int, atOnce: Int) -> Int {
        let begin = state.withLock { $0.sent }
        var sent = begin
        while sent < begin + count {
            // Woken when a quarter of them is answered: as a server is whose clients do not all come at the same moment.
            let room = state.wait { [sent] state in
                let room = atOnce - (sent - state.answered)
                return room * 4 >= atOnce ? room : nil
            }
            let next = min(begin + count, sent + room)
            host.decide(
                (sent..<next).map { DecideRequest(app: apps[$0 % apps.count], body: bodies[$0 % bodies.count]) }, to: self)
            sent = next
        }
        state.wait { [sent] in $0.answered >= sent ? () : nil }
        state.withLock { $0.sent = sent }
        return count
    }
}
