// What is masked stands in no line of the decision log, whichever way it has come into a decision: in another form, in part, or from an
// earlier message.
import Foundation
import PushMessage
import Synchronization
import Testing

@testable import HostTelemetry
@testable import RuleHosting

struct MaskingTests {
    /// Says the address in every way that there is.
    private static let telling = """
        rule "Tell" {
          on = { "present", "open", "due", "resume", "receive" },
          decide = function(msg, device, event)
            local mail = tostring(msg.data.email)
            local how = msg.data.how or event.name
            if how == "hold" and event.name == "present" then return { display = "defer", hold_until = "1h", reason = "wait for " .. mail } end
            if how == "open app" and event.name == "present" then return { display = "defer", hold_until = "resume", reason = "ask " .. mail } end
            if how == "error" then error("no way to " .. mail) end
            if how == "inbox" then return { inbox = { from = mail, [mail] = 1 } } end
            if event.name == "open" then return { route = { tab = "mail", path = { mail } } } end
            return { title = "To " .. mail, reason = "for " .. mail, labels = { to = mail } }
          end,
        }
        """

    private final class Clock: Sendable {
        private let minutes = Atomic(0)
        func turn(_ more: Int) { minutes.add(more, ordering: .relaxed) }
        @Sendable func now() -> Instant {
            Instant(milliseconds: Scene.noon.milliseconds + Int64(minutes.load(ordering: .relaxed)) * 60_000)
        }
    }

    private struct Logged {
        let scene: Scene
        let host: RuleHost
        let telemetry: HostTelemetry
        let clock = Clock()

        init(_ masks: [String], _ rules: String = telling, manifest: String? = nil) throws {
            scene = try Scene()
            try scene.write("chat", rules)
            if let manifest { try manifest.write(toFile: "\(scene.rules)/chat/app.lua", atomically: true, encoding: .utf8) }
            var settings = DecisionLogSettings(path: scene.log)
            settings.masks = try masks.map { try #require(MaskPath($0)) }
            telemetry = HostTelemetry(version: "1", decisions: try DecisionLog(settings, journal: nil))
            host = try scene.host(telemetry, clock: clock.now)
        }

        func ask(_ event: String, id: String? = nil, _ data: String = "") {
            let message = id.map { #""message":{"message_id":"\#($0)","aps":{"alert":"Hi"}\#(data)},"# } ?? ""
            let device = #""device":{"recipient":"person-4711","state":"\#(event == "open" ? "terminated" : "foreground")"}"#
            let answer = host.ask(
                "chat", [Array(#"{"event":\#(event.hasPrefix("{") ? event : "\"\(event)\""),\#(message)\#(device)}"#.utf8)])[0]
            #expect(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
        }

        func end() throws -> (text: String, lines: [[String: Any]]) {
            host.close()
            telemetry.end()
            return (try scene.text(scene.log), try scene.lines())
        }
    }

    @Test("What was masked in one message stands in no line of a later one: not when it is due, in the inbox, nor where a tap leads again")
    func earlier() throws {
        let logged = try Logged(["message.email", "device.recipient"])
        logged.ask("present", id: "held", #","email":"secret-1@example.com","how":"hold""#)
        logged.ask("present", id: "asks", #","email":"secret-2@example.com","how":"open app""#)
        logged.ask("present", id: "kept", #","email":"secret-3@example.com","how":"inbox""#)
        logged.ask("receive", id: "kept-too", #","email":"secret-4@example.com","how":"inbox""#)
        logged.ask("open", id: "tapped", #","email":"secret-5@example.com""#)
        // Once more, from somebody who does not send it again.
        logged.ask("open", id: "tapped")
        logged.ask("resume")
        logged.clock.turn(61)
        let due = Date()
        while try logged.scene.lines().filter({ (($0["event"] as? [String: Any])?["name"] as? String) == "due" }).isEmpty,
            Date().timeIntervalSince(due) < 30
        { usleep(10_000) }
        let (text, lines) = try logged.end()
        #expect(!text.contains("secret") && !text.contains("person-4711"))
        let decisions = lines.compactMap { $0["decision"] as? [String: Any] }
        let events = decisions.compactMap { $0["event"] as? String }
        #expect(events.sorted() == ["due", "open", "open", "present", "present", "present", "receive", "resume"])
        // What the host says by itself is there.
        let last = try #require(decisions.first { $0["event"] as? String == "due" })
        #expect(last["message_id"] as? String == "held" && (last["display"] as? [String: Any])?["action"] as? String == "show")
        #expect((last["content"] as? [String: Any])?["title"] as? String != nil)
        let copy = try #require(decisions.first { $0["duplicate"] as? Bool == true })
        #expect((copy["route"] as? [String: Any])?["tab"] as? String != nil)
    }

    @Test("Where only the recipient is masked, what is due says everything else")
    func recipientAlone() throws {
        let logged = try Logged(["device.recipient"])
        logged.ask("present", id: "asks", #","email":"open@example.com","how":"open app""#)
        logged.ask("resume")
        let (text, _) = try logged.end()
        #expect(!text.contains("person-4711") && text.contains("To open@example.com"))
    }

    @Test("A message's own id that is masked is masked when it is due")
    func identity() throws {
        let logged = try Logged(["message.message_id"])
        logged.ask("present", id: "secret-id", #","email":"m","how":"open app""#)
        logged.ask("resume")
        let (text, lines) = try logged.end()
        #expect(!text.contains("secret-id") && lines.count == 2)
    }

    @Test(
        "A value is found in whichever form a rule shows it: on one line, cut, as a number of Lua, read out of JSON",
        arguments: [
            (#""secret-1\nsecret-2\tsecret-3""#, "error"), (#""secret-1\u202esecret-2""#, "error"), (#""secret-1\u2028secret-2""#, "plain"),
            (#""  secret-1  ""#, "error"), ("1e15", "error"), ("4711471147114711.5", "error"), ("12345678901234567890123", "plain"),
            ("-0.000012345", "error"), ("47110815", "plain"), (#""\#((0..<400).map { "secret-\($0)" }.joined(separator: " "))""#, "error"),
            (#""\#((0..<400).map { "secret-\($0)" }.joined(separator: " "))""#, "plain"),
        ])
    func forms(_ value: String, _ how: String) throws {
        let logged = try Logged(["message.email"])
        logged.ask("present", id: "m", #","how":"\#(how)","email":\#(value)"#)
        let (text, lines) = try logged.end()
        #expect(lines.count == 1)
        for part in ["secret", "e+15", "4711471147", "23456789", "2345e", "47110815", "1e15", "1000000000"] {
            #expect(!text.contains(part), "\(text)")
        }
        let decision = try #require(lines[0]["decision"] as? [String: Any])
        #expect(how == "error" ? decision["errors"] != nil : decision["labels"] != nil)
    }

    @Test("What an app reads out of a masked text of JSON is masked as well")
    func partsOfJSON() throws {
        let logged = try Logged(
            ["message.inner"],
            #"rule "T" { on = "present", decide = function(msg) return { title = "New: " .. msg.title, labels = { n = msg.subtitle } } end }"#,
            manifest: #"return { api = 1, fields = { title = { "json:inner|title" }, subtitle = { "json:inner|deep.pin" } } }"#)
        logged.ask("present", id: "m", #","inner":"{\"title\":\"Secret title\",\"deep\":{\"pin\":\"secret-pin\"}}""#)
        let (text, lines) = try logged.end()
        #expect(!text.lowercased().contains("secret") && text.contains("New: masked-") && lines.count == 1)
    }
}
