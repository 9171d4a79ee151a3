// A host for tests, which ends as hosts end: killed while it commits, without room on the disk, without the right to write.
// `commit PATH ROUND` commits until it is killed; `fill PATH`, `ready PATH`, `open PATH`, `read PATH` and `hold PATH` say in a line what came of it;
// `backup PATH TARGET` copies, `versions PATH` keeps some rulesets, `damage PATH` keeps what nobody can read, `measure PATH GROUP` says how many commits a second
// it makes.
import EffectStore
import Glibc
import PushMessage
import RuleEngine

let arguments = CommandLine.arguments
guard arguments.count > 2 else { exit(2) }
// A lost pipe is the end of the test that has started us.
switch arguments[1] {
case "commit": Load(path: arguments[2], round: arguments[3]).run()
case "fill": Scarcity.run(arguments[2])
case "ready": Scarcity.ask(arguments[2])
case "backup" where arguments.count > 3: Copying.run(arguments[2], to: arguments[3])
case "open": Opening.run(arguments[2], holds: false)
case "hold": Opening.run(arguments[2], holds: true)
case "read": Opening.read(arguments[2])
case "versions": Versions.run(arguments[2])
case "damage": Damage.run(arguments[2])
case "measure" where arguments.count > 3: Measure.run(arguments[2], group: Int(arguments[3]) ?? 1, seconds: 3)
default: exit(2)
}

@Sendable func say(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    // Short lines arrive whole or not at all.
    if write(1, bytes, bytes.count) != bytes.count { exit(3) }
}

@Sendable func clock() -> Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
}

/// Four recipients, each with one commit after the other: number, value of the app and answer belong together.
struct Load: Sendable {
    let path: String
    let round: String

    static let most = 900

    func run() -> Never {
        var housekeeping = Housekeeping()
        // So that the end often comes while the journal is folded.
        housekeeping.mostBacklog = 16
        housekeeping.rest = 1
        do throws(EffectStoreFault) {
            let store = try EffectStore(
                path, durability: .group, patience: 2_000, schema: .current, housekeeping: housekeeping, clock: clock)
            for person in 0..<4 { commit("\(round)-\(person)", 0, in: store) }
            while true { pause() }
        } catch {
            say("fault \(error.code.rawValue)")
            exit(1)
        }
    }

    /// The next one follows when this one is durable.
    private func commit(_ recipient: String, _ number: Int, in store: EffectStore) {
        guard number < Load.most else { return }
        let text = Array("\(number)".utf8)
        let effects: [Effect] = [
            .keepInInbox(text), .setValue(scope: .app, key: recipient, value: StoredValue(json: text)),
            .keepDeferred(
                DeferredMessage(
                    id: "d", event: .send, message: Array("{}".utf8), format: nil, device: Array("{}".utf8),
                    until: .at(Instant(milliseconds: Int64(number) * 1000), local: "", zone: "UTC"))),
        ]
        let answer = KeptAnswer(token: recipient, key: "\(number)", question: [], status: 200, answer: text)
        store.commit(Commit(app: "load", recipient: recipient, effects: effects, answer: answer)) { result in
            guard case .success(.kept) = result else {
                say("fault \(result)")
                exit(1)
            }
            say("\(recipient) \(number)")
            commit(recipient, number + 1, in: store)
        }
    }
}

/// A copy, which may be killed while it is made.
enum Copying {
    static func run(_ path: String, to target: String) -> Never {
        do throws(EffectStoreFault) {
            try Backup.make(of: path, to: target)
            exit(0)
        } catch {
            say("fault \(error.code.rawValue)")
            exit(1)
        }
    }
}

/// A disk that is full, played by a limit on the size of files, and one that has room again.
enum Scarcity {
    static func run(_ path: String) -> Never {
        signal(SIGXFSZ, SIG_IGN)
        do throws(EffectStoreFault) {
            let store = try EffectStore(path, clock: clock)
            limitFiles(to: 256 << 10)
            let value = StoredValue(json: Array("\"\(String(repeating: "x", count: 20_000))\"".utf8))
            var kept = 0
            while kept < 100 {
                do throws(EffectStoreFault) {
                    try store.commit(
                        Commit(app: "chat", recipient: "u-\(kept)", effects: [.setValue(scope: .recipient, key: "k", value: value)]))
                    kept += 1
                } catch {
                    say("kept \(kept) then \(error.code.rawValue)")
                    break
                }
            }
            // What is there can be read all the same.
            say("read \(try store.view.everything(app: "chat").recipients.count)")
            limitFiles(to: rlim_t.max)
            try store.commit(Commit(app: "chat", recipient: "later", effects: [.setBadge(3)]))
            say("later \(try store.view.recipient(app: "chat", "later").badge ?? -1)")
            store.close()
            exit(0)
        } catch {
            say("fault \(error.code.rawValue)")
            exit(1)
        }
    }

    /// Whether a store that is full to the last message says what the next one gets.
    static func ask(_ path: String) -> Never {
        signal(SIGXFSZ, SIG_IGN)
        do throws(EffectStoreFault) {
            let store = try EffectStore(path, clock: clock)
            limitFiles(to: 300_000)
            let value = StoredValue(json: Array("\"\(String(repeating: "x", count: 9_000))\"".utf8))
            var next = 0
            func isTaken() -> Bool {
                next += 1
                let effects: [Effect] = [.setValue(scope: .recipient, key: "k", value: value)]
                do throws(EffectStoreFault) {
                    try store.commit(Commit(app: "chat", recipient: "u-\(next)", effects: effects))
                    return true
                } catch {
                    return false
                }
            }
            func isReady() throws(EffectStoreFault) -> Bool {
                store.probe()
                // In its turn behind the probe.
                try store.edit(app: "chat", Deed(who: "mina", at: clock()), action: "look", subject: "") { (_) in [] }
                return store.counts.fault == nil
            }
            while next < 1_000, isTaken() {}
            say(store.counts.fault?.code == .full ? "full" : "not full after \(next)")
            var wrong = 0
            for _ in 0..<20 where try isReady() && !isTaken() { wrong += 1 }
            say(wrong == 0 ? "never wrong" : "wrong \(wrong) times")
            limitFiles(to: rlim_t.max)
            say(try isReady() ? "room" : "no room")
            say(isTaken() ? "kept" : "not kept")
            store.close()
            exit(0)
        } catch {
            say("fault \(error.code.rawValue)")
            exit(1)
        }
    }

    private static func limitFiles(to bytes: rlim_t) {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        limit.rlim_cur = min(bytes, limit.rlim_max)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    }
}

/// As somebody who may do nothing that the rights of a file do not say.
enum Opening {
    static func run(_ path: String, holds: Bool) -> Never {
        if !holds, geteuid() == 0, setgid(65534) != 0 || setuid(65534) != 0 { exit(4) }
        do throws(EffectStoreFault) {
            let store = try EffectStore(path, patience: 0, clock: clock)
            say("open")
            if holds {
                var byte: UInt8 = 0
                while Glibc.read(0, &byte, 1) > 0 {}
            }
            store.close()
        } catch {
            say("fault \(error.code.rawValue)")
        }
        exit(0)
    }
}

extension Opening {
    /// Looks, and for each byte that comes once more.
    static func read(_ path: String) -> Never {
        if geteuid() == 0, setgid(65534) != 0 || setuid(65534) != 0 { exit(4) }
        do throws(EffectStoreFault) {
            let view = try StoreView(path)
            var byte: UInt8 = 0
            repeat {
                say("badge \(try view.recipient(app: "chat", "u").badge ?? -1)")
            } while Glibc.read(0, &byte, 1) > 0
        } catch {
            say("fault \(error.code.rawValue): \(error.message)")
        }
        exit(0)
    }
}

/// Two recipients of whom a part is no JSON, one in a row of its own, one in the journal, and one beside each who is well.
enum Damage {
    static func run(_ path: String) -> Never {
        let deed = Deed(who: "mina", at: clock())
        let broken = StoredValue(json: Array("{\"a\": 1".utf8))
        do throws(EffectStoreFault) {
            let store = try EffectStore(path, clock: clock)
            for app in ["chat", "shop"] {
                try store.commit(Commit(app: app, recipient: "well", effects: [.setBadge(3)]))
                try store.change([.shared(["n": StoredValue(json: Array("1".utf8))])], app: app, deed, action: "state_set", subject: "app")
            }
            var state = RecipientState()
            state.badge = 1
            state.values["k"] = broken
            try store.change([.recipient("u-1", state)], app: "chat", deed, action: "state_set", subject: "recipient u-1")
            try store.commit(
                Commit(
                    app: "shop", recipient: "u-2",
                    effects: [.setBadge(2), .setValue(scope: .recipient, key: "k", value: broken)]))
            store.close()
            exit(0)
        } catch {
            say("fault \(error.code.rawValue)")
            exit(1)
        }
    }
}

/// How many commits a second: `group` of them are handed over, and when all are durable the next ones.
enum Measure {
    static func run(_ path: String, group: Int, seconds: Double) -> Never {
        do throws(EffectStoreFault) {
            let store = try EffectStore(path, clock: clock)
            let start = clock().milliseconds
            var count = 0
            while Double(clock().milliseconds - start) < seconds * 1000 {
                let left = Countdown(group)
                for number in 0..<group {
                    let effects: [Effect] = [
                        .setBadge(number),
                        .setValue(scope: .recipient, key: "k", value: StoredValue(json: Array("\(count)".utf8))),
                    ]
                    store.commit(Commit(app: "load", recipient: "u-\((count &* 7919 &+ number) % 10_000)", effects: effects)) { _ in
                        left.one()
                    }
                }
                left.wait()
                count += group
            }
            let spent = Double(clock().milliseconds - start) / 1000
            store.close()
            say("groups of \(group): \(Int(Double(count) / spent)) commits a second")
            exit(0)
        } catch {
            say("fault \(error.code.rawValue)")
            exit(1)
        }
    }
}

/// Ends when as many have come as were announced.
// SAFETY: the count belongs to the writer's thread.
final class Countdown: @unchecked Sendable {
    private var left: Int
    private let end = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init(_ count: Int) {
        left = count
        end.initialize(to: sem_t())
        sem_init(end, 0, 0)
    }

    deinit { end.deallocate() }

    /// On the writer's thread only.
    func one() {
        left -= 1
        if left == 0 { sem_post(end) }
    }

    func wait() { sem_wait(end) }
}

/// A store as a host leaves it that has had two rulesets.
enum Versions {
    static func run(_ path: String) -> Never {
        func deed(_ day: Int64, _ why: String) -> Deed {
            Deed(who: day == 1 ? "mina" : "ines", at: Instant(milliseconds: 1_767_225_600_000 + day * 86_400_000), why: why)
        }
        let file = SourceFile(path: "app.lua", bytes: Array("return { api = 1 }".utf8))
        do throws(EffectStoreFault) {
            let store = try EffectStore(path, clock: clock)
            try store.keep([file], app: "chat", hash: "0123456789ab", deed(1, "the first one"))
            try store.keep([file], app: "chat", hash: "ba9876543210", deed(2, ""))
            try store.keep([file], app: "shop", hash: "0123456789ab", deed(2, ""))
            _ = try store.promote(app: "chat", hash: "0123456789ab", to: "production", deed(1, ""))
            _ = try store.promote(app: "chat", hash: "ba9876543210", to: "staging", deed(3, "looks good"))
            store.close()
            exit(0)
        } catch {
            say("fault \(error.code.rawValue)")
            exit(1)
        }
    }
}
