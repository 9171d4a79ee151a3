// Tells whoever has started the host how it goes, as systemd wants it: one datagram of text to the socket that NOTIFY_SOCKET names.
// Without that variable nobody wants to know. See sd_notify(3).
import Glibc

public enum ServiceNotice: Sendable {
    /// Requests are answered.
    case ready
    /// Tokens or rules are read again.
    case reloading
    case stopping
    /// The host still turns: before WatchdogSec has passed.
    case alive
    /// One line for people.
    case status(String)

    var text: String {
        switch self {
        case .ready: "READY=1"
        case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(ServiceNotice.microseconds())"
        case .stopping: "STOPPING=1"
        case .alive: "WATCHDOG=1"
        case .status(let line): "STATUS=\(line.split(separator: "\n").joined(separator: " "))"
        }
    }

    /// - Returns: false: nobody wants to know, or it did not get there.
    @discardableResult
    public func send(to socket: String? = ServiceNotice.variable("NOTIFY_SOCKET")) -> Bool {
        guard let socket, let first = socket.utf8.first, first == 0x2F || first == 0x40 else { return false }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var path = Array(socket.utf8)
        // A name that is in no folder begins with a zero.
        if first == 0x40 { path[0] = 0 }
        guard path.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        let sent = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, length)
            }
        }
        return sent == bytes.count
    }

    /// Seconds between two `alive`, half of what systemd allows; nil: it does not watch.
    public static var heartbeat: Double? {
        guard let text = variable("WATCHDOG_USEC"), let microseconds = Double(text), microseconds > 0 else { return nil }
        return microseconds / 2e6
    }

    public static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    private static func microseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
}
