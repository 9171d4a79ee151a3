// `rulehost bench hosted`: what comes out of a host in a second, without the way to it. What is measured is RuleHosting's business;
// this makes a folder for it, chooses the rows and prints them.
import Glibc
import HostTelemetry
import JSONDocument
import RuleHosting
import RuleStore

struct HostedBench {
    static let name = "hosted"

    private struct Row {
        let name: String
        let isolation: HostSettings.Isolation
        let isKept: Bool
        let atOnce: Int
        var watching = Watching.nobody
    }

    private enum Watching { case nobody, metrics, decisions }

    private static let rows = [
        Row(name: "thread", isolation: .thread, isKept: false, atOnce: 1_024),
        Row(name: "thread-kept", isolation: .thread, isKept: true, atOnce: 4_096),
        Row(name: "process", isolation: .process, isKept: false, atOnce: 1_024),
        Row(name: "process-kept", isolation: .process, isKept: true, atOnce: 4_096),
        Row(name: "thread-watched", isolation: .thread, isKept: false, atOnce: 1_024, watching: .metrics),
        Row(name: "thread-logged", isolation: .thread, isKept: false, atOnce: 1_024, watching: .decisions),
        Row(name: "thread-1", isolation: .thread, isKept: false, atOnce: 1),
        Row(name: "process-1", isolation: .process, isKept: false, atOnce: 1),
        Row(name: "kept-1", isolation: .thread, isKept: true, atOnce: 1),
    ]

    private let rounds: Int
    private let isJSON: Bool
    private let console: Console

    init(_ arguments: Arguments, _ console: Console) throws(CommandFault) {
        self.console = console
        rounds = try arguments.rounds(otherwise: 3)
        isJSON = arguments.has(.json) || arguments.format == .json
    }

    func run() throws(CommandFault) -> ExitCode {
        let folder = try HostedBench.makeFolder()
        defer { HostedBench.remove(folder) }
        let app: String
        let bodies: [[UInt8]]
        do throws(StoreFault) {
            (app, bodies) = try HostedBenchmark.reference(in: "\(folder)/rules")
        } catch {
            throw .store(error)
        }
        var measured: [HostedMeasurement] = []
        for row in HostedBench.rows {
            do throws(HostedBenchmark.Fault) {
                var best: HostedMeasurement?
                for round in 0..<rounds {
                    let watch = try watch(row.watching, in: folder)
                    defer { watch?.end() }
                    let result = try HostedBenchmark.measure(
                        name: row.name, rules: RulesFolder(path: "\(folder)/rules"), apps: [app], bodies: bodies, isolation: row.isolation,
                        store: row.isKept ? "\(folder)/\(row.name)-\(round).db" : nil, atOnce: row.atOnce, seconds: 1,
                        watch: watch)
                    if result.perSecond > best?.perSecond ?? 0 { best = result }
                }
                if let best { measured.append(best) }
            } catch {
                throw CommandFault(error)
            }
            if !isJSON, let last = measured.last { console.write(HostedBench.line(last, row)) }
        }
        if isJSON { console.write(HostedBench.json(measured)) }
        return .done
    }

    /// With all that an operator may want to see; a log begins anew each time.
    private func watch(_ watching: Watching, in folder: String) throws(HostedBenchmark.Fault) -> HostTelemetry? {
        if case .nobody = watching { return nil }
        guard case .decisions = watching else { return HostTelemetry(version: Program.version) }
        do throws(TelemetryFault) {
            var settings = DecisionLogSettings(path: "\(folder)/decisions.ndjson")
            (settings.rotate, settings.keep) = (64 << 20, 0)
            return HostTelemetry(version: Program.version, decisions: try DecisionLog(settings, journal: nil))
        } catch {
            throw .wrong(error.message)
        }
    }

    private static func line(_ result: HostedMeasurement, _ row: Row) -> String {
        let cell = { (text: String, width: Int) in String(repeating: " ", count: max(1, width - text.count)) + text }
        let rate = Figures.grouped(Int(result.perSecond.rounded()))
        let tenths = Int((result.processorMicroseconds * 10).rounded())
        return row.name + cell("\(rate) a second", 32 - row.name.count) + cell("\(tenths / 10).\(tenths % 10) µs of the processor each", 34)
            + cell(row.atOnce == 1 ? "one at a time" : "\(Figures.grouped(row.atOnce)) at once", 18) + "\n"
    }

    private static func json(_ rows: [HostedMeasurement]) -> String {
        var writer = JSONWriter(reserving: 1_024)
        writer.beginObject()
        writer.key("benchmarks")
        writer.beginArray()
        for row in rows {
            writer.beginObject()
            writer.key("name")
            writer.string("hosted-\(row.name)")
            writer.key("ns")
            writer.integer(Int((1e9 / max(1, row.perSecond)).rounded()))
            writer.key("per_second")
            writer.integer(Int(row.perSecond.rounded()))
            writer.key("cpu_ns")
            writer.integer(Int((row.processorMicroseconds * 1_000).rounded()))
            writer.key("operations")
            writer.integer(row.requests)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self) + "\n"
    }

    // MARK: the folder

    private static func makeFolder() throws(CommandFault) -> String {
        let root = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(root)/rulehost-bench-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw .unreadableFile(path: root, errno: errno) }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// What cannot be removed stays for whoever tidies the folder of temporary files.
    private static func remove(_ path: String) {
        guard let folder = opendir(path) else { return }
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            if name == "." || name == ".." { continue }
            if unlink("\(path)/\(name)") != 0 { remove("\(path)/\(name)") }
        }
        closedir(folder)
        rmdir(path)
    }
}

extension CommandFault {
    init(_ fault: HostedBenchmark.Fault) {
        switch fault {
        case .start(let fault): self = .internalFault("the host does not start: \(fault.message)")
        case .store(let fault): self = .effectStore(fault)
        case .wrong(let what): self = .internalFault("the host does not decide: \(what)")
        }
    }
}
