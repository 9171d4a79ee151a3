// One run of `rulehost fmt`: which files, what becomes of each, and what is said at the end.
import JSONDocument
import RuleStore

final class FormatSession {
    private let files: [String]
    private let readsInput: Bool
    private let changesNothing: Bool
    private let console: Console
    private var worst = ExitCode.done
    private var changed = 0
    private var failed = 0

    init(_ arguments: Arguments, _ console: Console) throws(CommandFault) {
        self.console = console
        changesNothing = arguments.has(.check)
        readsInput = arguments.operands.contains("-")
        if readsInput, arguments.operands.count > 1 {
            throw .unexpectedOperand(arguments.operands.first { $0 != "-" } ?? "-", verb: "fmt")
        }
        let operands = arguments.operands.filter { $0 != "-" }
        do throws(StoreFault) {
            if readsInput {
                files = []
            } else if operands.isEmpty {
                files = try RulesFolder(path: arguments.rulesFolder).caseFiles()
            } else {
                files = operands.flatMap { JSONFiles.all(in: $0) }
            }
        } catch {
            throw .store(error)
        }
    }

    func run() throws(CommandFault) -> ExitCode {
        if readsInput { return try runOnInput() }
        for path in files {
            do throws(CommandFault) {
                try layOut(path)
            } catch {
                console.report(error)
                failed += 1
                worst = max(worst, error.exitCode)
            }
        }
        if !console.isQuiet { console.writeError(summary) }
        return worst
    }

    private var summary: String {
        let rest = files.count - changed - failed
        var text = "\(Figures.grouped(changed)) \(changed == 1 ? "file" : "files") \(changesNothing ? "not laid out" : "laid out")"
        text += ", \(Figures.grouped(rest)) as \(rest == 1 ? "it" : "they") should be"
        if failed > 0 { text += ", \(Figures.grouped(failed)) not read" }
        return text + "\n"
    }

    private func layOut(_ path: String) throws(CommandFault) {
        let outcome: FileLayout.Outcome
        do throws(FileLayout.Failure) {
            outcome = try FileLayout.lay(out: path, writing: !changesNothing)
        } catch {
            throw error.fault
        }
        guard outcome == .differs else { return }
        changed += 1
        if changesNothing { worst = max(worst, .no) }
        console.write("\(path.printable)\n")
    }

    private func runOnInput() throws(CommandFault) -> ExitCode {
        let bytes = try InputSource.standardInput.bytes(limit: FileLayout.largest)
        let laidOut: [UInt8]
        do throws(FileLayout.Failure) {
            laidOut = try FileLayout.laidOut(bytes, asLines: nil, path: InputSource.standardInput.name)
        } catch {
            throw error.fault
        }
        guard changesNothing else {
            console.write(laidOut)
            return .done
        }
        guard laidOut != bytes else { return .done }
        console.write("\(InputSource.standardInput.name)\n")
        return .no
    }
}

extension FileLayout.Failure {
    fileprivate var fault: CommandFault {
        switch self {
        case .store(let fault): .store(fault)
        case .notRead(let path, let errno): .unreadableFile(path: path, errno: errno)
        case .unreadable(let path, let text, let line, let fault):
            .unreadableLine(source: path, text: text, line: line, fault)
        }
    }
}
