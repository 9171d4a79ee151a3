// The field Date, made once a second. Each loop has its own; the way of a request only copies bytes.
import Glibc

struct DateField {
    private var second = -1
    private(set) var bytes: [UInt8] = []

    /// - Parameter now: seconds since 1970.
    mutating func update(_ now: Int) {
        if now == second { return }
        second = now
        bytes = Array("Date: \(DateField.text(now))\r\n".utf8)
    }

    /// As RFC 9110 section 5.6.7 wants it.
    static func text(_ now: Int) -> String {
        var moment = time_t(now)
        var parts = unsafe tm()
        _ = unsafe gmtime_r(&moment, &parts)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = unsafe "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(parts.tm_year + 1900)"
        return unsafe "\(day) \(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
    }
}
