// A table of all combinations, made short: inputs that never matter are left out, values that act alike stand together, and
// every combination is in exactly one row. It knows numbers only; what they mean is the business of whoever asks.
//
// How: the table is split at the input that leaves the fewest different answers in each part, again and again, until each
// part has one answer; values whose parts are equal stay together. Then rows that differ in one input are put together.
// The same numbers give the same rows.

public struct MergedTable: Sendable {
    public struct Row: Sendable, Equatable {
        /// For each input the places of its values, rising; nil: whatever the value is.
        public let places: [[Int]?]
        public let answer: Int
        /// How many combinations the row stands for.
        public let count: Int
        /// The number of the first of them.
        public let first: Int
    }

    /// In the order of their first combinations.
    public let rows: [Row]
    /// For each input its values in groups: within one no value can be told from another by any answer.
    public let groups: [[[Int]]]

    /// Whether some combination would be answered otherwise with another value of the input.
    public func matters(_ input: Int) -> Bool { groups[input].count > 1 }

    /// - Parameters:
    ///   - sizes: of each input how many values it has, 1 or more.
    ///   - answers: for each combination, in the order of MatrixGrid, the number of its answer.
    public init(sizes: [Int], answers: [Int]) {
        let alike = sizes.indices.map { MergedTable.alike($0, sizes, answers) }
        groups = alike
        // From here on a group is one value.
        let fewer = alike.map(\.count)
        let first = alike.map { $0.map { $0[0] } }
        let short = (0..<fewer.reduce(1, *)).map { number in
            let groups = MatrixGrid.places(of: number, fewer)
            return answers[MatrixGrid.number(of: groups.enumerated().map { first[$0.offset][$0.element] }, sizes)]
        }
        var splitting = TableSplitting(sizes: fewer, answers: short)
        let boxes = TableSplitting.joined(splitting.boxes(), inputs: sizes.count)
        rows = boxes.map { box in
            let places = box.values.enumerated().map { input, groups in groups.flatMap { alike[input][$0] }.sorted() }
            return Row(
                places: places.enumerated().map { $0.element.count == sizes[$0.offset] ? nil : $0.element }, answer: box.answer,
                count: places.reduce(1) { $0 * $1.count }, first: MatrixGrid.number(of: places.map { $0[0] }, sizes))
        }.sorted { $0.first < $1.first }
    }

    /// The values of one input in groups, each in the order of its first value.
    private static func alike(_ input: Int, _ sizes: [Int], _ answers: [Int]) -> [[Int]] {
        let stride = sizes[(input + 1)...].reduce(1, *)
        let block = stride * sizes[input]
        func isSame(_ a: Int, _ b: Int) -> Bool {
            var start = 0
            while start < answers.count {
                for offset in 0..<stride where answers[start + a * stride + offset] != answers[start + b * stride + offset] {
                    return false
                }
                start += block
            }
            return true
        }
        var groups: [[Int]] = []
        for value in 0..<sizes[input] {
            if let place = groups.firstIndex(where: { isSame($0[0], value) }) {
                groups[place].append(value)
            } else {
                groups.append([value])
            }
        }
        return groups
    }
}

/// A part of the table with one answer: any of these values of each input.
struct TableBox: Equatable {
    var values: [[Int]]
    var answer: Int
}

struct TableSplitting {
    private let sizes: [Int]
    private let answers: [Int]
    private var found: [TableBox] = []

    init(sizes: [Int], answers: [Int]) {
        self.sizes = sizes
        self.answers = answers
    }

    /// Parts that together are the table.
    mutating func boxes() -> [TableBox] {
        found = []
        let all = sizes.map { Array(0..<$0) }
        split(all, asking: all)
        return found
    }

    /// - Parameters:
    ///   - values: the part.
    ///   - asked: of each input values that stand for all of the part's.
    private mutating func split(_ values: [[Int]], asking asked: [[Int]]) {
        let table = part(asked)
        let kinds = Set(table)
        guard kinds.count > 1, let first = table.first else {
            if let answer = table.first { found.append(TableBox(values: values, answer: answer)) }
            return
        }
        // Numbers from 0 on, so that counting answers needs no sets.
        var numbers: [Int: Int] = [first: 0]
        let answers = table.map { answer -> Int in
            if let known = numbers[answer] { return known }
            numbers[answer] = numbers.count
            return numbers.count - 1
        }
        var best: (input: Int, groups: [[Int]], score: Int)?
        for input in asked.indices where asked[input].count > 1 {
            let groups = self.groups(of: input, asked, answers)
            guard groups.count > 1 else { continue }
            let score = groups.reduce(0) { $0 + different(input, $1[0], asked, answers, kinds: numbers.count) }
            if score < best?.score ?? .max || (score == best?.score && groups.count < best?.groups.count ?? 0) {
                best = (input, groups, score)
            }
        }
        guard let best else { return }
        for group in best.groups {
            let alike = group.map { asked[best.input][$0] }
            // One of them answers for all from here on, so that an input is split once at most.
            var (part, fewer) = (values, asked)
            part[best.input] = alike
            fewer[best.input] = [alike[0]]
            split(part, asking: fewer)
        }
    }

    /// The answers of the part, in order.
    private func part(_ asked: [[Int]]) -> [Int] {
        var table: [Int] = []
        let count = asked.reduce(1) { $0 * $1.count }
        table.reserveCapacity(count)
        let fewer = asked.map(\.count)
        for number in 0..<count {
            var (rest, place, factor) = (number, 0, 1)
            for input in sizes.indices.reversed() {
                place += asked[input][rest % fewer[input]] * factor
                rest /= fewer[input]
                factor *= sizes[input]
            }
            table.append(answers[place])
        }
        return table
    }

    /// Places in `asked[input]` whose parts of the table are equal.
    private func groups(of input: Int, _ asked: [[Int]], _ answers: [Int]) -> [[Int]] {
        let stride = asked[(input + 1)...].reduce(1) { $0 * $1.count }
        let block = stride * asked[input].count
        var groups: [[Int]] = []
        for value in asked[input].indices {
            let place = groups.firstIndex { group in
                Swift.stride(from: 0, to: answers.count, by: block).allSatisfy { start in
                    (0..<stride).allSatisfy { answers[start + group[0] * stride + $0] == answers[start + value * stride + $0] }
                }
            }
            if let place { groups[place].append(value) } else { groups.append([value]) }
        }
        return groups
    }

    /// How many different answers the part has for one value of the input.
    private func different(_ input: Int, _ value: Int, _ asked: [[Int]], _ answers: [Int], kinds: Int) -> Int {
        let stride = asked[(input + 1)...].reduce(1) { $0 * $1.count }
        let block = stride * asked[input].count
        var isThere = [Bool](repeating: false, count: kinds)
        for start in Swift.stride(from: 0, to: answers.count, by: block) {
            for offset in 0..<stride { isThere[answers[start + value * stride + offset]] = true }
        }
        return isThere.count { $0 }
    }

    // MARK: putting together

    private struct Key: Hashable {
        let answer: Int
        let input: Int
        let others: [[Int]]
    }

    /// Boxes with the same answer that differ in one input become one, until there are none.
    static func joined(_ boxes: [TableBox], inputs: Int) -> [TableBox] {
        var boxes = boxes
        var before = boxes.count + 1
        while boxes.count < before {
            before = boxes.count
            for input in 0..<inputs {
                var places: [Key: Int] = [:]
                var fewer: [TableBox] = []
                for box in boxes {
                    var others = box.values
                    others[input] = []
                    let key = Key(answer: box.answer, input: input, others: others)
                    if let place = places[key] {
                        fewer[place].values[input] = (fewer[place].values[input] + box.values[input]).sorted()
                    } else {
                        places[key] = fewer.count
                        fewer.append(box)
                    }
                }
                boxes = fewer
            }
        }
        return boxes
    }
}
