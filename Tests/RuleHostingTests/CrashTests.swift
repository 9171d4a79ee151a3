// A host that is killed while it decides, or whose disk is full. What it has answered counts exactly once; who repeats a request
// after that gets the answer that there was.
import EffectStore
import Foundation
import struct LuaSandbox.ScriptLimits
import RuleEngine
import Testing

@testable import RuleHosting

@Suite(.serialized) struct CrashTests {
    @Test("Of a host that is killed fifty times, what was answered counts once, and is answered the same again")
    func killed() throws {
        let scene = try Scene()
        try scene.write("chat")
        try scene.write("mail")
        var random = SeededNumbers(seed: 20_261_130)
        var count = 0
        for round in 0..<50 {
            let isolation = round % 10 == 9 ? "process" : "thread"
            // By the clock it also ends before its first answer; by what it says, after some on any machine.
            let said = round.isMultiple(of: 2) ? 0 : Int.random(in: 1...80, using: &random)
            let answered = try feedUntilKilled(
                scene, "r\(round)", isolation, having: said, after: UInt32.random(in: said == 0 ? 20...160 : 0...8, using: &random))
            let store = try scene.store()
            let host = try scene.host(.durable(store))
            for person in 0..<6 {
                let recipient = "r\(round)-\(person)"
                let app = person % 2 == 0 ? "chat" : "mail"
                let sure = answered[recipient] ?? []
                let badge = try store.view.recipient(app: app, recipient).badge ?? 0
                #expect(badge == sure.count || badge == sure.count + 1, "\(recipient): \(badge) of \(sure.count)")
                // Everything is sent again, also the one whose answer may have been lost.
                let again = host.askAll((0...sure.count).map { (app, Self.body(recipient, $0), Scene.keyed("\(recipient)-\($0)")) })
                #expect(again.prefix(sure.count).map(\.text) == sure, "\(recipient)")
                #expect(again.last?.badge == sure.count + 1, "\(recipient)")
                #expect(try store.view.recipient(app: app, recipient).badge == sure.count + 1, "\(recipient)")
                count += sure.count
            }
            host.close()
            store.close()
        }
        // Else nothing was proved.
        #expect(count > 500)
    }

    @Test("When the disk is full, those that build on what is not kept fail as well, and with room it goes on by itself")
    func full() throws {
        let scene = try Scene()
        try scene.write("chat", Self.sharing)
        let lines = try Self.lines("full", scene.rules, scene.storePath)
        #expect(lines == ["refused true again 20 badge true shared true"])
    }

    @Test(
        "Apps that nobody asks cost less than 64 KiB each",
        .enabled(if: ScriptLimits.slowness == 1, "a sanitizer has memory of its own beside each block"))
    func idle() throws {
        let scene = try Scene()
        for number in 0..<300 { try scene.write("app-\(number)") }
        let lines = try Self.lines("apps", scene.rules, "300")
        #expect((lines.last.flatMap { Int($0) } ?? .max) < 64 << 10, "\(lines)")
    }

    private static let sharing = """
        rule "Count" {
          on = "present",
          decide = function() state.app.incr("all") return show { "banner", badge = "+1" } end,
        }
        """

    static func body(_ recipient: String, _ number: Int) -> [UInt8] {
        Array(
            #"{"event":"present","message":{"message_id":"\#(recipient)-\#(number)","aps":{"alert":"Hello"}},"device":{"recipient":"\#(recipient)","state":"foreground"}}"#
                .utf8)
    }

    // MARK: the double

    private static func start(_ words: [String]) throws -> (process: Process, output: FileHandle) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "\(Scene.programs)/HostDouble")
        process.arguments = words
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        return (process, output.fileHandleForReading)
    }

    private static func lines(_ words: String...) throws -> [String] {
        let (process, output) = try start(words)
        let bytes = try output.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// The answers that each recipient has had, in order.
    private func feedUntilKilled(
        _ scene: Scene, _ round: String, _ isolation: String, having said: Int, after milliseconds: UInt32
    ) throws -> [String: [String]] {
        let (process, output) = try Self.start(["feed", scene.rules, scene.storePath, round, isolation])
        // Begun while it is fed, or the pipe would be full.
        let reading = Monitor<(bytes: Data, isAll: Bool)>((Data(), false))
        let thread = Thread { [output] in
            while true {
                let more = output.availableData
                reading.change {
                    $0.bytes += more
                    $0.isAll = more.isEmpty
                }
                if more.isEmpty { break }
            }
        }
        thread.start()
        reading.wait { $0.isAll || $0.bytes.count(where: { $0 == UInt8(ascii: "\n") }) >= said ? () : nil }
        usleep(milliseconds * 1_000)
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        let bytes = reading.wait { $0.isAll ? $0.bytes : nil }
        var answers: [String: [String]] = [:]
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 3)
            #expect(words.count == 4 && Int(words[2]) == answers[String(words[1]), default: []].count, "\(line)")
            guard words.count == 4 else { continue }
            answers[String(words[1]), default: []].append(String(words[3]))
        }
        return answers
    }
}
