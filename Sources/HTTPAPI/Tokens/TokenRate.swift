// How many requests and lines of streams a token may send: so many a second, and twice as many at once. Made by `rulehost serve --rate`; asked
// by the API for each request that a token has let in, and by its streams. It must not wait: whoever has too much is told for how long to.
import Glibc
import HTTPServer
import RuleHosting

public final class TokenRate: Sendable {
    private let perSecond: Int
    /// Nanoseconds for one request.
    private let pause: Int64
    /// When all that a token may have at once is there again, by its name: as many as tokens have been in force.
    private let full = Guarded<[String: Int64]>([:])
    private let clock: @Sendable () -> Int64

    /// - Parameters:
    ///   - perSecond: from 1 to 1,000,000.
    ///   - clock: nanoseconds; it only goes forward.
    public init(perSecond: Int, clock: @escaping @Sendable () -> Int64 = { TokenRate.now() }) {
        self.perSecond = perSecond
        self.clock = clock
        pause = 1_000_000_000 / Int64(perSecond)
    }

    /// Counts a request of a token, or refuses it; one that is refused does not count.
    func count(_ name: String) throws(HostProblem) {
        guard let wait = wait(of: name, at: clock()) else { return }
        var problem = APIProblem.tooManyRequests.problem(
            "the token has asked more than \(perSecond) times a second", "wait a little, or ask whoever runs the host for more")
        problem.retryAfter = Int((wait + 999_999_999) / 1_000_000_000)
        throw problem
    }

    /// - Parameter now: nanoseconds on a clock that only goes forward.
    /// - Returns: nanoseconds until the next one is let in; nil: this one is.
    func wait(of name: String, at now: Int64) -> Int64? {
        full.withLock { full in
            let next = max(full[name] ?? now, now) + pause
            let wait = next - now - 2 * Int64(perSecond) * pause
            if wait > 0 { return wait }
            full[name] = next
            return nil
        }
    }

    /// Counts the first of so many lines, as far as they are let in now.
    ///
    /// - Returns: how many they are, and milliseconds until there is more room.
    func take(_ count: Int, of name: String) -> (count: Int, milliseconds: Int) {
        let now = clock()
        return full.withLock { full in
            let start = max(full[name] ?? now, now)
            let room = (now + 2 * Int64(perSecond) * pause - start) / pause
            let taken = min(Int64(count), max(0, room))
            full[name] = start + taken * pause
            // A few at a time, where they are many: each look costs more than a line.
            let wait = max(start + (taken + 1) * pause - now - 2 * Int64(perSecond) * pause, TokenRate.leastPause)
            return (Int(taken), Int((wait + 999_999) / 1_000_000))
        }
    }

    private static let leastPause: Int64 = 20_000_000

    public static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
