// Writes a day of made-up traffic of a chat app to standard output: `swift run -c release make-traffic --events 100000`.
import Glibc
import PushMessage

private struct Wishes {
    var seed: UInt64 = 1
    var events = 400
    var people = 60
    var day = "2026-03-02"
    var app = "chat"

    /// nil: the words are none.
    init?(_ words: [String]) {
        var words = words[...]
        while let name = words.popFirst() {
            guard let value = words.popFirst() else { return nil }
            switch name {
            case "--seed":
                guard let seed = UInt64(value) else { return nil }
                self.seed = seed
            case "--events":
                guard let events = Int(value), events > 0 else { return nil }
                self.events = events
            case "--people":
                guard let people = Int(value), (1...9_999).contains(people) else { return nil }
                self.people = people
            case "--day": day = value
            case "--app": app = value
            default: return nil
            }
        }
    }
}

/// Writes all of it; false when nobody reads any more.
private func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var done = 0
    while done < bytes.count {
        let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress.unsafelyUnwrapped + done, bytes.count - done) }
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { return false }
        done += count
    }
    return true
}

private func fail(_ message: String) -> Never {
    _ = write(Array("make-traffic: \(message)\n".utf8), to: 2)
    exit(2)
}

guard let wishes = Wishes(Array(CommandLine.arguments.dropFirst())) else {
    fail("usage: make-traffic [--seed N] [--events N] [--people 1…9999] [--day YYYY-MM-DD] [--app NAME]")
}
guard let start = Instant("\(wishes.day)T00:00:00Z") else { fail("--day is no day: write 2026-03-02") }
guard var day = TrafficDay(start: start, events: wishes.events, people: wishes.people, seed: wishes.seed) else {
    fail("the system has no time zones: install tzdata")
}
var lines: [UInt8] = []
while let (at, person, happening) = day.next() {
    lines += LineText.line(app: wishes.app, at: at, person, happening)
    guard lines.count > 1 << 16 else { continue }
    guard write(lines, to: 1) else { exit(0) }
    lines.removeAll(keepingCapacity: true)
}
exit(write(lines, to: 1) ? 0 : 1)
