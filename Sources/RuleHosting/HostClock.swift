// The clocks of a host. Evaluations have none: they are told the time.
import Glibc
public import PushMessage

public enum HostClock {
    @Sendable public static func now() -> Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// Milliseconds of a clock that only goes forward.
    static func ticks() -> Int64 { microseconds() / 1000 }

    static func microseconds() -> Int64 { nanoseconds() / 1000 }

    /// Of the clock that only goes forward.
    package static func nanoseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
