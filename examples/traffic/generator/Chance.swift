// Chance that is the same on every run and every machine: SplitMix64 from a seed, and whole numbers only.

struct Chance {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// 0 to `limit`, without that.
    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(1, limit))) }

    mutating func between(_ range: ClosedRange<Int>) -> Int { range.lowerBound + below(range.count) }

    /// In so many of a thousand times.
    mutating func happens(_ perMille: Int) -> Bool { below(1000) < perMille }

    mutating func one<Value>(of values: [Value]) -> Value { values[below(values.count)] }

    /// Each as often as its weight says.
    mutating func weighted<Value>(_ values: [(weight: Int, value: Value)]) -> Value {
        var left = below(values.reduce(0) { $0 + $1.weight })
        for (weight, value) in values.dropLast() {
            if left < weight { return value }
            left -= weight
        }
        return values[values.count - 1].value
    }
}
