// Whole numbers for people, on pages and on the terminal: the same text on every machine, whatever its language.

public enum Digits {
    /// 1234567 → "1,234,567"
    public static func grouped(_ number: Int) -> String {
        let digits = String(number.magnitude)
        var text = number < 0 ? "-" : ""
        for (place, digit) in digits.enumerated() {
            if place > 0, (digits.count - place) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return text
    }
}
