// Texts and numbers as sentences for people hold them.

extension String {
    /// At most 80 characters.
    var shortened: String { count <= 80 ? self : prefix(79) + "…" }
}

extension Int {
    /// 48,211
    var grouped: String {
        var text = ""
        for (place, figure) in String(magnitude).reversed().enumerated() {
            if place > 0, place % 3 == 0 { text.append(",") }
            text.append(figure)
        }
        return (self < 0 ? "-" : "") + String(text.reversed())
    }
}
