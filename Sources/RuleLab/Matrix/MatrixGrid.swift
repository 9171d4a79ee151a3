// All combinations of some inputs, numbered: the last input changes fastest, as in a table that is read from top to bottom.

public struct MatrixGrid: Sendable {
    public let inputs: [MatrixInput]
    /// How many values each input has.
    public let sizes: [Int]
    public let count: Int

    /// nil: there are more combinations than a number can count.
    public init?(_ inputs: [MatrixInput]) {
        self.inputs = inputs
        sizes = inputs.map(\.values.count)
        var count = 1
        for size in sizes {
            let (product, overflows) = count.multipliedReportingOverflow(by: size)
            guard !overflows else { return nil }
            count = product
        }
        self.count = count
    }

    /// For each input the place of its value.
    public func places(of number: Int) -> [Int] { MatrixGrid.places(of: number, sizes) }

    static func places(of number: Int, _ sizes: [Int]) -> [Int] {
        var places = [Int](repeating: 0, count: sizes.count)
        var rest = number
        for input in sizes.indices.reversed() {
            places[input] = rest % sizes[input]
            rest /= sizes[input]
        }
        return places
    }

    static func number(of places: [Int], _ sizes: [Int]) -> Int {
        zip(places, sizes).reduce(0) { $0 * $1.1 + $1.0 }
    }
}
