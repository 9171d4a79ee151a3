// A merged table says the same as the whole one, whatever the answers are.
import Testing

@testable import RuleLab

struct MergedTableTests {
    /// Numbers that are the same on every run.
    private struct Dice {
        var state: UInt64

        mutating func roll(_ sides: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(sides))
        }
    }

    /// A table that is like those of rules: what counts is decided by a few inputs, one after the other.
    private static func table(_ seed: UInt64) -> (sizes: [Int], answers: [Int]) {
        var dice = Dice(state: seed)
        let sizes = (0..<(1 + dice.roll(5))).map { _ in 1 + dice.roll(5) }
        let count = sizes.reduce(1, *)
        if dice.roll(4) == 0 { return (sizes, (0..<count).map { _ in dice.roll(1 + Int(seed % 4)) }) }
        let rules = (0..<dice.roll(5)).map { answer -> (input: Int, values: Set<Int>, other: Int, answer: Int) in
            let input = dice.roll(sizes.count)
            return (input, Set((0..<sizes[input]).filter { _ in dice.roll(2) == 0 }), dice.roll(sizes.count), answer + 1)
        }
        let answers = (0..<count).map { number -> Int in
            let places = MatrixGrid.places(of: number, sizes)
            return rules.first { $0.values.contains(places[$0.input]) && places[$0.other] % 2 == 0 }?.answer ?? 0
        }
        return (sizes, answers)
    }

    /// The rows that hold a combination.
    private static func rows(_ table: MergedTable, _ places: [Int]) -> [MergedTable.Row] {
        table.rows.filter { row in zip(row.places, places).allSatisfy { allowed, place in allowed?.contains(place) ?? true } }
    }

    @Test("Every combination is in exactly one row, and the row has its answer", arguments: UInt64(1)...300)
    func expands(_ seed: UInt64) {
        let (sizes, answers) = Self.table(seed)
        let table = MergedTable(sizes: sizes, answers: answers)
        var first: [Int: Int] = [:]
        for number in answers.indices {
            let rows = Self.rows(table, MatrixGrid.places(of: number, sizes))
            #expect(rows.count == 1 && rows.first?.answer == answers[number])
            if let row = rows.first, first[row.first] == nil { first[row.first] = number }
        }
        #expect(table.rows.map(\.count).reduce(0, +) == answers.count)
        // Each row names the first combination that it stands for, and rows are in their order.
        #expect(first.allSatisfy { $0.key == $0.value } && first.count == table.rows.count)
        #expect(table.rows.map(\.first) == table.rows.map(\.first).sorted())
    }

    @Test("An input matters if, and only if, some answer changes with it alone", arguments: UInt64(1)...300)
    func matters(_ seed: UInt64) {
        let (sizes, answers) = Self.table(seed)
        let table = MergedTable(sizes: sizes, answers: answers)
        for input in sizes.indices {
            let changes = answers.indices.contains { number in
                var places = MatrixGrid.places(of: number, sizes)
                places[input] = 0
                return answers[MatrixGrid.number(of: places, sizes)] != answers[number]
            }
            #expect(table.matters(input) == changes)
            if !changes { #expect(table.rows.allSatisfy { $0.places[input] == nil }) }
            // Groups hold each value once, and values of one group cannot be told apart.
            #expect(table.groups[input].joined().sorted() == Array(0..<sizes[input]))
            for group in table.groups[input] {
                for number in answers.indices {
                    var places = MatrixGrid.places(of: number, sizes)
                    guard group.contains(places[input]) else { continue }
                    places[input] = group[0]
                    #expect(answers[MatrixGrid.number(of: places, sizes)] == answers[number])
                }
            }
        }
    }

    @Test("No two rows could be one, and there are never more than the table has combinations", arguments: UInt64(1)...100)
    func isShort(_ seed: UInt64) {
        let (sizes, answers) = Self.table(seed)
        let rows = MergedTable(sizes: sizes, answers: answers).rows
        #expect(rows.count <= answers.count)
        for (place, row) in rows.enumerated() {
            for other in rows[(place + 1)...] where other.answer == row.answer {
                #expect(zip(row.places, other.places).count { $0 != $1 } > 1)
            }
        }
    }

    @Test("What is decided by one input after the other has a row for each step")
    func ladder() {
        // Denied: 1. Else switched off: 2. Else 0, whatever the third says.
        let sizes = [3, 2, 4]
        let answers = (0..<24).map { number -> Int in
            let places = MatrixGrid.places(of: number, sizes)
            return places[0] == 2 ? 1 : places[1] == 1 ? 2 : 0
        }
        let rows = MergedTable(sizes: sizes, answers: answers).rows
        #expect(rows.map(\.places) == [[[0, 1], [0], nil], [[0, 1], [1], nil], [[2], nil, nil]])
        #expect(rows.map(\.answer) == [0, 2, 1] && rows.map(\.count) == [8, 8, 8])
    }

    @Test("One answer everywhere is one row, also of nothing that varies")
    func constant() {
        #expect(MergedTable(sizes: [3, 2], answers: [7, 7, 7, 7, 7, 7]).rows.map(\.places) == [[nil, nil]])
        let single = MergedTable(sizes: [], answers: [4])
        #expect(single.rows.map(\.answer) == [4] && single.rows[0].count == 1)
    }
}
