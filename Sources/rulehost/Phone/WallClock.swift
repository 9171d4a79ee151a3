// An instant as the phone's clock shows it, in the phone's zone. For pictures only: nothing is decided by it.
import CivilTime
import PushMessage

struct WallClock {
    /// "08:05"
    let time: String
    /// "Thursday, 1 January"
    let date: String
    /// "Thu"
    let weekday: String

    /// `zone` is an IANA name; nil, or one that the system does not know, means UTC.
    init(_ instant: Instant, zone: String?) {
        let civil = (zone.flatMap { Zone($0) } ?? .utc).civil(at: instant)
        let hour = civil.hour < 10 ? "0\(civil.hour)" : "\(civil.hour)"
        let minute = civil.minute < 10 ? "0\(civil.minute)" : "\(civil.minute)"
        time = "\(hour):\(minute)"
        let days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
        let months = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
            "December",
        ]
        // Both count from 1.
        weekday = String(days[civil.weekday - 1].prefix(3))
        date = "\(days[civil.weekday - 1]), \(civil.day) \(months[civil.month - 1])"
    }

    /// The time in figures three lines high.
    var largeFigures: [String] {
        var rows = ["", "", ""]
        for figure in time {
            let shape = WallClock.shapes[figure] ?? ["   ", "╺━╸", "   "]
            for row in 0..<3 { rows[row] += (rows[row].isEmpty ? "" : " ") + shape[row] }
        }
        return rows
    }

    private static let shapes: [Character: [String]] = [
        "0": ["┏━┓", "┃ ┃", "┗━┛"], "1": [" ┓ ", " ┃ ", " ╹ "], "2": ["╺━┓", "┏━┛", "┗━╸"], "3": ["╺━┓", "╺━┫", "╺━┛"],
        "4": ["╻ ╻", "┗━┫", "  ╹"], "5": ["┏━╸", "┗━┓", "╺━┛"], "6": ["┏━╸", "┣━┓", "┗━┛"], "7": ["╺━┓", "  ┃", "  ╹"],
        "8": ["┏━┓", "┣━┫", "┗━┛"], "9": ["┏━┓", "┗━┫", "╺━┛"], ":": ["╻", " ", "╹"],
    ]
}
