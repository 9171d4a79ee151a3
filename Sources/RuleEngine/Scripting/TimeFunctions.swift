// What scripts see of time: the one `now` of the evaluation, as a number and as the wall clock of the person, and sums
// with it. Instants are Unix milliseconds. Nothing in here knows a clock.
import CivilTime
import JSONDocument
import PushMessage

struct TimeFunctions {
    let now: Instant
    /// Where the person is.
    let zone: Zone

    // MARK: values

    func now(_ result: JSONBuilder) { result.integer(now.milliseconds) }

    func wall(_ result: JSONBuilder) {
        let civil = zone.civil(at: now)
        result.open(.object)
        for (name, value) in [
            ("year" as StaticString, civil.year), ("month", civil.month), ("day", civil.day), ("hour", civil.hour),
            ("minute", civil.minute), ("second", civil.second), ("weekday", civil.weekday),
        ] {
            result.key(name)
            result.integer(Int64(value))
        }
        result.key("zone")
        result.string(zone.name)
        result.close()
    }

    // MARK: functions

    /// `time.between("22:00", "07:00"[, zone])`: the same as a rule's `quiet`.
    func between(_ call: Call, _ result: JSONBuilder) throws(CallFault) {
        let hours = QuietHours(from: try timeOfDay(call, 0, "from"), to: try timeOfDay(call, 1, "to"))
        result.bool(hours.contains(now, in: try zone(call, 2)))
    }

    /// `time.add(instant, duration[, zone])`: days and weeks on the wall clock, everything shorter to the millisecond.
    func add(_ call: Call, _ result: JSONBuilder) throws(CallFault) {
        let instant = try instant(call, 0)
        let zone = try zone(call, 2)
        guard let value = call.argument(1), !value.isNull else {
            throw CallFault("the second argument must be a duration such as \"2h\" or a number of seconds")
        }
        if let seconds = value.integer, seconds.magnitude <= UInt64(TimeShape.longestDuration / 1000) {
            return result.integer(instant.milliseconds &+ seconds &* 1000)
        }
        guard let text = value.text else { throw CallFault("the second argument must be a duration such as \"2h\"") }
        let isBack = text.bytes.first == UInt8(ascii: "-")
        let magnitude = isBack ? JSONText(start: text.bytes.baseAddress.map { $0 + 1 }, count: text.count - 1) : text
        guard let duration = TimeShape.parts(magnitude) else {
            throw CallFault("\"\(text.string)\" is not a duration such as \"2h30m\" or \"-1d\"")
        }
        let sign: Int64 = isBack ? -1 : 1
        let moved = duration.days == 0 ? instant : zone.adding(days: Int(sign) * duration.days, to: instant)
        result.integer(moved.milliseconds &+ sign &* duration.milliseconds)
    }

    /// `time.parse(text[, zone])`: nil when the text is no time.
    func parse(_ call: Call, _ result: JSONBuilder) throws(CallFault) -> Bool {
        let text = try call.text(0, "the first argument")
        let zone = try zone(call, 1)
        guard let instant = Instant(text) ?? WallTime(text).map({ $0.instant(in: zone, after: now) }) else { return false }
        result.integer(instant.milliseconds)
        return true
    }

    /// `time.start_of("day"[, instant[, zone]])`
    func startOf(_ call: Call, _ result: JSONBuilder) throws(CallFault) {
        let unit = try call.text(0, "the first argument")
        let zone = try zone(call, 2)
        let instant = try call.argument(1).map({ $0.isNull }) ?? true ? now : instant(call, 1)
        guard let known = CalendarUnit(rawValue: unit.string) else {
            throw CallFault("there is no \"\(unit.string)\" to start; there are minute, hour, day, week, month, year")
        }
        result.integer(zone.start(of: known, around: instant).milliseconds)
    }

    // MARK: arguments

    private func timeOfDay(_ call: Call, _ place: Int, _ name: String) throws(CallFault) -> TimeOfDay {
        let text = try call.text(place, name)
        guard let time = TimeOfDay(text) else {
            throw CallFault("\"\(text.string)\" is not a time of day from \"00:00\" to \"24:00\"")
        }
        return time
    }

    /// Unix milliseconds, or a text that `time.parse` takes.
    private func instant(_ call: Call, _ place: Int) throws(CallFault) -> Instant {
        if let text = call.argument(place)?.text {
            if let instant = Instant(text) ?? WallTime(text).map({ $0.instant(in: zone, after: now) }) { return instant }
            throw CallFault("\"\(text.string)\" is not a time")
        }
        guard let milliseconds = try call.integer(place, "an instant") else {
            throw CallFault("an instant must be given, such as time.now")
        }
        return Instant(milliseconds: milliseconds)
    }

    private func zone(_ call: Call, _ place: Int) throws(CallFault) -> Zone {
        guard let name = try call.optionalText(place, "zone") else { return zone }
        guard let zone = Zone(name) else { throw CallFault("there is no time zone \"\(name.string)\"") }
        return zone
    }
}
