// Does a matrix: loads the app, decides every combination, and answers in the form that was asked for.
import CivilTime
import JSONDocument
import PushMessage
import RuleEngine
import RuleLab
import RuleStore

final class MatrixSession {
    private let options: MatrixOptions
    private let console: Console

    init(_ options: MatrixOptions, _ console: Console) {
        self.options = options
        self.console = console
    }

    func run() throws(CommandFault) -> ExitCode {
        let phone = try DeviceDocument(options.device)
        let evaluator = try AppLoading.evaluator(
            of: options.app, in: options.folder, options.isolation, telling: RuleNotices(folder: options.folder, console: console))
        let manifest = evaluator.ruleset.manifest
        for warning in UnlistedNames.warnings(on: options.device, nil, in: manifest) + UnlistedNames.warnings(in: options.varied, manifest)
        {
            console.warn(warning)
        }
        let question = MatrixQuestion(
            message: try message(), format: options.format, device: try options.device.json().merged, event: options.event,
            now: options.now ?? SystemClock.now(), state: try state())
        let matrix: Matrix?
        let inputs: [MatrixInput]
        do throws(MatrixFault) {
            inputs = options.inputs(try MatrixDefaults.inputs(of: evaluator, question))
        } catch {
            throw fault(error, question)
        }
        guard let grid = MatrixGrid(inputs), grid.count <= Matrix.most else { throw MatrixSession.tooMany(inputs) }
        do throws(MatrixFault) { matrix = try decide(evaluator, question, grid) } catch { throw fault(error, question) }
        // The reader of the answer has gone.
        guard let matrix else { return .done }
        try write(
            MatrixTable(
                matrix, evaluator.ruleset, held: options.fixed.map(\.words), now: question.now,
                zone: phone.device.zone ?? manifest.zone ?? .utc))
        return matrix.hasErrors ? .ruleFailed : .done
    }

    private func message() throws(CommandFault) -> [UInt8]? {
        guard let source = options.source else { return nil }
        return try source.bytes(limit: MessageStream.limit)
    }

    private func state() throws(CommandFault) -> AppState {
        guard let file = options.stateFile else { return AppState() }
        do throws(StoreFault) { return try StateFile.read(file) } catch { throw .store(error) }
    }

    private func decide(
        _ evaluator: any RuleEvaluating, _ question: MatrixQuestion, _ grid: MatrixGrid
    ) throws(MatrixFault) -> Matrix? {
        var bar = ProgressBar(console, counting: "combinations")
        defer { bar.clear() }
        return try Matrix(evaluator, question, grid) { number in
            bar.update(count: number, part: Double(number) / Double(max(1, grid.count)))
            return !console.isClosed
        }
    }

    // MARK: faults

    private static func tooMany(_ inputs: [MatrixInput]) -> CommandFault {
        .tooManyCombinations(
            count: MatrixGrid(inputs)?.count, most: Matrix.most, inputs: inputs.map { (name: $0.name, values: $0.values.count) })
    }

    private func fault(_ fault: MatrixFault, _ question: MatrixQuestion) -> CommandFault {
        switch fault {
        case .message(let fault):
            .unreadableMessage(
                source: options.source?.name ?? "MESSAGE", text: question.message ?? [], line: 1, size: question.message?.count, fault)
        case .request(let fault): .request(fault, source: options.device.name, text: [])
        case .unreadable(let fault): .internalFault("a combination was put together wrongly: \(fault.code.rawValue)")
        }
    }

    // MARK: answers

    private func write(_ table: MatrixTable) throws(CommandFault) {
        switch options.output {
        case .json:
            var writer = JSONWriter(reserving: 65_536)
            MatrixWriter.write(table.matrix, into: &writer) { writer in table.writeHead(into: &writer) }
            console.write(IndentedJSON.text(of: writer.bytes))
            console.write("\n")
        case .ndjson:
            for number in 0..<table.matrix.grid.count where !console.isClosed {
                var writer = JSONWriter(reserving: 1024)
                MatrixWriter.write(number, of: table.matrix, into: &writer)
                console.write(writer.bytes + [UInt8(ascii: "\n")])
            }
        case .csv: console.write(MatrixSheet(table).text)
        case .html: console.write(MatrixPage(table).html)
        default: console.write(HumanMatrix(table, console.ink).text)
        }
        guard let page = options.page else { return }
        do throws(StoreFault) {
            try ReportFile.write(MatrixPage(table).html, to: page)
        } catch {
            throw .store(error)
        }
    }
}

extension UnlistedNames {
    /// Of what --vary names.
    static func warnings(in varied: [MatrixInput], _ manifest: Manifest) -> [String] {
        var warnings: [String] = []
        for input in varied {
            if input.name == "screen", !manifest.tabs.isEmpty {
                for tab in input.tabs where !manifest.tabs.contains(tab) {
                    warnings.append(warning("--vary screen=\(tab)", "tab", tab, among: manifest.tabs))
                }
            }
            let channels = manifest.channels?.map(\.code) ?? []
            if input.name.hasPrefix("channel."), !channels.isEmpty {
                let code = String(input.name.dropFirst("channel.".count))
                if !channels.contains(code) { warnings.append(warning("--vary \(input.name)", "channel", code, among: channels)) }
            }
        }
        return warnings
    }
}
