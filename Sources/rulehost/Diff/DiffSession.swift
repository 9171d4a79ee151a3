// Does a diff: loads both sides, runs the comparison, and answers in the form that was asked for.
import JSONDocument
import RuleEngine
import RuleLab
import RuleStore

final class DiffSession {
    private let options: DiffOptions
    private let console: Console
    private var notices: TrafficNotices

    init(_ options: DiffOptions, _ console: Console) {
        self.options = options
        self.console = console
        notices = TrafficNotices(console, options.traffic)
    }

    func run() throws(CommandFault) -> ExitCode {
        let sources = (old: try RulesSource(options.old, of: options.folder), new: try RulesSource(options.new, of: options.folder))
        var stream = try TrafficStream(options.traffic)
        defer { stream.close() }
        let first = try stream.next()
        let app: String
        do throws(CommandFault) {
            app = if let app = options.app ?? first?.firstApp { app } else { try onlyApp(of: sources.new) }
        } catch {
            throw stream.explained(error, first)
        }
        let old = try sources.old.evaluator(of: app)
        let new = try sources.new.evaluator(of: app)
        let console = console
        let tell = { (example: DiffExample) in console.write(DiffSession.line(example)) }
        let run = DiffRun(old, new, state: try state(), reporting: options.format == .ndjson ? tell : nil)
        guard let report = try compare(first, &stream, run) else { throw .noThread }
        let comparison = Comparison(
            report: report, app: app, old: .init(name: sources.old.name, path: sources.old.path, ruleset: old.ruleset),
            new: .init(name: sources.new.name, path: sources.new.path, ruleset: new.ruleset))
        tellLeftOut(comparison)
        write(comparison)
        if let page = options.page {
            do throws(StoreFault) {
                try ReportFile.write(DiffPage(comparison, traffic: options.traffic.name).html, to: page)
            } catch {
                throw .store(error)
            }
        }
        let code: ExitCode = report.unreadable > 0 ? .badInput : .done
        return max(code, verdict(on: report))
    }

    private func onlyApp(of source: RulesSource) throws(CommandFault) -> String {
        let apps: [String]
        do throws(StoreFault) { apps = try source.apps() } catch { throw .store(error) }
        guard apps.count == 1 else { throw .appNotNamed(apps: apps, folder: source.path) }
        return apps[0]
    }

    private func state() throws(CommandFault) -> AppState {
        guard let file = options.stateFile else { return AppState() }
        do throws(StoreFault) { return try StateFile.read(file) } catch { throw .store(error) }
    }

    private func compare(_ first: TrafficBatch?, _ stream: inout TrafficStream, _ run: DiffRun) throws(CommandFault) -> DiffReport? {
        var bar = ProgressBar(console, counting: "lines")
        defer { bar.clear() }
        var next = first
        // The stream and the bar are used in turns, by two closures.
        var part = stream.part
        return try run.run(
            reading: { () throws(CommandFault) -> TrafficBatch? in
                guard !console.isClosed, let batch = next else { return nil }
                next = try stream.next()
                part = stream.part
                return batch
            },
            telling: { note in
                switch note {
                case .compared(let lines): bar.update(count: lines & ~0x3F, part: part)
                case .unreadable(let line, let text, let fault):
                    notices.tell(line: line, text: text, fault, over: &bar)
                }
            })
    }

    // MARK: answers

    private func write(_ comparison: Comparison) {
        switch options.format {
        case .ndjson: break
        case .json:
            console.write(IndentedJSON.text(of: comparison.json))
            console.write("\n")
        default: console.write(HumanDiff(comparison, console.ink).text)
        }
    }

    private static func line(_ example: DiffExample) -> [UInt8] {
        var writer = JSONWriter(reserving: 4096)
        DiffWriter.write(example, into: &writer)
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    private func tellLeftOut(_ comparison: Comparison) {
        let report = comparison.report
        notices.tell(
            unreadable: report.unreadable, outOfOrder: report.outOfOrder, first: report.firstOutOfOrder, events: report.events,
            otherApps: report.otherApps, app: comparison.app)
    }

    /// What --exit-code and --fail-if say.
    private func verdict(on report: DiffReport) -> ExitCode {
        var code = ExitCode.done
        if options.failsOnChange, report.changed > 0 { code = .no }
        for condition in options.conditions where condition.holds(for: report) {
            code = .no
            let count = condition.count(in: report)
            console.writeError(
                "\(console.errorInk.paint("rulehost:", .strong)) \(console.errorInk.paint("failed:", .bad)) \(condition.text): "
                    + "\(Figures.grouped(count)) of \(Counted.events(report.events)) (\(Counted.percent(count, of: report.events)))\n")
        }
        return code
    }
}
