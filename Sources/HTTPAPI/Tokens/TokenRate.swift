// How many requests a token may make: so many a second, and twice as many at once. Made by `rulehost serve --rate`; asked by the API for
// each request that a token has let in. Lines of a stream are none of its business. It must not read a clock where a test gives the time.
import Glibc
import HTTPServer
import RuleHosting

public final class TokenRate: Sendable {
    private let perSecond: Int
    /// Nanoseconds for one request.
    private let pause: Int64
    /// When all that a token may have at once is there again, by its name: as many as tokens have been in force.
    private let full = Guarded<[String: Int64]>([:])

    /// - Parameter perSecond: from 1 to 1,000,000.
    public init(perSecond: Int) {
        self.perSecond = perSecond
        pause = 1_000_000_000 / Int64(perSecond)
    }

    /// Counts a request of a token, or refuses it; one that is refused does not count.
    func count(_ name: String) throws(HostProblem) {
        guard let wait = wait(of: name, at: TokenRate.now()) else { return }
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

    private static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
