// Whatever comes together, and wherever rules run, each request has the answer that it would have alone after those before it.
import EffectStore
import Foundation
import RuleEngine
import Testing

@testable import RuleHosting

struct SamenessTests {
    /// Reads and writes what is the person's and what is everybody's, fails now and then, holds back, hands over.
    private static let rules = """
        rule "Shared" {
          on = { "present", "open", "receive" },
          when = function(msg) return msg.data.shared ~= nil end,
          decide = function(msg)
            local all = state.app.incr("all")
            return { labels = { all = tostring(all) } }
          end,
        }
        rule "Look" {
          on = { "present", "send", "open", "receive", "resume", "settings" },
          decide = function(msg, device)
            local n = state.incr("n")
            if msg.data and msg.data.fail then error("as it says") end
            return { labels = { n = tostring(n), seen = tostring(state.app.get("all") or 0) }, badge = "+1" }
          end,
        }
        rule "Few" { on = { "send", "present" }, channel = "promo", cap = { 3, per = "day" } }
        rule "Later" {
          on = { "send", "present" },
          when = function(msg) return msg.data.later ~= nil end,
          decide = function() return defer("resume", "until the app is open") end,
        }
        """

    private static func requests(_ count: Int, seed: UInt64) -> [[UInt8]] {
        var random = SeededNumbers(seed: seed)
        func one<T>(_ all: [T]) -> T { all[Int.random(in: 0..<all.count, using: &random)] }
        return (0..<count).map { number in
            let recipient = "u-\(Int.random(in: 0..<12, using: &random))"
            let id = "m-\(Int.random(in: 0...number, using: &random))"
            switch Int.random(in: 0..<20, using: &random) {
            case 0: return Array("{\"message\":".utf8)
            case 1: return Array("{\"message\":{},\"device\":{\"state\":3}}".utf8)
            case 2: return Array(#"{"event":"resume","device":{"recipient":"\#(recipient)"}}"#.utf8)
            case 3:
                return Array(
                    #"{"event":{"name":"settings","changed":{"channels":{"promo":\#(one(["true", "false"]))}}},"device":{"recipient":"\#(recipient)"}}"#
                        .utf8)
            default:
                return Scene.body(
                    recipient, id: id, event: one(["present", nil, "open", nil]),
                    data: one(["", "", "", #","shared":"1""#, #","fail":"1""#, #","channel":"promo""#, #","later":"1""#]),
                    device: one(["", #","tap":true"#, #","badge":4"#]))
            }
        }
    }

    private static func options(_ number: Int) -> DecideOptions {
        var options = DecideOptions()
        options.isDryRun = number % 11 == 0
        if number % 5 == 0 { options.idempotency = IdempotencyKey(token: "t", key: "k-\(number % 35)") }
        if number % 7 == 0 { options.trace = .rules }
        return options
    }

    @Test("Batches give byte for byte what one by one gives, in this process and in others", arguments: [1, 2, 3] as [UInt64])
    func same(_ seed: UInt64) throws {
        let scene = try Scene()
        try scene.write("chat", Self.rules, manifest: "return { api = 1, channels = { promo = { title = \"Offers\" } } }")
        let requests = Self.requests(400, seed: seed).enumerated().map { ("chat", $1, Self.options($0)) }
        var all: [[String]] = []
        var states: [[String]] = []
        for (isolation, isDurable, isTogether, readsAhead) in [
            (HostSettings.Isolation.thread, false, false, false), (.thread, false, true, false), (.thread, false, true, true),
            (.thread, true, true, true), (.process, false, false, false), (.process, false, true, false), (.process, true, true, false),
        ] {
            let place = try Scene()
            let store = isDurable ? try place.store() : nil
            let host = try scene.host(store.map { .durable($0) } ?? .memory, isolation) { $0.readsAhead = readsAhead }
            let answers = isTogether ? host.askAll(requests) : requests.map { host.ask($0.0, $0.1, $0.2) }
            all.append(answers.map { "\($0.status) \($0.text)" })
            host.close()
            if let store {
                states.append(
                    try store.view.everything(app: "chat").recipients.inOrder.map { "\($0.key) \(KeptBytes.bytes(of: $0.value))" })
            }
            store?.close()
        }
        for other in all.dropFirst() {
            let place = zip(other, all[0]).enumerated().first { $1.0 != $1.1 }
            #expect(place == nil, "\(place.map { "\($0.offset): \(String(decoding: requests[$0.offset].1, as: UTF8.self))\n" } ?? "")")
        }
        #expect(states[0] == states[1])
        // Else nothing was proved.
        #expect(all[0].count { $0.contains("rule_raised") } > 3)
        #expect(all[0].count { $0.contains("\"all\"") } > 10)
        #expect(all[0].count { $0.contains("duplicate") } > 3)
        #expect(all[0].count { $0.hasPrefix("4") } > 10)
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
