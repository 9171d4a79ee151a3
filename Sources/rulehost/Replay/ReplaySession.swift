// Does a replay: loads the app, plays the traffic, and answers in the form that was asked for. What it writes grows with the
// traffic, what it keeps does not.
import JSONDocument
import PushMessage
import RuleEngine
import RuleLab
import RuleStore

final class ReplaySession {
    private let options: ReplayOptions
    private let console: Console
    private var notices: TrafficNotices
    private var diaryText: DiaryText
    /// Of one person, for the page.
    private var entries: [DiaryEntry] = []
    private var leftOut = 0
    /// More than anybody reads on a page.
    private static let mostEntries = 2_000

    init(_ options: ReplayOptions, _ console: Console) {
        self.options = options
        self.console = console
        notices = TrafficNotices(console, options.traffic)
        diaryText = DiaryText(console.ink)
    }

    func run() throws(CommandFault) -> ExitCode {
        var stream = try TrafficStream(options.traffic)
        defer { stream.close() }
        let first = try stream.next()
        let evaluator: any RuleEvaluating
        do throws(CommandFault) {
            evaluator = try AppLoading.evaluator(
                of: options.app ?? first?.firstApp, in: options.folder, options.isolation,
                telling: RuleNotices(folder: options.folder, console: console))
        } catch {
            throw stream.explained(error, first)
        }
        let store = try StateStore(file: options.stateFile, target: options.applyFile)
        let run = ReplayRun(evaluator, state: store.state, recipient: options.recipient)
        if options.format == .human, let recipient = options.recipient {
            let title = evaluator.ruleset.manifest.title ?? evaluator.ruleset.app
            console.write(
                "\(console.ink.paint(title.printable, .strong)) · what the phone of \(recipient.printable) did, on its own clock\n")
        }
        try play(first, &stream, run, evaluator.ruleset.manifest)
        let report = run.report
        let replay = Replay(
            report: report, ruleset: evaluator.ruleset, rules: options.folder.path, traffic: options.traffic.name,
            recipient: options.recipient)
        write(replay)
        notices.tell(
            unreadable: report.unreadable, outOfOrder: report.outOfOrder, first: report.firstOutOfOrder, events: report.counts.events,
            otherApps: report.otherApps, app: evaluator.ruleset.app)
        tellUnknownRecipient(report)
        if let page = options.page {
            do throws(StoreFault) {
                try ReportFile.write(ReplayPage(replay, entries, leftOut: leftOut).html, to: page)
            } catch {
                throw .store(error)
            }
        }
        try store.save(options.applyFile == nil ? nil : run.state)
        return max(report.unreadable > 0 ? .badInput : .done, report.errors.isEmpty ? .done : .ruleFailed)
    }

    private func play(
        _ first: TrafficBatch?, _ stream: inout TrafficStream, _ run: ReplayRun, _ manifest: Manifest
    ) throws(CommandFault) {
        var bar = ProgressBar(console, counting: "lines")
        defer { bar.clear() }
        var next = first
        var lines = 0
        // Where nobody reads the answer any more, the state and the page are still wanted.
        while let batch = next, !console.isClosed || options.applyFile != nil || options.page != nil {
            run.play(batch) { note in tell(note, manifest, &bar) }
            lines += batch.lines.count
            // Drawn only at rounds of 64.
            bar.update(count: lines & ~0x3F, part: stream.part)
            next = try stream.next()
        }
    }

    private func tell(_ note: ReplayRun.Note, _ manifest: Manifest, _ bar: inout ProgressBar) {
        switch note {
        case .unreadable(let line, let batch, let fault):
            notices.tell(line: line.number, text: batch.text(of: line), fault, over: &bar)
        case .played(let played, let line, let batch):
            guard isWanted(played.recipient) else { return }
            if options.format == .ndjson {
                for decision in played.decisions {
                    write(decision, played.at, line: line.number, due: nil, played.recipient, played.channel)
                }
            }
            if options.recipient != nil { keep(DiaryEntry(played, line, batch, manifest)) }
        case .due(let answer):
            guard isWanted(answer.recipient) else { return }
            if options.format == .ndjson, let decision = answer.decision {
                write(decision, answer.at, line: nil, due: answer.id, answer.recipient, nil)
            }
            if options.recipient != nil, let entry = DiaryEntry(answer, manifest) { keep(entry) }
        }
    }

    private func isWanted(_ recipient: String) -> Bool { options.recipient.map(recipient.isExactly) ?? true }

    private func keep(_ entry: DiaryEntry) {
        if options.format == .human { console.write(diaryText.add(entry)) }
        guard options.page != nil else { return }
        if entries.count < ReplaySession.mostEntries { entries.append(entry) } else { leftOut += 1 }
    }

    private func write(_ decision: Decision, _ at: Instant, line: Int?, due: String?, _ recipient: String, _ channel: String?) {
        var writer = JSONWriter(reserving: 1024)
        ReplayWriter.write(decision, at: at.text, line: line, due: due, recipient: recipient, channel: channel, into: &writer)
        console.write(writer.bytes + [UInt8(ascii: "\n")])
    }

    private func write(_ replay: Replay) {
        switch options.format {
        case .ndjson: break
        case .json:
            var writer = JSONWriter(reserving: 65_536)
            ReplayWriter.write(replay.report, into: &writer) { writer in replay.writeHead(into: &writer) }
            console.write(IndentedJSON.text(of: writer.bytes))
            console.write("\n")
        default: console.write(HumanReplay(replay, console.ink).text)
        }
    }

    private func tellUnknownRecipient(_ report: ReplayReport) {
        guard let recipient = options.recipient, report.counts.events > 0,
            !report.people.contains(where: { $0.recipient.isExactly(recipient) })
        else { return }
        let nearest = NearestName.of(recipient, among: report.people.map(\.recipient))
        console.warn(
            "the traffic has no event of the recipient \(recipient)\(nearest.map { "; did you mean \($0)?" } ?? "")".printable)
    }
}
