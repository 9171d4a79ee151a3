// Colour for a terminal, or none. What a colour means is said here once; everybody else names the tone.

struct Ink: Sendable {
    enum Depth: Sendable { case none, sixteen, many }

    let depth: Depth

    static let plain = Ink(depth: .none)

    enum Tone: Sendable {
        case strong, faint, good, bad, caution, accent
        /// The phone: its frame, what lies on it, the app's colour.
        case frame, glass, app, badge, selected
    }

    func paint(_ text: String, _ tone: Tone) -> String {
        guard depth != .none, !text.isEmpty else { return text }
        return "\u{1B}[\(depth == .many ? many(tone) : sixteen(tone))m\(text)\u{1B}[0m"
    }

    private func sixteen(_ tone: Tone) -> String {
        switch tone {
        case .strong, .glass: "1"
        case .faint, .frame: "2"
        case .good: "32"
        case .bad: "1;31"
        case .caution: "33"
        case .accent, .app: "36"
        case .badge: "1;37;41"
        case .selected: "7"
        }
    }

    private func many(_ tone: Tone) -> String {
        switch tone {
        case .strong, .glass: "1"
        case .faint: "38;5;245"
        case .frame: "38;5;243"
        case .good: "38;5;71"
        case .bad: "1;38;5;203"
        case .caution: "38;5;178"
        case .accent: "38;5;74"
        case .app: "1;38;5;75"
        case .badge: "1;38;5;231;48;5;160"
        case .selected: "1;38;5;75"
        }
    }
}
