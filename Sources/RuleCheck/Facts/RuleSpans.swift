// In which rule's table a place of a file stands. Found by halving: a file may have hundreds of rules, and every expression in it
// is asked.

struct RuleSpans {
    private let calls: [CheckedFile.RuleCall]
    private let spans: [ClosedRange<Int>]
    /// The furthest end of the spans up to each.
    private let ends: [Int]

    /// - Parameter calls: in the order in which they are written.
    init(_ calls: [CheckedFile.RuleCall]) {
        self.calls = calls
        spans = calls.map { $0.table.offset...max($0.table.offset, $0.table.lastOffset) }
        var furthest = 0
        ends = spans.map { span in
            furthest = max(furthest, span.upperBound)
            return furthest
        }
    }

    /// The innermost: rules do not stand in rules, but nobody forbids it.
    /// - Parameter steps: grows by the number of spans that were looked at.
    func rule(at offset: Int, steps: inout Int) -> CheckedFile.RuleCall? {
        var low = 0
        var high = spans.count
        while low < high {
            steps += 1
            let middle = (low + high) / 2
            if spans[middle].lowerBound <= offset { low = middle + 1 } else { high = middle }
        }
        var place = low - 1
        while place >= 0, ends[place] >= offset {
            steps += 1
            if spans[place].contains(offset) { return calls[place] }
            place -= 1
        }
        return nil
    }
}
