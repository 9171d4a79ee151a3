// A seeded generator and the random values made with it: the same numbers on every run.
import JSONDocument

struct Randomness: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state &* 0x2545_F491_4F6C_DD1D
    }

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    mutating func text() -> String {
        let scalars: [Unicode.Scalar] = [
            "a", "b", "-", " ", "\"", "\\", "/", "\n", "\t", "\u{0}", "\u{1F}", "\u{7F}", "é", "한", "\u{2028}", "😀", "\u{FFFD}",
        ]
        var text = ""
        for _ in 0..<below(40) { text.unicodeScalars.append(scalars[below(scalars.count)]) }
        return text
    }

    /// A double of any exponent, finite.
    mutating func decimal() -> Double {
        while true {
            let value = Double(bitPattern: next())
            if value.isFinite { return value }
        }
    }

    /// A value of any shape into a builder; a key may stand before it.
    mutating func value(into builder: JSONBuilder, depth: Int = 5) {
        switch below(depth > 0 ? 9 : 6) {
        case 0: builder.null()
        case 1: builder.bool(below(2) == 0)
        case 2: builder.integer(Int64(bitPattern: next()) >> Int64(below(64)))
        case 3: builder.decimal(decimal())
        case 4: builder.string(text())
        case 5: builder.string("a text of the program")
        case 6, 7:
            builder.open(.object)
            for index in 0..<below(7) {
                builder.key("\(index)\(text())")
                value(into: builder, depth: depth - 1)
            }
            builder.close()
        default:
            builder.open(.array)
            for _ in 0..<below(7) { value(into: builder, depth: depth - 1) }
            builder.close()
        }
    }
}
