// A matrix with what has been asked: what every form of the answer is made from, and its words.
import CivilTime
import JSONDocument
import PushMessage
import RuleEngine
import RuleLab

struct MatrixTable {
    let matrix: Matrix
    let ruleset: Ruleset
    private let now: Instant
    private let zone: Zone
    /// "state background": what flags hold fast.
    let held: [String]
    /// Sentences that hold in every row: told once.
    let common: [StepWords.Line]

    init(_ matrix: Matrix, _ ruleset: Ruleset, held: [String], now: Instant, zone: Zone) {
        self.held = held
        self.matrix = matrix
        self.ruleset = ruleset
        self.now = now
        self.zone = zone
        common = MatrixTable.common(matrix.answers)
    }

    struct Input {
        let name: String
        /// Values that act alike stand together.
        let groups: [[String]]
    }

    struct Row {
        /// For each input that matters: its values in words, and whether any will do.
        let cells: [(words: String, isAny: Bool)]
        let count: Int
        let answer: Matrix.Answer
    }

    var title: String { ruleset.manifest.title ?? ruleset.app }
    /// On the clock of the phone before anything is varied.
    var moment: String { "\(WallClock(now, zone: zone.name).weekday) \(zone.civil(at: now).text) \(zone.name)" }

    private var telling: [Int] { matrix.grid.inputs.indices.filter { matrix.table.matters($0) } }

    /// Those that matter, in the order of the columns.
    var inputs: [Input] { telling.map(input) }
    /// Those that never do.
    var idle: [Input] { matrix.grid.inputs.indices.filter { !matrix.table.matters($0) && matrix.grid.sizes[$0] > 1 }.map(input) }
    /// Those that could not matter.
    var single: [Input] { matrix.grid.inputs.indices.filter { matrix.grid.sizes[$0] == 1 }.map(input) }

    private func input(_ place: Int) -> Input {
        let input = matrix.grid.inputs[place]
        return Input(name: input.name, groups: matrix.table.groups[place].map { $0.map { input.values[$0].label } })
    }

    var rows: [Row] {
        matrix.table.rows.map { row in
            Row(
                cells: telling.map { (MatrixTable.words(row.places[$0], matrix.grid.inputs[$0]), row.places[$0] == nil) }, count: row.count,
                answer: matrix.answers[row.answer])
        }
    }

    /// "foreground, inactive", "all but denied", "any"
    private static func words(_ places: [Int]?, _ input: MatrixInput) -> String {
        guard let places else { return "any" }
        let missing = input.values.indices.filter { !places.contains($0) }
        let fewer = missing.count * 2 < places.count
        let words = (fewer ? missing : places).map { input.values[$0].label }.joined(separator: ", ")
        return fewer ? "all but \(words)" : words
    }

    /// One sentence for what was tried.
    var headline: String {
        let count = matrix.grid.count
        let rows = matrix.table.rows.count
        let different = matrix.answers.count
        if count == 1 { return "Nothing is varied: there is one combination." }
        let answers = different == 1 ? "the same answer everywhere" : "\(Figures.grouped(different)) different answers"
        let varied = Counted.of(matrix.grid.sizes.count { $0 > 1 }, "input", "inputs")
        let table = different == 1 ? "" : ", in \(Figures.grouped(rows)) rows"
        return "\(Figures.grouped(count)) combinations of \(varied): \(answers)\(table)."
    }

    /// Each decision's sentences, but for those that are told once for all. Empty: the message causes nothing.
    func lines(_ answer: Matrix.Answer) -> [(event: EventName, lines: [StepWords.Line])] {
        MatrixTable.steps(answer).map { event, lines in
            (event, lines.enumerated().filter { place, line in place == 0 || !common.contains { $0.says(line) } }.map(\.element))
        }
    }

    private static func steps(_ answer: Matrix.Answer) -> [(event: EventName, lines: [StepWords.Line])] {
        answer.decisions.map { ($0.event, StepWords(decision: $0, badgeBefore: nil, state: answer.state).lines) }
    }

    /// What is so in every row beside what happens first.
    private static func common(_ answers: [Matrix.Answer]) -> [StepWords.Line] {
        let all = answers.map { steps($0).flatMap { $0.lines.dropFirst() } }
        guard all.count > 1, let first = all.first else { return [] }
        var common: [StepWords.Line] = []
        for line in first where all.dropFirst().allSatisfy({ $0.contains { $0.says(line) } }) {
            if !common.contains(where: { $0.says(line) }) { common.append(line) }
        }
        return common
    }

    func writeHead(into writer: inout JSONWriter) {
        writer.key("app")
        writer.string(ruleset.app)
        writer.key("ruleset")
        writer.string(ruleset.hash)
        writer.key("now")
        writer.string(now.text)
    }
}

extension StepWords.Line {
    fileprivate func says(_ other: StepWords.Line) -> Bool { text == other.text && speaker == other.speaker }
}
