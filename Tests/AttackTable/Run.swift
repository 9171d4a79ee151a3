// Runs one script in one place and looks at everything that an attack could change: how it ended, what it used, and
// whether the app beside it goes on as before.
import Foundation
import JSONDocument
import LuaSandbox
import PushMessage
import RuleEngine
import RuleWorkers

enum Place: String, CaseIterable { case load, decide, wider }
enum Mode: String, CaseIterable { case thread, process }

enum Ending: Equatable {
    case returned
    case ended(String)

    var code: String { if case .ended(let code) = self { code } else { "returned" } }
    var group: String {
        switch code {
        case "returned": "returned"
        case "budget_fuel": "fuel"
        case "budget_memory": "memory"
        case "budget_time": "time"
        case "source_refused", "source_too_large", "lua_syntax": "refused"
        default: "error"
        }
    }
}

struct Line {
    let script: Script
    let place: Place
    let mode: Mode
    var ending = Ending.returned
    var errors = 0
    var milliseconds = 0.0
    var fuel: Int?
    var memory: Int?
    /// What is not as it should be; nil: nothing.
    var wrong: String?
}

/// An app that decides beside the one that is attacked.
final class Neighbour {
    private let app: any RuleEvaluating
    private let question: Asking
    private let before: String

    init(_ app: any RuleEvaluating, _ question: Asking) {
        (self.app, self.question) = (app, question)
        before = question.answer(of: app).text
    }

    var isAsBefore: Bool { question.answer(of: app).text == before }

    static let files = Script.files(
        """
        local words = { "a", "b" }
        rule "keeps count" { on = "present", decide = function(msg)
          local n = state.incr("seen")
          return { labels = { n = tostring(n), up = msg.title:upper(), all = table.concat(words, ",") }, display = "suppress" }
        end }
        """)
}

/// One message for one phone, again and again.
final class Asking {
    private let devices = DeviceReader(), document = JSONDocument(), messages = MessageReader()
    private let message: Message
    private let device: Device

    init() throws {
        try document.read(#"{"recipient":"u-1","state":"foreground"}"#)
        device = try devices.read(document.root)
        let bytes = Array(#"{"message_id":"m-1","aps":{"alert":{"title":"Hello","body":"there"}},"chat_id":"room-1"}"#.utf8)
        message = try messages.read(bytes, for: device.messageContext)
    }

    func answer(of app: any RuleEvaluating) -> (decision: Decision, text: String) {
        let request = EvaluationRequest(
            message: message, device: device, event: Event(.present), now: Instant("2026-01-01T12:00:00Z") ?? Instant(milliseconds: 0),
            state: AppState(), options: EvaluationOptions(measuresMemory: true))
        let evaluation = app.evaluate(request)
        var decision = evaluation.decision
        let memory = decision.usage.memoryBytes
        decision.usage.memoryBytes = nil
        let text = String(decoding: DecisionWriter.bytes(of: decision), as: UTF8.self) + "\(evaluation.effects)"
        decision.usage.memoryBytes = memory
        return (decision, text)
    }
}

struct Run {
    let question: Asking
    /// The program whose child runs rules.
    let program: String
    private let limits = LoadLimits()

    func run(_ script: Script, _ place: Place, _ mode: Mode) throws -> Line {
        var line = Line(script: script, place: place, mode: mode)
        let files =
            switch place {
            case .load: script.atLoad
            case .decide: script.insideDecide
            case .wider: try script.inWiderWorld()
            }
        switch mode {
        case .thread: try attackHere(files, &line)
        case .process: try attackThere(files, &line)
        }
        judge(&line)
        return line
    }

    private func attackHere(_ files: [SourceFile], _ line: inout Line) throws {
        guard case .loaded(let other) = RulesetLoader.load(app: "neighbour", files: Neighbour.files) else { throw Broken() }
        let neighbour = Neighbour(Evaluator(other), question)
        let clock = { Run.milliseconds(of: CLOCK_THREAD_CPUTIME_ID) }
        let start = clock()
        let outcome = RulesetLoader.load(app: "attack", files: files, limits: limits)
        if line.place == .load {
            line.milliseconds = clock() - start
            let machine = try LuaMachine(limits: limits.script, functions: [])
            // How it ends is told by the load above; here only what it uses.
            _ = try? machine.run(file: "rules.lua", source: files[1].bytes)
            (line.fuel, line.memory) = (Int(machine.spent.fuel), machine.spent.memoryPeak)
        }
        switch outcome {
        case .failed(let faults): note(faults, &line)
        case .loaded(let app): ask(Evaluator(app), &line, clock)
        }
        if !neighbour.isAsBefore { line.wrong = "the app beside it decides otherwise" }
    }

    private func attackThere(_ files: [SourceFile], _ line: inout Line) throws {
        let pool = WorkerPool(program: program, workers: 1)
        // With a second app there is also the process in which what is new is loaded first.
        guard case .loaded(let other) = pool.load(app: "neighbour", files: Neighbour.files),
            case .loaded = pool.load(app: "another", files: Neighbour.files), case let processes = pool.processes, processes.count == 2
        else { throw Broken() }
        let neighbour = Neighbour(other, question)
        let pid = processes[line.place == .load ? 1 : 0]
        var id = clockid_t()
        clock_getcpuclockid(pid, &id)
        let clock = { Run.milliseconds(of: id) }
        let before = Run.peak(of: pid)
        let start = clock()
        let outcome = pool.load(app: "attack", files: files, limits: limits)
        if line.place == .load { line.milliseconds = clock() - start }
        switch outcome {
        case .failed(let faults): note(faults, &line)
        case .loaded(let app): ask(app, &line, clock)
        }
        line.memory = max(0, Run.peak(of: pid) - before)
        if !neighbour.isAsBefore { line.wrong = "the app beside it decides otherwise" }
        if !Set(processes).isSubset(of: pool.processes) { line.wrong = "a process has ended" }
    }

    private func note(_ faults: [RuleFault], _ line: inout Line) {
        // A name that nothing has is told of beside the end.
        let ends = faults.filter { $0.code != .undefinedName }
        line.errors = ends.count
        if let first = ends.first { line.ending = .ended(first.code.rawValue) }
        look(at: faults.map(\.message).joined(), &line)
    }

    private func ask(_ app: any RuleEvaluating, _ line: inout Line, _ clock: () -> Double) {
        let start = clock()
        let answer = question.answer(of: app)
        guard line.place != .load else { return look(at: answer.text, &line) }
        line.milliseconds = clock() - start
        line.errors = answer.decision.errors.count
        line.fuel = answer.decision.usage.fuel
        line.memory = answer.decision.usage.memoryBytes
        if let error = answer.decision.errors.first { line.ending = .ended(error.code) }
        look(at: answer.text, &line)
        // Again: on the same machine, or on the one made in its place.
        let again = question.answer(of: app)
        let clocked = (answer.decision.errors + again.decision.errors).contains { $0.code == "budget_time" }
        if again.text != answer.text, !clocked {
            line.wrong = "another answer the second time: \(answer.text.prefix(300)) \(again.text.prefix(300))"
        }
    }

    private func look(at text: String, _ line: inout Line) {
        for word in ["ESCAPE", "WRONG", "CORRUPT"] where text.contains(word) && line.place != .wider { line.wrong = "it says \(word)" }
    }

    private func judge(_ line: inout Line) {
        let allowed = Double(2 * (line.place == .load ? limits.script.loadMilliseconds : limits.script.callMilliseconds))
        let memory = limits.script.memory + (1 << 20)
        if line.ending == .returned {
            if line.script.expectation == .stopped, line.place != .wider, !line.script.needsMissingNames {
                line.wrong = line.wrong ?? "it was not stopped"
            }
        } else if line.errors != 1 {
            line.wrong = line.wrong ?? "\(line.errors) errors"
        }
        if line.milliseconds > allowed { line.wrong = line.wrong ?? "it ran for \(Int(line.milliseconds)) ms" }
        if let used = line.memory, used > memory { line.wrong = line.wrong ?? "it used \(used) bytes" }
    }

    private static func milliseconds(of clock: clockid_t) -> Double {
        var now = timespec()
        clock_gettime(clock, &now)
        return Double(now.tv_sec) * 1e3 + Double(now.tv_nsec) / 1e6
    }

    /// Most bytes that the process has had in memory.
    private static func peak(of pid: Int32) -> Int {
        let status = String(decoding: FileManager.default.contents(atPath: "/proc/\(pid)/status") ?? Data(), as: UTF8.self)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") }
        return (line?.split(whereSeparator: { !$0.isNumber }).first).flatMap { Int($0) }.map { $0 << 10 } ?? 0
    }

    struct Broken: Error {}
}
