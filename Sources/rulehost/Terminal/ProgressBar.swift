// How far a long input has come, on one line of standard error. Drawn only on a terminal, and not for what is over
// before anybody could look.
import Glibc
import ReportPage

struct ProgressBar {
    private let console: Console
    private let start: Int64
    private var lastDrawn: Int64
    private var isVisible = false
    /// What is counted: "messages".
    private let noun: String
    private static let every: Int64 = 100_000_000

    /// Nanoseconds of a clock that only goes forward.
    static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    init(_ console: Console, counting noun: String = "messages") {
        self.console = console
        self.noun = noun
        start = ProgressBar.now()
        lastDrawn = start
    }

    var seconds: Double { Double(ProgressBar.now() - start) / 1e9 }

    /// `part` is between 0 and 1; nil when the whole is not known.
    mutating func update(count: Int, part: Double?) {
        guard console.errorIsTerminal, !console.isQuiet, count & 0x3F == 0 else { return }
        let now = ProgressBar.now()
        guard now - lastDrawn >= ProgressBar.every else { return }
        lastDrawn = now
        isVisible = true
        let rate = Double(count) / (Double(now - start) / 1e9)
        var line = "\r\u{1B}[K"
        if let part {
            let width = max(10, min(30, console.errorColumns - 40))
            let full = Int(part * Double(width))
            let bar = String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
            line += console.errorInk.paint(bar, .accent) + " \(Int(part * 100)) %  "
        }
        line += "\(Figures.grouped(count)) \(noun), \(Figures.grouped(Int(rate)))/s"
        if let left = ProgressBar.left(after: Double(now - start) / 1e9, part: part) { line += ", \(left) left" }
        console.writeError(line)
    }

    /// How long the rest will take, judged by what is done; nil as long as that says nothing.
    static func left(after seconds: Double, part: Double?) -> String? {
        guard let part, part > 0.02, part < 1, seconds > 0.5 else { return nil }
        let left = Int((seconds * (1 - part) / part).rounded(.up))
        return left < 100 ? "\(left) s" : "\((left + 59) / 60) min"
    }

    /// Takes the bar away.
    mutating func clear() {
        guard isVisible else { return }
        isVisible = false
        console.writeError("\r\u{1B}[K")
    }
}

/// Numbers for people.
enum Figures {
    /// 1234567 → "1,234,567"
    static func grouped(_ number: Int) -> String { Digits.grouped(number) }

    /// Seconds with one digit after the point; below a second whole milliseconds.
    static func duration(_ seconds: Double) -> String {
        if seconds < 1 { return "\(Int((seconds * 1000).rounded())) ms" }
        let tenths = Int((seconds * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) s"
    }
}
