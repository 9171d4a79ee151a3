// `rulehost bench neighbour`: what an app in a process notices of apps beside it whose rules attack.
import JSONDocument
import LuaSandbox
import RuleEngine
import RuleLab
import RuleStore

extension Flag {
    static let attacks = Flag(
        "attacks", .required("DIR", .folder), "Lua files with which neighbours attack (default: a few of the program's own)")
    static let attackers = Flag("attackers", .required("N", .text), "Apps that attack at the same time (default: 1)")
}

struct NeighbourBench {
    static let name = "neighbour"

    private let rounds: Int
    private let attackers: Int
    private let scripts: [SourceFile]?
    private let isJSON: Bool
    private let console: Console

    init(_ arguments: Arguments, _ console: Console) throws(CommandFault) {
        self.console = console
        rounds = try arguments.rounds(otherwise: 10)
        attackers = try arguments.integer(.attackers) ?? 1
        guard (1...16).contains(attackers) else {
            throw .invalidValue(
                flag: Flag.attackers.name, value: arguments[.attackers] ?? "", expected: "a number from 1 to 16", suggestion: nil)
        }
        scripts = try arguments[.attacks].map { (path) throws(CommandFault) in try NeighbourBench.scripts(in: path) }
        isJSON = arguments.has(.json) || arguments.format == .json
    }

    /// The Lua files of a folder.
    private static func scripts(in path: String) throws(CommandFault) -> [SourceFile] {
        var parts = path.split(separator: "/", omittingEmptySubsequences: false)
        while parts.count > 1, parts.last?.isEmpty == true { parts.removeLast() }
        let name = parts.popLast().map(String.init) ?? ""
        let folder = parts.isEmpty ? "." : parts.joined(separator: "/")
        let files: [SourceFile]
        // What is too large for an app is an attack, too.
        var limits = LoadLimits()
        (limits.files, limits.bytes, limits.script.source) = (10_000, 64 << 20, 8 << 20)
        do throws(StoreFault) {
            files = try RulesFolder(path: folder.isEmpty ? "/" : folder, limits: limits).files(of: name)
        } catch {
            throw .store(error)
        }
        guard !files.isEmpty else {
            throw .invalidValue(flag: Flag.attacks.name, value: path, expected: "a folder with Lua files", suggestion: nil)
        }
        return files
    }

    func run() throws(CommandFault) -> ExitCode {
        let result: NeighbourMeasurement
        do throws(BenchmarkFault) {
            result = try Benchmark().measureNeighbour(scripts: scripts, attackers: attackers, rounds: rounds)
        } catch {
            throw CommandFault(error)
        }
        console.write(isJSON ? NeighbourBench.json(result) : NeighbourBench.table(result))
        return result.isSame ? .done : .no
    }

    private static func table(_ result: NeighbourMeasurement) -> String {
        let line = { (name: String, values: [String]) in
            let cells = values.map { String(repeating: " ", count: max(1, 12 - $0.count)) + $0 }
            return name + String(repeating: " ", count: max(1, 12 - name.count)) + cells.joined() + "\n"
        }
        let row = { (name: String, latency: NeighbourMeasurement.Latency) in
            line(name, [latency.median, latency.p99, latency.longest].map { "\(tenths($0 / 1_000)) µs" })
        }
        return line("", ["median", "p99", "longest"]) + row("alone", result.alone) + row("attacked", result.attacked)
            + "p99 under attack: \(tenths(result.factor)) times as long; \(result.messages) messages each, "
            + "\(result.attacks) attacks by \(result.attackers == 1 ? "one app" : "\(result.attackers) apps")\n"
            + (result.isSame ? "all answers are the same, byte for byte\n" : "ANSWERS DIFFER\n")
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    private static func json(_ result: NeighbourMeasurement) -> String {
        var writer = JSONWriter(reserving: 512)
        writer.beginObject()
        writer.key("neighbour")
        writer.beginObject()
        for (name, latency) in [("alone", result.alone), ("attacked", result.attacked)] {
            writer.key(name)
            writer.beginObject()
            for (key, value) in [("p50_ns", latency.median), ("p99_ns", latency.p99), ("longest_ns", latency.longest)] {
                writer.key(key)
                writer.integer(Int(value.rounded()))
            }
            writer.endObject()
        }
        writer.key("p99_factor")
        writer.decimal((result.factor * 100).rounded() / 100)
        for (key, value) in [("messages", result.messages), ("attackers", result.attackers), ("attacks", result.attacks)] {
            writer.key(key)
            writer.integer(value)
        }
        writer.key("same_answers")
        writer.bool(result.isSame)
        writer.endObject()
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self) + "\n"
    }
}
