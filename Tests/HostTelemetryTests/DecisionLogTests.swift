// The decision log: what stands in it can be lived through again, nobody can read what is masked, and a disk that is slow or full costs lines,
// never answers.
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

    @Test("A file that is full becomes number 1, and no more are kept than are wanted")
    func rotation() throws {
        let scene = try Scene()
        var file = LogFile(scene.log, rotate: 100, keep: 2)
        for number in 0..<5 { try file.write(Array("\(number)\(String(repeating: "x", count: 58))\n".utf8)) }
        let names = try FileManager.default.contentsOfDirectory(atPath: scene.folder).filter { $0.hasPrefix("decisions") }.sorted()
        #expect(names == ["decisions.ndjson", "decisions.ndjson.1", "decisions.ndjson.2"])
        #expect(try ["", ".1", ".2"].map { try scene.text(scene.log + $0).first } == ["4", "3", "2"])
    }

    @Test("A file that cannot be turned is written on, which is told once, and is turned when that is possible again")
    func stuck() throws {
        let scene = try Scene()
        try scene.write("chat", Self.counting)
        let path = "\(scene.folder)/journal"
        let journal = try Journal(.json, to: try scene.descriptor(path))
        var settings = DecisionLogSettings(path: scene.log)
        settings.rotate = 100
        settings.keep = 2
        // Nobody can make a folder that holds something of a file.
        try FileManager.default.createDirectory(atPath: "\(scene.log).2/in-the-way", withIntermediateDirectories: true)
        try "one\n".write(toFile: "\(scene.log).1", atomically: true, encoding: .utf8)
        let telemetry = HostTelemetry(version: "1", journal: journal, decisions: try DecisionLog(settings, journal: journal))
        let host = try scene.host(telemetry)
        let written = { telemetry.numbers[#"rulehost_log_lines_total{log="decisions"}"#] }
        for number in 0..<4 {
            #expect(host.ask("chat", [Scene.body(id: "\(number)")])[0].status == 200)
            scene.until { written() == Double(number + 1) }
        }
        #expect(telemetry.numbers[#"rulehost_log_dropped_total{log="decisions"}"#] == 0)
        #expect(try scene.lines().count == 4)
        host.close()
        telemetry.end()
        let told = try scene.lines(path)
        #expect(told.count { $0["event"] as? String == "decision_log_not_turned" } == 1)
        #expect(told.count { $0["event"] as? String == "decision_log_not_written" } == 0)
    }

    @Test("A file that others have shortened goes on at its end, and is full when it is")
    func shortened() throws {
        let scene = try Scene()
        var file = LogFile(scene.log, rotate: 100, keep: 1)
        try file.write(Array("\(String(repeating: "x", count: 80))\n".utf8))
        #expect(truncate(scene.log, 0) == 0)
        try file.write(Array("\(String(repeating: "y", count: 60))\n".utf8))
        #expect(!FileManager.default.fileExists(atPath: "\(scene.log).1"))
        #expect(try scene.text(scene.log) == "\(String(repeating: "y", count: 60))\n")
        try file.write(Array("\(String(repeating: "z", count: 60))\n".utf8))
        #expect(try scene.text("\(scene.log).1").hasPrefix("yyy") && scene.text(scene.log).hasPrefix("zzz"))
    }

    @Test("A file that others have taken away is begun anew, and where that is not possible lines are not written to nowhere")
    func takenAway() throws {
        let scene = try Scene()
        let folder = "\(scene.folder)/logs"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var file = LogFile("\(folder)/log", rotate: 10, keep: 1)
        try file.write(Array("one\n".utf8), now: 0)
        try FileManager.default.removeItem(atPath: "\(folder)/log")
        try file.write(Array("two\n".utf8), now: 0)
        #expect(try scene.text("\(folder)/log") == "two\n")
        try FileManager.default.removeItem(atPath: folder)
        for place in 0..<3 {
            do throws(LogFile.Fault) {
                try file.write(Array("lost-and-long-\(place)\n".utf8), now: Int64(place))
                Issue.record("it was written to nowhere")
            } catch {
                #expect(error.number == ENOENT)
            }
        }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try file.write(Array("three\n".utf8), now: 4)
        #expect(try scene.text("\(folder)/log") == "three\n")
    }

    @Test("A file in a folder that nobody may write to grows, until it can be turned")
    func turnedLater() throws {
        let scene = try Scene()
        try FileManager.default.createDirectory(atPath: "\(scene.log).1/in-the-way", withIntermediateDirectories: true)
        var file = LogFile(scene.log, rotate: 10, keep: 1)
        for line in ["one", "two", "three"] { try file.write(Array("\(line)-------\n".utf8), now: 0) }
        #expect(file.refusal != nil)
        #expect(try scene.text(scene.log) == "one-------\ntwo-------\nthree-------\n")
        try FileManager.default.removeItem(atPath: "\(scene.log).1")
        try file.write(Array("four\n".utf8), now: 1)
        #expect(try scene.text(scene.log).hasSuffix("three-------\nfour\n"))
        try file.write(Array("five\n".utf8), now: LogFile.patience)
        #expect(file.refusal == nil)
        #expect(try scene.text(scene.log) == "five\n")
        #expect(try scene.text("\(scene.log).1").hasSuffix("three-------\nfour\n"))
    }

    @Test("After a reopen lines go to a new file, and a line that a killed host has left half is ended first")
    func reopening() throws {
        let scene = try Scene()
        try "{\"at\":\"2026".write(toFile: scene.log, atomically: true, encoding: .utf8)
        var file = LogFile(scene.log, rotate: nil, keep: 0)
        try file.write(Array("one\n".utf8))
        #expect(try scene.text(scene.log) == "{\"at\":\"2026\none\n")
        try FileManager.default.moveItem(atPath: scene.log, toPath: "\(scene.log).old")
        try file.write(Array("two\n".utf8))
        try file.reopen()
        try file.write(Array("three\n".utf8))
        #expect(try scene.text("\(scene.log).old").hasSuffix("one\ntwo\n"))
        #expect(try scene.text(scene.log) == "three\n")
    }

    @Test("A disk that is full costs lines, which are counted and told once; decisions go on")
    func full() throws {
        let scene = try Scene()
        try scene.write("chat", Self.counting)
        let path = "\(scene.folder)/journal"
        let journal = try Journal(.json, to: try scene.descriptor(path))
        let telemetry = HostTelemetry(
            version: "1", journal: journal, decisions: try DecisionLog(DecisionLogSettings(path: "/dev/full"), journal: journal))
        let host = try scene.host(telemetry)
        for number in 0..<5 {
            #expect(host.ask("chat", [Scene.body(id: "\(number)")])[0].status == 200)
            scene.until { telemetry.numbers[#"rulehost_log_dropped_total{log="decisions"}"#] == Double(number + 1) }
        }
        host.close()
        telemetry.end()
        #expect(telemetry.numbers[#"rulehost_log_lines_total{log="decisions"}"#] == 0)
        #expect(try scene.lines(path).count { $0["event"] as? String == "decision_log_not_written" } == 1)
    }

    @Test("A disk that takes nothing for a while costs lines beyond what may wait; decisions go on, and what was taken is written")
    func slow() throws {
        let scene = try Scene()
        try scene.write("chat", Self.counting)
        // A pipe that nobody reads from takes 64 KiB.
        #expect(mkfifo(scene.log, 0o600) == 0)
        let reader = open(scene.log, O_RDWR | O_NONBLOCK)
        defer { close(reader) }
        var settings = DecisionLogSettings(path: scene.log)
        settings.mostWaiting = 10
        let telemetry = HostTelemetry(version: "1", decisions: try DecisionLog(settings, journal: nil))
        let host = try scene.host(telemetry)
        let count = 1_000
        #expect(host.ask("chat", (0..<count).map { Scene.body("u-\($0)", id: "\($0)") }).allSatisfy { $0.status == 200 })
        host.close()
        let dropped = { Int(telemetry.numbers[#"rulehost_log_dropped_total{log="decisions"}"#] ?? 0) }
        #expect(dropped() > 0)
        // Whoever reads now gets whole lines: all that were not dropped.
        let ended = Monitor(false)
        let thread = Thread {
            telemetry.end()
            ended.change { $0 = true }
        }
        thread.start()
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let isOver = ended.withLock { $0 }
            let size = read(reader, &piece, piece.count)
            if size > 0 { bytes += piece[..<size] } else if isOver { break } else { usleep(1_000) }
        }
        let lines = bytes.split(separator: 0x0A)
        #expect(lines.count == count - dropped())
        for line in lines { _ = try JSONSerialization.jsonObject(with: Data(line)) }
    }

    @Test("A file that was moved away is left, however much waits for it")
    func reopeningWhenFull() throws {
        let scene = try Scene()
        try scene.write("chat", Self.counting)
        #expect(mkfifo(scene.log, 0o600) == 0)
        let reader = open(scene.log, O_RDWR | O_NONBLOCK)
        defer { close(reader) }
        var settings = DecisionLogSettings(path: scene.log)
        settings.mostWaiting = 3
        let log = try DecisionLog(settings, journal: nil)
        let telemetry = HostTelemetry(version: "1", decisions: log)
        let host = try scene.host(telemetry)
        let dropped = { Int(telemetry.numbers[#"rulehost_log_dropped_total{log="decisions"}"#] ?? 0) }
        // Until nothing more goes in, and as much waits as may.
        var place = pollfd(fd: reader, events: Int16(POLLOUT), revents: 0)
        while poll(&place, 1, 0) == 1 { _ = host.ask("chat", [Scene.body(id: "1")]) }
        let before = dropped()
        while dropped() == before { _ = host.ask("chat", [Scene.body(id: "2")]) }
        try FileManager.default.moveItem(atPath: scene.log, toPath: "\(scene.log).old")
        log.reopen()
        host.close()
        let ended = Monitor(false)
        let thread = Thread {
            telemetry.end()
            ended.change { $0 = true }
        }
        thread.start()
        var piece = [UInt8](repeating: 0, count: 65_536)
        while !ended.withLock({ $0 }) { if read(reader, &piece, piece.count) <= 0 { usleep(1_000) } }
        #expect(!(try scene.lines()).isEmpty)
    }

    @Test("A log that cannot be begun is a fault at the start, with the reason")
    func start() throws {
        let fault = #expect(throws: TelemetryFault.self) {
            try DecisionLog(DecisionLogSettings(path: "/nowhere/at/all.ndjson"), journal: nil)
        }
        #expect(fault?.code == "log_not_written")
        #expect(fault?.message.contains("No such file") == true)
    }

    @Test(
        "Sizes are read with their units",
        arguments: zip(
            ["100MB", "1GiB", "5000", "1KB", "0", "MB", "-1", "1 MB", "1XB", "99999999999GiB"],
            [100_000_000, 1 << 30, 5_000, 1_000] + [Int?](repeating: nil, count: 6)))
    func sizes(_ text: String, _ size: Int?) {
        #expect(DecisionLogSettings.size(text) == size)
    }
}
