// A host for tests, which ends as hosts end: `feed RULES STORE ROUND ISOLATION` decides, and says each answer that it got, until it is
// killed; `full RULES STORE` runs out of disk, and has room again; `apps RULES COUNT` says what apps that nobody asks cost.
import EffectStore
import Glibc
import PushMessage
import RuleEngine
import RuleHosting
import RuleStore
import RuleWorkers

let arguments = CommandLine.arguments
if arguments.first == WorkerProcess.name { exit(WorkerProcess.run(arguments)) }
guard arguments.count > 3 else { exit(2) }
// A lost pipe is the end of the test that has started us.
switch arguments[1] {
case "feed" where arguments.count > 5: Feed(rules: arguments[2], store: arguments[3], round: arguments[4], arguments[5]).run()
case "full": Scarcity.run(rules: arguments[2], store: arguments[3])
case "apps": Idleness.run(rules: arguments[2], count: Int(arguments[3]) ?? 0)
default: exit(2)
}

@Sendable func say(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    // Lines shorter than a pipe takes at once arrive whole or not at all.
    if write(1, bytes, bytes.count) != bytes.count { exit(3) }
}

/// The same as in the test that looks afterwards.
func body(_ recipient: String, _ number: Int) -> [UInt8] {
    Array(
        #"{"event":"present","message":{"message_id":"\#(recipient)-\#(number)","aps":{"alert":"Hello"}},"device":{"recipient":"\#(recipient)","state":"foreground"}}"#
            .utf8)
}

func host(_ rules: String, _ store: EffectStore, _ isolation: HostSettings.Isolation) -> RuleHost {
    var settings = HostSettings()
    settings.isolation = isolation
    settings.shards = 2
    do throws(HostStartFault) {
        return try RuleHost(rules: RulesFolder(path: rules), store: .durable(store), settings: settings)
    } catch {
        say("fault \(error.code)")
        exit(1)
    }
}

/// Six recipients of two apps, each with one request after the other.
struct Feed: Sendable {
    let rules: String
    let store: String
    let round: String
    let isolation: HostSettings.Isolation

    init(rules: String, store: String, round: String, _ isolation: String) {
        self.rules = rules
        self.store = store
        self.round = round
        self.isolation = HostSettings.Isolation(rawValue: isolation) ?? .thread
    }

    func run() -> Never {
        do throws(EffectStoreFault) {
            let store = try EffectStore(store, clock: HostClock.now)
            let host = host(rules, store, isolation)
            for person in 0..<6 { ask("\(round)-\(person)", person % 2 == 0 ? "chat" : "mail", 0, host) }
            while true { pause() }
        } catch {
            say("fault \(error.code.rawValue)")
            exit(1)
        }
    }

    /// The next one follows when this one is answered.
    private func ask(_ recipient: String, _ app: String, _ number: Int, _ host: RuleHost) {
        var options = DecideOptions()
        options.idempotency = IdempotencyKey(token: "t", key: "\(recipient)-\(number)")
        host.decide(app: app, body: body(recipient, number), options: options) { answer in
            guard answer.status == 200 else {
                say("fault \(String(decoding: answer.body, as: UTF8.self))")
                exit(1)
            }
            say("\(app) \(recipient) \(number) \(String(decoding: answer.body, as: UTF8.self))")
            ask(recipient, app, number + 1, host)
        }
    }
}

/// A disk that is full, played by a limit on the size of files, and one that has room again.
enum Scarcity {
    static func run(rules: String, store: String) -> Never {
        signal(SIGXFSZ, SIG_IGN)
        do throws(EffectStoreFault) {
            let store = try EffectStore(store, clock: HostClock.now)
            let host = host(rules, store, .thread)
            limitFiles(to: 300 << 10)
            var asked = 0
            var decided = 0
            var refused = 0
            // Several at once: those that build on one which is not kept must not be kept either.
            while refused < 40, asked < 20_000 {
                let codes = ask(host, asked..<asked + 20)
                asked += 20
                decided += codes.count { $0 == "200" }
                refused += codes.count { $0 == "503 store_full" }
                if codes.contains(where: { $0 != "200" && $0 != "503 store_full" }) { say("unexpected \(codes)") }
            }
            limitFiles(to: rlim_t.max)
            let codes = ask(host, asked..<asked + 20)
            decided += codes.count { $0 == "200" }
            host.close()
            let badge = try store.view.recipient(app: "chat", "u").badge ?? -1
            say(
                "refused \(refused > 0) again \(codes.count { $0 == "200" }) badge \(badge == decided) shared \(try shared(store) == decided)"
            )
            store.close()
            exit(0)
        } catch {
            say("fault \(error.code.rawValue)")
            exit(1)
        }
    }

    private static func shared(_ store: EffectStore) throws(EffectStoreFault) -> Int {
        Int(String(decoding: try store.view.shared(app: "chat")["all"]?.json ?? [], as: UTF8.self)) ?? -1
    }

    private static func ask(_ host: RuleHost, _ numbers: Range<Int>) -> [String] {
        let waiting = Waiting(numbers.count)
        host.decide(numbers.map { DecideRequest(app: "chat", body: body("u", $0), tag: UInt64($0)) }, to: waiting)
        return waiting.codes()
    }

    private static func limitFiles(to bytes: rlim_t) {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        limit.rlim_cur = min(bytes, limit.rlim_max)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    }

    private final class Waiting: AnswerTaking {
        private let count: Int
        private let answers = Monitor<[HostAnswer]>([])

        init(_ count: Int) { self.count = count }

        func take(_ answers: [HostAnswer]) { self.answers.change { $0 += answers } }

        func codes() -> [String] {
            let answers = answers.wait { [count] in $0.count >= count ? $0 : nil }
            return answers.map { answer in
                let text = String(decoding: answer.body, as: UTF8.self)
                return answer.status == 503 && text.contains("\"code\":\"store_full\"") ? "503 store_full" : "\(answer.status)"
            }
        }
    }
}

/// Apps that are asked once and then never again.
enum Idleness {
    static func run(rules: String, count: Int) -> Never {
        var settings = HostSettings()
        settings.isolation = .thread
        settings.idle = 50
        do throws(HostStartFault) {
            let host = try RuleHost(rules: RulesFolder(path: rules), store: .memory, settings: settings)
            // What the host needs once is needed after some of them.
            let few = count / 4
            askOnce(host, 0..<few)
            let before = residentBytes()
            askOnce(host, few..<count)
            say("\((residentBytes() - before) / max(1, count - few))")
            host.close()
            exit(0)
        } catch {
            say("fault \(error.code)")
            exit(1)
        }
    }

    /// Returns when none of them is in memory any more.
    private static func askOnce(_ host: RuleHost, _ numbers: Range<Int>) {
        for number in numbers {
            let done = Monitor(0)
            host.decide(app: "app-\(number)", body: body("u", number)) { answer in done.change { $0 = answer.status } }
            let status = done.wait { $0 == 0 ? nil : $0 }
            if status != 200 { say("unexpected \(status)") }
        }
        while host.appsInMemory > 0 { usleep(20_000) }
    }

    private static func residentBytes() -> Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var buffer = [CChar](repeating: 0, count: 128)
        guard fgets(&buffer, 128, file) != nil else { return 0 }
        let text = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
        return (Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0) * 4096
    }
}
