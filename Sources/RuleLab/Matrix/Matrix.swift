// Every combination of some inputs, decided, and the table that it comes to. What is remembered does not go on from one to the
// next: each starts from the same state.
import JSONDocument
public import PushMessage
public import RuleEngine

public struct Matrix: Sendable {
    /// Beyond it nobody reads the table, and everybody waits.
    public static let most = 200_000

    public struct Answer: Sendable {
        /// Of the first combination that is answered so.
        public let decisions: [Decision]
        public let state: DeviceState
    }

    public let grid: MatrixGrid
    /// In the order in which they are met.
    public let answers: [Answer]
    /// For each combination the place of its answer.
    public let places: [Int]
    public let table: MergedTable
    /// What is wrong with the message, the phone or what rules ask for, each once.
    public let warnings: [Warning]

    public var hasErrors: Bool { answers.contains { $0.decisions.contains { !$0.errors.isEmpty } } }

    /// - Parameters:
    ///   - grid: no more than `most` combinations.
    ///   - goesOn: is told how many have been decided; false ends it.
    /// - Returns: nil when it was ended.
    public init?(
        _ evaluator: any RuleEvaluating, _ question: MatrixQuestion, _ grid: MatrixGrid, while goesOn: (Int) -> Bool = { _ in true }
    ) throws(MatrixFault) {
        let bench = try MatrixBench(evaluator, question)
        var answers: [Answer] = []
        var places: [Int] = []
        places.reserveCapacity(grid.count)
        var known: [[UInt8]: Int] = [:]
        var warnings: [Warning] = []
        for number in 0..<grid.count {
            guard goesOn(number) else { return nil }
            let settings = zip(grid.inputs, grid.places(of: number)).map { $0.values[$1].setting }
            let answer = try bench.answer(to: settings)
            for warning in answer.decisions.flatMap(\.allWarnings) where !warnings.contains(warning) {
                if warnings.count < Matrix.mostWarnings { warnings.append(warning) }
            }
            let mark = AnswerMark.of(answer.decisions, answer.state)
            if let place = known[mark] {
                places.append(place)
            } else {
                known[mark] = answers.count
                places.append(answers.count)
                answers.append(Answer(decisions: answer.decisions, state: answer.state))
            }
        }
        self.grid = grid
        self.answers = answers
        self.places = places
        self.warnings = warnings
        table = MergedTable(sizes: grid.sizes, answers: places)
    }

    private static let mostWarnings = 20
}

/// What has to be the same for two answers to be one: all that the phone, the app and the person get, and why.
enum AnswerMark {
    static func of(_ decisions: [Decision], _ state: DeviceState) -> [UInt8] {
        var writer = JSONWriter(reserving: 1024)
        writer.beginArray()
        for decision in decisions {
            DecisionWriter.write(plain(decision), into: &writer)
            // Without a way the app just starts, or just comes to the front.
            if decision.event == .open, decision.route == nil { writer.bool(state.isColdStart) }
        }
        writer.endArray()
        return writer.bytes
    }

    /// Without what follows from the input alone, and without what it costs.
    private static func plain(_ decision: Decision) -> Decision {
        var plain = decision
        plain.messageID = nil
        plain.recipient = nil
        plain.warnings = []
        plain.trace = nil
        plain.payload = nil
        plain.usage.fuel = 0
        // How far a named number is from the one before says nothing of the answer.
        if let badge = decision.badge, badge.isAbsolute { plain.badge?.change = 0 }
        plain.deferred = decision.deferred.map(self.plain)
        return plain
    }
}

extension Decision {
    fileprivate var allWarnings: [Warning] { warnings + deferred.flatMap(\.warnings) }
}
