// A zone of the IANA list: what the clocks on its walls show at an instant, and which instant they mean. Used by
// whatever reads or writes times of people. The machine's own zone, TZ and locale are never looked at.
internal import CTimeZone
public import JSONDocument
public import PushMessage

@safe public struct Zone: Sendable, Hashable {
    /// The IANA name, as it was asked for: `Europe/Berlin`.
    public let name: String
    // SAFETY: C never frees a zone and never changes one after it was read, so that any thread may use it.
    private nonisolated(unsafe) let rules: OpaquePointer

    /// nil: the system does not know a zone of this name. Capitals count, as in the list.
    ///
    /// Reads a file when the process asks for a zone for the first time, and remembers it.
    public init?(_ name: String) {
        var name = name
        guard let rules = name.withUTF8({ unsafe Zone.rules(of: $0) }) else { return nil }
        unsafe self.init(name: name, rules: rules)
    }

    public init?(_ name: JSONText) {
        guard let rules = unsafe Zone.rules(of: name.bytes) else { return nil }
        unsafe self.init(name: name.string, rules: rules)
    }

    private static func rules(of name: UnsafeBufferPointer<UInt8>) -> OpaquePointer? {
        unsafe name.withMemoryRebound(to: CChar.self) { unsafe ctz_zone_named($0.baseAddress, $0.count) }
    }

    /// Needs no file: it is there on every system.
    public static let utc = unsafe Zone(name: "UTC", rules: unsafe ctz_zone_utc())

    /// The names that the system knows, sorted. Reads the folder of zones: for people who have misspelt one.
    public static var names: [String] {
        let room = 64 * 1024
        let text = unsafe String(unsafeUninitializedCapacity: room) { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { unsafe min(room, ctz_zone_names($0.baseAddress, room)) }
        }
        return text.split(separator: "\n").map(String.init)
    }

    private init(name: String, rules: OpaquePointer) {
        self.name = name
        unsafe self.rules = unsafe rules
    }

    public static func == (a: Zone, b: Zone) -> Bool { a.name == b.name }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    // MARK: from instants to clocks and back

    /// What the wall clock shows. Thousandths of a second are cut off.
    public func civil(at instant: Instant) -> CivilTime { clock(at: instant).civil }

    /// How far the wall clock is ahead of UTC, in seconds.
    public func offset(at instant: Instant) -> Int { clock(at: instant).offset }

    public func clock(at instant: Instant) -> (civil: CivilTime, offset: Int) {
        var found = ctz_civil()
        unsafe ctz_civil_at(rules, instant.wholeSeconds, &found)
        let civil = CivilTime(
            year: Int(found.year), month: Int(found.month), day: Int(found.day), hour: Int(found.hour),
            minute: Int(found.minute), second: Int(found.second))
        return (civil, Int(found.offset))
    }

    /// How a wall time comes to an instant.
    public enum Meaning: Sendable, Equatable {
        case unique
        /// The clocks jump over it: the first instant after the gap is meant.
        case skipped
        /// The clocks show it twice: the first time is meant.
        case repeated
    }

    /// The one instant of a wall time: the first after the gap when it does not exist, the first when it comes twice.
    public func instant(of civil: CivilTime) -> Instant { resolve(civil).instant }

    public func resolve(_ civil: CivilTime) -> (instant: Instant, meaning: Meaning) {
        var wall = ctz_civil(
            year: Int64(civil.year), month: Int32(truncatingIfNeeded: civil.month), day: Int32(truncatingIfNeeded: civil.day),
            hour: Int32(truncatingIfNeeded: civil.hour), minute: Int32(truncatingIfNeeded: civil.minute),
            second: Int32(truncatingIfNeeded: civil.second), offset: 0)
        var meaning = CTZ_UNIQUE
        let seconds = unsafe ctz_instant_of(rules, &wall, &meaning)
        let instant = Instant(milliseconds: seconds &* 1000)
        switch meaning {
        case CTZ_SKIPPED: return (instant, .skipped)
        case CTZ_REPEATED: return (instant, .repeated)
        default: return (instant, .unique)
        }
    }

    /// The first instant of the day on which the instant lies. Days begin later than midnight where the clocks jump
    /// over it.
    public func startOfDay(_ instant: Instant) -> Instant {
        self.instant(of: civil(at: instant).startOfDay)
    }

    /// The instant at which the wall clock shows the same time, `days` days later or earlier.
    public func adding(days: Int, to instant: Instant) -> Instant {
        let moved = self.instant(of: civil(at: instant).adding(days: days))
        return Instant(milliseconds: moved.milliseconds &+ (instant.milliseconds &- instant.wholeSeconds &* 1000))
    }

    /// The first instant after this one at which the wall clock jumps.
    public func nextChange(after instant: Instant) -> Instant? {
        var change: Int64 = 0
        guard unsafe ctz_next_change(rules, instant.wholeSeconds, &change) else { return nil }
        return Instant(milliseconds: change &* 1000)
    }
}

extension Instant {
    /// Unix seconds, the rest cut off towards the past.
    var wholeSeconds: Int64 {
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        return rest < 0 ? seconds - 1 : seconds
    }
}
