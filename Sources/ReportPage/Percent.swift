// Places and widths of a drawing: the same text on every machine, whatever its language.

enum Percent {
    /// 12.345 → "12.35%"
    static func text(_ percent: Double) -> String {
        let hundredths = Int((percent * 100).rounded())
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)%"
    }
}
