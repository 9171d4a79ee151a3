// Numbers as a page writes them: the same text on every machine, whatever its language.

enum Percent {
    /// 12.345 → "12.35%", for places and widths of a drawing.
    static func text(_ percent: Double) -> String {
        let hundredths = Int((percent * 100).rounded())
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)%"
    }

    /// 1234567 → "1,234,567"
    static func grouped(_ number: Int) -> String {
        let digits = String(number.magnitude)
        var text = number < 0 ? "-" : ""
        for (place, digit) in digits.enumerated() {
            if place > 0, (digits.count - place) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return text
    }
}
