// The hostile scripts of Tests/Cases/attacks, each as a file at load and inside a rule's decide.
import Foundation
import JSONDocument
import LuaSandbox
import Testing

struct Attack: CustomTestStringConvertible, Sendable {
    let name: String
    let source: [UInt8]
    var testDescription: String { name }

    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Cases/attacks")

    static let all: [Attack] = {
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return files.filter { $0.pathExtension == "lua" }.sorted { $0.path < $1.path }.compactMap { file in
            guard let data = FileManager.default.contents(atPath: file.path) else { return nil }
            return Attack(name: file.lastPathComponent, source: Array(data))
        }
    }()

    /// The script as the body of a rule's decide. It finds the app's state and two views as HOST.
    var asDecide: [UInt8] {
        let before = """
            rule "attack" { decide = function(msg, device) local HOST = { state_set = state.set, state_get = state.get, \
            ud_a = msg, ud_b = device, readonly = string }
            """
        return Array(before.utf8) + [10] + source + Array("\nend }\n".utf8)
    }
}

@Suite(.serialized) struct Attacks {
    private func cpuMilliseconds() -> Double {
        var now = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
        return Double(now.tv_sec) * 1e3 + Double(now.tv_nsec) / 1e6
    }

    private func isBad(_ text: String) -> Bool {
        text.contains("ESCAPE") || text.contains("WRONG") || text.contains("CORRUPT")
    }

    private func json(_ value: JSONValue?) -> String {
        guard let value else { return "nil" }
        var writer = JSONWriter(reserving: 256)
        writer.value(value)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test("The scripts are all here") func complete() { #expect(Attack.all.count == 286) }

    @Test("At load no script escapes, outlives its limits or hurts the next machine", arguments: Attack.all)
    func atLoad(_ attack: Attack) throws {
        let limits = ScriptLimits()
        let machine = try LuaMachine(limits: limits, functions: TestHost.functions)
        let start = cpuMilliseconds()
        var answer = ""
        do { answer = json(try machine.run(file: attack.name, source: attack.source)) } catch {
            #expect(!error.message.isEmpty)
            answer = error.message
        }
        #expect(cpuMilliseconds() - start < 2 * Double(limits.loadMilliseconds))
        #expect(!isBad(answer), "\(answer)")
        #expect(machine.usage.memoryPeak <= limits.memory)
        try expectCanary()
    }

    @Test("Inside decide no script escapes, outlives its limits or hurts the next machine", arguments: Attack.all)
    func insideDecide(_ attack: Attack) throws {
        let limits = ScriptLimits()
        let loaded: Loaded
        do { loaded = try Loaded(String(decoding: attack.asDecide, as: UTF8.self), file: attack.name) } catch {
            return  // the text is refused before it runs: too large, too deep, not Lua
        }
        let start = cpuMilliseconds()
        let answer = try loaded.decide()
        #expect(cpuMilliseconds() - start < 2 * Double(limits.callMilliseconds) + 5)
        #expect(!isBad(answer.text), "\(answer.text)")
        #expect(!loaded.host.log.contains(where: isBad))
        #expect(loaded.machine.usage.memoryPeak <= limits.memory)
        try expectCanary()
        guard !loaded.machine.isDead else { return }
        // A machine that lives on must not remember anything: the same call gives the same answer.
        loaded.host.state = [:]
        #expect(try loaded.decide() == answer)
    }

    private func expectCanary() throws {
        guard let canary = Attack.all.first(where: { $0.name == "000-canary.lua" }) else { return }
        let machine = try LuaMachine(limits: ScriptLimits(), functions: TestHost.functions)
        #expect(json(try machine.run(file: "canary.lua", source: canary.source)) == #""canary ok""#)
    }
}
