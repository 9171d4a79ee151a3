// Reads `quiet`, `starts` and `expires` of a rule. Called by RuleReader; gives nil after it has told the fault.
import CivilTime
import JSONDocument
import PushMessage

enum TimingReader {
    // MARK: quiet

    static let quietKeys = ["from", "to", "zone", "days", "otherwise"]

    /// `{ "21:00", "08:00", zone = …, days = …, otherwise = … }`; the first two may also be written `from` and `to`.
    static func quiet(_ value: JSONValue, telling faults: inout AuthorFaults) -> RuleQuiet? {
        let path: [PathStep] = [.key("quiet")]
        guard value.isArray || value.isObject else {
            faults.wrongType(value, at: path, wanted: "a table of two times", hint: "write quiet = { \"21:00\", \"08:00\" }")
            return nil
        }
        var from: TimeOfDay?
        var to: TimeOfDay?
        var zone: Zone?
        var days = Weekdays.all
        var otherwise = RuleQuiet.Otherwise.suppress
        var said: Set<String> = []
        var isWhole = true
        for (place, member) in value.children.enumerated() where !member.isNull {
            let key = value.isArray ? "\(place + 1)" : member.key.string
            let step: PathStep = Int(key).map { .place($0) } ?? .key(key)
            let name = key == "1" ? "from" : key == "2" ? "to" : key
            guard said.insert(name).inserted else {
                faults.tell(.badValue, at: path + [step], "`quiet` says `\(name)` twice")
                isWhole = false
                continue
            }
            switch name {
            case "from":
                from = timeOfDay(member, at: path + [step], telling: &faults)
                isWhole = isWhole && from != nil
            case "to":
                to = timeOfDay(member, at: path + [step], telling: &faults)
                isWhole = isWhole && to != nil
            case "zone":
                zone = faults.zone(member, at: path + [step])
                isWhole = isWhole && zone != nil
            case "days":
                let read = weekdays(member, at: path + [step], telling: &faults)
                isWhole = isWhole && read != nil
                days = read ?? .all
            case "otherwise":
                guard let word = faults.text(member, at: path + [step]) else {
                    isWhole = false
                    continue
                }
                if let read = RuleQuiet.Otherwise(rawValue: word) {
                    otherwise = read
                } else {
                    faults.unknownWord(
                        word, at: path + [step], noun: "something to do in quiet hours",
                        known: RuleQuiet.Otherwise.allCases.map(\.rawValue))
                    isWhole = false
                }
            default:
                isWhole = false
                if case .place = step {
                    faults.tell(
                        .unknownKey, at: path + [step], "`quiet` has a third value without a key: \(describe(member))",
                        hint: "two times, then zone, days or otherwise, each with its key")
                } else {
                    faults.unknownKey(key, in: "`quiet`", at: path, known: quietKeys)
                }
            }
        }
        for missing in ["from", "to"] where !said.contains(missing) {
            faults.tell(
                .badValue, at: path, "`quiet` does not say when it \(missing == "from" ? "begins" : "ends")",
                hint: "write quiet = { \"21:00\", \"08:00\" }")
            isWhole = false
        }
        guard isWhole, let from, let to else { return nil }
        return RuleQuiet(hours: QuietHours(from: from, to: to, days: days), zone: zone, otherwise: otherwise)
    }

    private static func timeOfDay(_ value: JSONValue, at path: [PathStep], telling faults: inout AuthorFaults) -> TimeOfDay? {
        guard let text = value.text else {
            faults.wrongType(value, at: path, wanted: "a time of day as text", hint: "write \"21:00\"")
            return nil
        }
        guard let time = TimeOfDay(text) else {
            let written = text.string
            faults.tell(
                .badValue, at: path, "`\(path.written)` = \"\(written)\" is not a time of day",
                hint: completed(written).map { "did you mean \"\($0)\"?" } ?? "write hours and minutes, from \"00:00\" to \"24:00\"")
            return nil
        }
        return time
    }

    /// `8:00`, `21`, `21.30` and `21h` as they are meant.
    private static func completed(_ text: String) -> String? {
        let parts = text.split(omittingEmptySubsequences: false) { ":.h".contains($0) }
        guard (1...2).contains(parts.count), parts.allSatisfy({ $0.utf8.count <= 2 }), let hour = Int(parts[0]) else { return nil }
        let rest = parts.count == 2 ? parts[1] : ""
        guard let minute = rest.isEmpty ? 0 : Int(rest), hour >= 0, minute >= 0, minute < 60 else { return nil }
        return TimeOfDay(minutes: hour * 60 + minute)?.text
    }

    private static func weekdays(_ value: JSONValue, at path: [PathStep], telling faults: inout AuthorFaults) -> Weekdays? {
        guard let names = faults.texts(value, at: path, orOne: true) else { return nil }
        guard !names.isEmpty else {
            faults.tell(.badValue, at: path, "`\(path.written)` is an empty list, so it would never be quiet")
            return nil
        }
        var days: Weekdays = []
        var isWhole = true
        for (index, name) in names.enumerated() {
            if let day = Weekdays(name: name) {
                days.insert(day)
                continue
            }
            isWhole = false
            let place = value.isArray ? path + [.place(index + 1)] : path
            let short = String(name.lowercased().prefix(3))
            if Weekdays.names.contains(short) {
                faults.tell(
                    .badValue, at: place, "`\(place.written)` = \"\(name)\" is not a day of the week", hint: "did you mean \"\(short)\"?")
            } else {
                faults.unknownWord(name, at: place, noun: "a day of the week", known: Weekdays.names)
            }
        }
        return isWhole ? days : nil
    }

    // MARK: starts and expires

    static let boundaryKeys = ["at", "zone"]

    /// `"2026-12-24"`, `"2026-12-24 18:00"`, an instant, or `{ "2026-12-24 18:00", zone = "Asia/Seoul" }`. Of a date alone
    /// `starts` means the first moment of that day and `expires` the end of it.
    static func boundary(_ key: String, _ value: JSONValue, telling faults: inout AuthorFaults) -> RuleBoundary? {
        let path: [PathStep] = [.key(key)]
        if value.text != nil { return boundary(key, value, in: nil, at: path, telling: &faults) }
        guard value.isArray || value.isObject else {
            faults.wrongType(value, at: path, wanted: "a date as text", hint: "write \(key) = \"2026-12-24\"")
            return nil
        }
        var time: (value: JSONValue, step: PathStep)?
        var zone: Zone?
        for (place, member) in value.children.enumerated() where !member.isNull {
            let name = value.isArray ? "\(place + 1)" : member.key.string
            switch name {
            case "1": time = (member, .place(1))
            case "at": time = (member, .key("at"))
            case "zone":
                zone = faults.zone(member, at: path + [.key("zone")])
                if zone == nil { return nil }
            default:
                faults.unknownKey(name, in: "`\(key)`", at: path, known: boundaryKeys)
                return nil
            }
        }
        guard let time else {
            faults.tell(.badValue, at: path, "`\(key)` has no date", hint: "write \(key) = { \"2026-12-24\", zone = \"Asia/Seoul\" }")
            return nil
        }
        return boundary(key, time.value, in: zone, at: path + [time.step], telling: &faults)
    }

    private static func boundary(
        _ key: String, _ value: JSONValue, in zone: Zone?, at path: [PathStep], telling faults: inout AuthorFaults
    ) -> RuleBoundary? {
        guard let text = value.text else {
            faults.wrongType(value, at: path, wanted: "a date as text", hint: "write \"2026-12-24\"")
            return nil
        }
        if let instant = Instant(text) { return .instant(instant) }
        switch WallTime(text) {
        case .moment(let civil): return .wall(civil, in: zone)
        case .date(let civil): return .wall(key == "expires" ? civil.adding(days: 1) : civil, in: zone)
        case .clock, nil:
            faults.tell(
                .badValue, at: path, "`\(path.written)` = \"\(text.string)\" is not a date",
                hint: "write \"2026-12-24\", \"2026-12-24 18:00\" or \"2026-12-24T18:00:00+09:00\"")
            return nil
        }
    }

    /// Two boundaries between which nothing lies, in whatever zone.
    static func leavesNothing(_ starts: RuleBoundary, _ expires: RuleBoundary) -> Bool {
        switch (starts, expires) {
        case (.instant(let first), .instant(let last)): first >= last
        case (.wall(let first, let zone), .wall(let last, let other)) where zone == other: first >= last
        default: false
        }
    }
}

extension AuthorFaults {
    /// The zone of an IANA name that the system knows.
    mutating func zone(_ value: JSONValue, at path: [PathStep]) -> Zone? {
        guard let name = text(value, at: path) else { return nil }
        if let zone = Zone(name) { return zone }
        // All names of zones are read for a guess.
        let meant = text.room.guess { Zone.meant(by: name) }
        tell(
            .badValue, at: path, "`\(path.written)` = \"\(name.shortened)\" is not the name of a time zone",
            hint: meant.map { "did you mean \"\($0)\"?" } ?? "write a name such as \"Asia/Seoul\" or \"Europe/Berlin\"")
        return nil
    }
}
