// An instant as the phone's clock shows it, in the phone's zone. For pictures only: nothing is decided by it.
import Glibc

struct WallClock {
    /// "08:05"
    let time: String
    /// "Thursday, 1 January"
    let date: String

    /// `zone` is an IANA name; nil, or one that the system does not know, means UTC.
    init(milliseconds: Int64, zone: String?) {
        // The zone of the machine must never show through, and there is no other door to the zone files.
        setenv("TZ", zone ?? "UTC", 1)
        tzset()
        var seconds = time_t(milliseconds.quotientAndRemainder(dividingBy: 1000).quotient)
        var parts = tm()
        guard localtime_r(&seconds, &parts) != nil else {
            time = "--:--"
            date = ""
            return
        }
        let minute = parts.tm_min < 10 ? "0\(parts.tm_min)" : "\(parts.tm_min)"
        time = (parts.tm_hour < 10 ? "0" : "") + "\(parts.tm_hour):\(minute)"
        let days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
        let months = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
            "December",
        ]
        date = "\(days[Int(parts.tm_wday)]), \(parts.tm_mday) \(months[Int(parts.tm_mon)])"
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
