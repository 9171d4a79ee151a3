// Numbers as sentences for people hold them.

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
