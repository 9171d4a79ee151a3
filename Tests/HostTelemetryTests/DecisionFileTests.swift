// The file of the decision log: when it is turned and begun anew, what becomes of it in the hands of others, and what a disk that is slow or
// full costs: lines, never answers.
import EffectStore
import Foundation
import PushMessage
import RuleHosting
import Testing

@testable import HostTelemetry

struct DecisionFileTests {
    private static let counting = """
        rule "Count" { on = { "present", "send" }, decide = function() return show { labels = { n = tostring(state.incr("n")) } } end }
        """

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
