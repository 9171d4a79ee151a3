// `rulehost bench`: measures this machine. What is measured and how is RuleLab's business; this chooses the rows and
// prints them.
import JSONDocument
import RuleEngine
import RuleLab

extension Verb {
    static let bench = Verb(
        name: "bench", summary: "measures this machine: decisions a second, and what their parts cost",
        operands: "[NAME…]",
        operandWords: { Benchmark.Name.allCases.map(\.rawValue) + [NeighbourBench.name, HostedBench.name] },
        details: [
            "Goes through 1,000 messages that differ in ids and texts, each from its bytes to the bytes of a decision, with "
                + "a small app that is built into the program; its answers are checked first. Nothing is kept by content.",
            "Names: " + Benchmark.Name.allCases.map { "\($0.rawValue) (\($0.meaning))" }.joined(separator: ", ")
                + "; all of them when none is given.",
            "neighbour runs only when it is named, alone: how long messages take in a process while other apps attack, and whether "
                + "their answers stay the same.",
            "hosted runs only when it is named, alone: decisions a second that come out of a host, with its rules in this process and in "
                + "others, kept nowhere and in a store.",
            "Times are CPU time, the median over all rounds; from thread on they are time on the clock, because two processes "
                + "work at it. Compare only what was measured in one run on one machine.",
        ],
        flags: [.json, .rounds, .emitMessages, .attacks, .attackers],
        formats: [.human, .json],
        examples: [
            Example(command: "rulehost bench", meaning: "All rows"),
            Example(command: "rulehost bench reference --json", meaning: "Decisions a second, for a program"),
            Example(command: "rulehost bench neighbour", meaning: "What an app notices of hostile rules beside it"),
            Example(command: "rulehost bench hosted", meaning: "What a host decides in a second, without the way to it"),
            Example(
                command: "rulehost bench --emit-messages > messages.ndjson",
                meaning: "The messages, to measure another engine with"),
        ],
        run: { (arguments, console) throws(CommandFault) -> ExitCode in
            if arguments.operands == [NeighbourBench.name] { return try NeighbourBench(arguments, console).run() }
            if arguments.operands == [HostedBench.name] { return try HostedBench(arguments, console).run() }
            return try BenchSession(arguments, console).run()
        })
}

extension Flag {
    static let json = Flag("json", .none, "The same as --format json")
    static let rounds = Flag(
        "rounds", .required("N", .text), "How often to measure each row (default: 30; neighbour: 10; hosted: 3, of a second each)")
    static let emitMessages = Flag("emit-messages", .none, "Print the messages, one a line, and measure nothing")
}

extension Arguments {
    func rounds(otherwise standard: Int) throws(CommandFault) -> Int {
        let rounds = try integer(.rounds) ?? standard
        guard (1...100_000).contains(rounds) else {
            throw .invalidValue(
                flag: Flag.rounds.name, value: self[.rounds] ?? "", expected: "a number from 1 to 100000", suggestion: nil)
        }
        return rounds
    }
}

extension CommandFault {
    init(_ fault: BenchmarkFault) {
        switch fault {
        case .rulesDoNotLoad(let faults):
            let first = faults.first.map { "\($0.file):\($0.line): \($0.message)" } ?? ""
            self = .internalFault("the rules of the reference job do not load: \(first)")
        case .wrong(let what): self = .internalFault("the reference job does not run: \(what)")
        }
    }
}

private struct BenchSession {
    private let names: [Benchmark.Name]
    private let rounds: Int
    private let isJSON: Bool
    private let printsMessages: Bool
    private let console: Console

    init(_ arguments: Arguments, _ console: Console) throws(CommandFault) {
        self.console = console
        var names: [Benchmark.Name] = []
        for word in arguments.operands {
            guard let name = Benchmark.Name(rawValue: word) else { throw .unexpectedOperand(word, verb: "bench") }
            names.append(name)
        }
        self.names = names.isEmpty ? Benchmark.Name.allCases : names
        rounds = try arguments.rounds(otherwise: 30)
        isJSON = arguments.has(.json) || arguments.format == .json
        printsMessages = arguments.has(.emitMessages)
    }

    func run() throws(CommandFault) -> ExitCode {
        if printsMessages {
            for message in Benchmark.messages() { console.write(String(decoding: message, as: UTF8.self)) }
            return .done
        }
        var measurements: [Measurement] = []
        do throws(BenchmarkFault) {
            let benchmark = try Benchmark()
            for name in names {
                measurements.append(try benchmark.measure(name, rounds: rounds))
                if !isJSON, let last = measurements.last { console.write(BenchSession.line(last)) }
            }
        } catch {
            throw CommandFault(error)
        }
        if isJSON { console.write(BenchSession.json(measurements)) }
        return .done
    }

    private static func line(_ row: Measurement) -> String {
        let name = row.name + String(repeating: " ", count: max(1, 12 - row.name.count))
        var line = "\(name)\(padded(grouped(row.perSecond), to: 11)) a second\(padded(grouped(row.nanoseconds), to: 9)) ns each"
        if let allocations = row.allocations { line += "\(padded(tenths(allocations), to: 8)) allocations" }
        return line + "   \(row.meaning)\n"
    }

    private static func json(_ rows: [Measurement]) -> String {
        var writer = JSONWriter(reserving: 2_048)
        writer.beginObject()
        writer.key("benchmarks")
        writer.beginArray()
        for row in rows {
            writer.beginObject()
            writer.key("name")
            writer.string(row.name)
            writer.key("ns")
            writer.integer(Int(row.nanoseconds.rounded()))
            writer.key("per_second")
            writer.integer(Int(row.perSecond.rounded()))
            writer.key("best_ns")
            writer.integer(Int(row.bestNanoseconds.rounded()))
            writer.key("rounds")
            writer.integer(row.rounds)
            writer.key("operations")
            writer.integer(row.operations)
            if let allocations = row.allocations {
                writer.key("allocations")
                writer.decimal((allocations * 100).rounded() / 100)
            }
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self) + "\n"
    }

    private static func padded(_ text: String, to width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    /// 12345.6 → "12,346"
    private static func grouped(_ value: Double) -> String {
        let digits = Array(String(Int(value.rounded())))
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return text
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
