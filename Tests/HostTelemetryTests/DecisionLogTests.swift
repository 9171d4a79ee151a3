// The decision log: what stands in it can be lived through again, and nobody can read what is masked. Its file: DecisionFileTests.
import EffectStore
import Foundation
import JSONDocument
import PushMessage
import RuleEngine
import RuleHosting
import RuleLab
import RuleStore
import Testing

@testable import HostTelemetry

struct DecisionLogTests {
    private static let counting = """
        rule "Quiet at first" { on = "present", cap = { 2, per = "hour" } }
        rule "Count" {
          on = { "present", "send" },
          decide = function(msg)
            local n = state.incr("count")
            return show { "banner", badge = "+1", title = (msg.data.name or "nobody") .. " wrote", labels = { count = tostring(n) } }
          end,
        }
        """

    /// Every message a minute after the one before.
    private final class Minutes: Sendable {
        private let count = Monitor<Int64>(0)
        func next() -> Instant {
            count.withLock { count in
                count += 1
                return Instant(milliseconds: Scene.noon.milliseconds + count * 60_000 + 7)
            }
        }
    }

    @Test("A log that is lived through again gives the same decisions", arguments: [HostSettings.Isolation.thread, .process])
    func replay(_ isolation: HostSettings.Isolation) throws {
        let scene = try Scene()
        try scene.write("chat", Self.counting)
        let telemetry = HostTelemetry(version: "1", decisions: try DecisionLog(DecisionLogSettings(path: scene.log), journal: nil))
        let minutes = Minutes()
        let host = try scene.host(telemetry, isolation: isolation, clock: { minutes.next() })
        for number in 0..<40 {
            var options = DecideOptions()
            options.traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
            let id = number % 9 == 8 ? number - 1 : number
            var body = Scene.body("u-\(number % 3)", id: "m-\(id)")
            // As it comes from whoever writes JSON for people; a whole journey.
            if number % 4 == 3 {
                body = Array(
                    "{\n  \"message\": {\"message_id\": \"m-\(id)\",\n  \"aps\": {\"alert\": \"Hi\"}},\n \"device\": {\"recipient\": \"u-1\"}, \"tap\": 1}"
                        .utf8)
            }
            #expect(host.ask("chat", [body], options)[0].status == 200)
        }
        host.close()
        telemetry.end()

        let loaded = RulesetLoader.load(app: "chat", files: try RulesFolder(path: scene.rules).files(of: "chat"))
        guard case .loaded(let app) = loaded else { throw Unloaded() }
        let player = TrafficPlayer(Evaluator(app))
        let reader = TrafficReader()
        let text = try scene.text(scene.log).split(separator: "\n")
        #expect(text.count == 40)
        for (line, known) in zip(text, try scene.lines()) {
            let played = try Array(line.utf8).withUnsafeBytes { bytes throws(TrafficFault) in try player.play(try reader.read(bytes)) }
            let decisions = try played.decisions.map {
                try Self.plain(JSONSerialization.jsonObject(with: Data(DecisionWriter.bytes(of: $0))))
            }
            let logged = (known["decision"] as? [Any] ?? [known["decision"] as Any]).map(Self.plain)
            #expect(decisions as NSArray == logged as NSArray)
            #expect(known["ruleset"] as? String == app.ruleset.hash)
            #expect(known["traceparent"] as? String == "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
            for decision in known["decision"] as? [Any] ?? [known["decision"] as Any] {
                let usage = try #require((decision as? [String: Any])?["usage"] as? [String: Any])
                #expect(usage["fuel"] != nil && usage["memory_bytes"] != nil && usage["microseconds"] != nil)
            }
        }
    }

    private struct Unloaded: Error {}

    /// Without what a comparison never has, and without the payload, which traffic does not ask for.
    private static func plain(_ decision: Any) -> [String: Any] {
        var decision = decision as? [String: Any] ?? [:]
        decision["usage"] = nil
        decision["payload"] = nil
        return decision
    }

    @Test("`rulehost replay` and `rulehost diff` take a log for traffic")
    func verbs() throws {
        let scene = try Scene()
        try scene.write("chat", Self.counting)
        let telemetry = HostTelemetry(version: "1", decisions: try DecisionLog(DecisionLogSettings(path: scene.log), journal: nil))
        let host = try scene.host(telemetry)
        _ = host.ask("chat", (0..<20).map { Scene.body("u-\($0 % 2)", id: "\($0)") })
        host.close()
        telemetry.end()
        let program = "\(Scene.programs)/rulehost"
        let diff = try OperatorTool.run(program, ["diff", scene.rules, scene.rules, "--traffic", scene.log, "--format", "json"])
        #expect(diff.code == 0)
        let report = try #require(try JSONSerialization.jsonObject(with: Data(diff.text.utf8)) as? [String: Any])
        #expect(report["events"] as? Int == 20 && report["changed"] as? Int == 0)
        let replay = try OperatorTool.run(program, ["replay", "--rules", scene.rules, "--traffic", scene.log, "--format", "json"])
        #expect(replay.code == 0 && replay.text.contains("\"events\": 20"))
    }

    @Test("The answer is the same with a log and without, byte for byte")
    func answers() throws {
        let scene = try Scene()
        try scene.write("chat", Self.counting)
        let log = HostTelemetry(version: "1", decisions: try DecisionLog(DecisionLogSettings(path: scene.log), journal: nil))
        let bodies = (0..<10).map { Scene.body(id: "\($0)") }
        let logged = try scene.host(log)
        let with = logged.ask("chat", bodies).map(\.body)
        logged.close()
        let plain = try scene.host(HostTelemetry(version: "1"))
        #expect(plain.ask("chat", bodies).map(\.body) == with)
        plain.close()
        log.end()
        #expect(try scene.lines().count == 10)
    }

    @Test("Neither a dry run nor a repeated request nor one with a problem is logged, and nothing that the store did not keep")
    func counts() throws {
        let scene = try Scene()
        try scene.write("chat", Self.counting)
        let store = try EffectStore("\(scene.folder)/rulehost.db", clock: { Scene.noon })
        let telemetry = HostTelemetry(version: "1", decisions: try DecisionLog(DecisionLogSettings(path: scene.log), journal: nil))
        let host = try scene.host(telemetry, store: store)
        var dry = DecideOptions()
        dry.isDryRun = true
        var keyed = DecideOptions()
        keyed.idempotency = IdempotencyKey(token: "", key: "k")
        _ = host.ask("chat", [Scene.body(id: "1")], dry)
        _ = host.ask("chat", [Scene.body(id: "2")], keyed)
        _ = host.ask("chat", [Scene.body(id: "2")], keyed)
        _ = host.ask("chat", [Array("{}".utf8)])
        store.close()
        #expect(host.ask("chat", [Scene.body(id: "3")])[0].status == 503)
        host.close()
        telemetry.end()
        #expect(try scene.lines().compactMap { ($0["message"] as? [String: Any])?["message_id"] as? String } == ["2"])
    }

    @Test("What is masked stands nowhere in the line, and one person stays one person")
    func masks() throws {
        let scene = try Scene()
        try scene.write("chat", Self.counting)
        var settings = DecisionLogSettings(path: scene.log)
        settings.masks = try [
            "message.name", "message.user.*.mail", "message.odd.key", "device.recipient", "message.pin", "device.nothing",
        ].map {
            try #require(MaskPath($0))
        }
        let telemetry = HostTelemetry(version: "1", decisions: try DecisionLog(settings, journal: nil))
        let host = try scene.host(telemetry)
        let data =
            #","name":"Secret Person","user":{"a":{"mail":"secret@example.com"},"b":[1]},"odd.key":"secret-odd","pin":4711,"plain":"stays""#
        _ = host.ask(
            "chat",
            [Scene.body("secret-u-1", id: "1", data: data), Scene.body("secret-u-1", id: "2"), Scene.body("u-2", id: "3", data: data)])
        host.close()
        telemetry.end()
        let text = try scene.text(scene.log)
        #expect(!text.contains("secret") && !text.contains("Secret") && !text.contains("4711"))
        #expect(text.contains("stays"))
        let lines = try scene.lines()
        #expect(
            lines[0]["masked"] as? [String] == [
                "message.name", "message.user.*.mail", "message.odd.key", "device.recipient", "message.pin",
            ])
        #expect(lines[1]["masked"] as? [String] == ["device.recipient"])
        let people = lines.map { ($0["device"] as? [String: Any])?["recipient"] as? String }
        #expect(people[0]?.hasPrefix("masked-") == true && people[0] == people[1] && people[0] != people[2])
        let decision = try #require(lines[0]["decision"] as? [String: Any])
        #expect(decision["recipient"] as? String == people[0])
        let name = try #require((lines[0]["message"] as? [String: Any])?["name"] as? String)
        #expect((decision["content"] as? [String: Any])?["title"] as? String == "\(name) wrote")
    }

    @Test(
        "A number that is masked stands nowhere in the decision, neither in the message that goes out nor in what rules made of it",
        arguments: [
            (#"{"message_id":"1","aps":{"alert":"Hi"},"pin":4711,"vip":true,"near":[471,47110]}"#, "message"),
            (
                #"{"message":{"token":"t","notification":{"title":"Hi"},"data":{"pin":"4711","vip":"true","near":"471"}}}"#,
                "message.message.data"
            ),
            (#"{"to":"t","notification":{"title":"Hi"},"data":{"pin":4711,"vip":true,"near":471}}"#, "message.data"),
        ])
    func maskedNumbers(_ message: String, _ place: String) throws {
        let scene = try Scene()
        try scene.write(
            "chat",
            """
            rule "Quote" { on = "send", decide = function(msg)
              return show { "banner", title = "PIN " .. tostring(msg.data.pin) .. "!", labels = { pin = tostring(msg.data.pin) },
                inbox = { pin = msg.data.pin, ["pin-" .. tostring(msg.data.pin)] = "it" } }
            end }
            """)
        var settings = DecisionLogSettings(path: scene.log)
        settings.masks = try ["\(place).pin", "\(place).vip"].map { try #require(MaskPath($0)) }
        let telemetry = HostTelemetry(version: "1", decisions: try DecisionLog(settings, journal: nil))
        let host = try scene.host(telemetry)
        #expect(host.ask("chat", [Array(#"{"event":"send","message":\#(message),"device":{"recipient":"u-1"}}"#.utf8)])[0].status == 200)
        host.close()
        telemetry.end()
        let text = try scene.text(scene.log)
        #expect(!text.replacing("47110", with: "").contains("4711") && !text.contains("true"))
        #expect(text.contains("\"payload\"") && text.contains("471"))
        #expect(text.contains("inbox") && text.contains("PIN "))
    }

    @Test("A message's own id that is a number and masked is masked in the decision, and so are texts that warnings cut")
    func maskedIdentity() throws {
        let scene = try Scene()
        try scene.write("chat", Self.counting)
        var settings = DecisionLogSettings(path: scene.log)
        settings.masks = try ["message.message_id", "message.aps.interruption-level"].map { try #require(MaskPath($0)) }
        let telemetry = HostTelemetry(version: "1", decisions: try DecisionLog(settings, journal: nil))
        let host = try scene.host(telemetry)
        let secret = String(repeating: "secret ", count: 30)
        let message = #"{"message_id":90210,"aps":{"alert":"Hi","interruption-level":"\#(secret)"}}"#
        #expect(host.ask("chat", [Array(#"{"event":"send","message":\#(message),"device":{}}"#.utf8)])[0].status == 200)
        host.close()
        telemetry.end()
        let text = try scene.text(scene.log)
        #expect(!text.contains("90210") && !text.contains("secret"))
        #expect((try scene.lines()[0]["decision"] as? [String: Any])?["message_id"] as? String == "0")
    }

    @Test(
        "What is no place in a line is no mask",
        arguments: ["", "message", "decision.badge", ".message", "message.", "message..a", "data.email"])
    func wrongMasks(_ text: String) {
        #expect((MaskPath(text) == nil) == (text != "message"))
    }

    @Test("Of a person all messages are in the sample, or none, and about as many people as were asked for")
    func sampling() {
        let sample = LogSample(0.1)
        let taken = (0..<20_000).filter { sample.takes(app: "chat", recipient: "u-\($0)", body: []) }
        #expect((1_800...2_200).contains(taken.count))
        for number in taken.prefix(50) { #expect(sample.takes(app: "chat", recipient: "u-\(number)", body: [UInt8(number % 256)])) }
        #expect(!LogSample(0).takes(app: "a", recipient: "b", body: []))
        #expect(LogSample(1).takes(app: "a", recipient: "b", body: []))
        // Where nobody is named each message is by itself.
        #expect((0..<2_000).count { sample.takes(app: "chat", recipient: "", body: Array("\($0)".utf8)) } < 400)
    }
}
