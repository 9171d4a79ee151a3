// Reads `cap`, `rollout` and `holdout` of a rule. Called by RuleReader; gives nil after it has told the fault.
import CivilTime
import JSONDocument
import PushMessage

enum LimitReader {
    // MARK: rollout and holdout

    static let shareKeys = ["percent", "salt"]

    /// `20`, `{ 20, salt = "…" }` or `{ percent = 20, salt = "…" }`.
    static func share(_ key: String, _ value: JSONValue, telling faults: inout AuthorFaults) -> RuleShare? {
        let path: [PathStep] = [.key(key)]
        guard value.isArray || value.isObject else {
            return percent(value, at: path, telling: &faults).map { RuleShare(percent: $0, salt: nil) }
        }
        var share: Int?
        var salt: String?
        var isWhole = true
        for (place, member) in value.children.enumerated() where !member.isNull {
            let name = value.isArray ? "\(place + 1)" : member.key.string
            switch name {
            case "1", "percent":
                guard share == nil else {
                    faults.tell(.badValue, at: path, "`\(key)` says `percent` twice")
                    isWhole = false
                    continue
                }
                share = percent(member, at: path + [name == "1" ? .place(1) : .key(name)], telling: &faults)
                isWhole = isWhole && share != nil
            case "salt":
                salt = faults.text(member, at: path + [.key(name)])
                isWhole = isWhole && salt != nil
            default:
                faults.unknownKey(name, in: "`\(key)`", at: path, known: shareKeys)
                isWhole = false
            }
        }
        guard isWhole else { return nil }
        guard let share else {
            faults.tell(.badValue, at: path, "`\(key)` does not say how many percent", hint: "write \(key) = 20")
            return nil
        }
        return RuleShare(percent: share, salt: salt)
    }

    private static func percent(_ value: JSONValue, at path: [PathStep], telling faults: inout AuthorFaults) -> Int? {
        guard let number = value.double else {
            let text = value.text?.string
            let digits = text?.prefix { $0.isASCII && $0.isNumber } ?? ""
            faults.wrongType(
                value, at: path, wanted: "a number of percent from 0 to 100",
                hint: digits.isEmpty ? "write 20 for a fifth of all people" : "write \(digits), without quotes")
            return nil
        }
        guard (0...100).contains(number) else {
            faults.tell(
                .badValue, at: path, "`\(path.written)` is \(describe(value)), but there are 0 to 100 percent",
                hint: number > 100 ? "100 is everybody" : "0 is nobody")
            return nil
        }
        guard let whole = Int(exactly: number) else {
            faults.tell(
                .badValue, at: path, "`\(path.written)` is \(describe(value)), but people are put into a hundred parts",
                hint: "write a whole number")
            return nil
        }
        return whole
    }

    // MARK: cap

    static let capKeys = ["n", "per", "key", "window", "otherwise"]
    static let units: [CalendarUnit] = [.minute, .hour, .day, .week]
    static let windows = ["rolling", "calendar"]
    private static let example = "write cap = { 3, per = \"day\" }"

    /// `{ 3, per = "day", window = …, key = …, otherwise = … }`; the first may also be written `n`.
    static func cap(_ value: JSONValue, telling faults: inout AuthorFaults) -> RuleCap? {
        let path: [PathStep] = [.key("cap")]
        guard value.isArray || value.isObject else {
            let hint = value.integer.map { "write cap = { \($0), per = \"day\" }" } ?? example
            faults.wrongType(value, at: path, wanted: "a table of how many and per what", hint: hint)
            return nil
        }
        var limit: Int?
        var length = Length.unit(.day)
        var isCalendar = false
        var key = RuleCap.Key.text(nil)
        var otherwise = RuleCap.Otherwise.suppress
        var saysHowMany = false
        let before = faults.faults.count
        for (place, member) in value.children.enumerated() where !member.isNull {
            let name = value.isArray ? "\(place + 1)" : member.key.string
            let step: PathStep = Int(name).map { .place($0) } ?? .key(name)
            switch name {
            case "1", "n":
                guard !saysHowMany else {
                    faults.tell(.badValue, at: path + [step], "`cap` says `n` twice")
                    continue
                }
                saysHowMany = true
                limit = count(member, at: path + [step], telling: &faults)
            case "per": if let read = self.length(member, at: path + [step], telling: &faults) { length = read }
            case "window":
                switch faults.text(member, at: path + [step]) {
                case "rolling", nil: isCalendar = false
                case "calendar": isCalendar = true
                case let word?: faults.unknownWord(word, at: path + [step], noun: "a window", known: windows)
                }
            case "key": if let read = self.key(member, at: path + [step], telling: &faults) { key = read }
            case "otherwise":
                guard let word = faults.text(member, at: path + [step]) else { continue }
                if let read = RuleCap.Otherwise(rawValue: word) {
                    otherwise = read
                } else {
                    faults.unknownWord(
                        word, at: path + [step], noun: "something to do when a cap is full",
                        known: RuleCap.Otherwise.allCases.map(\.rawValue))
                }
            default:
                if case .place = step {
                    faults.tell(
                        .unknownKey, at: path + [step], "`cap` has a second value without a key: \(describe(member))",
                        hint: member.text.map { "a key may be missing: per = \"\($0.string)\"" } ?? example)
                } else {
                    faults.unknownKey(name, in: "`cap`", at: path, known: capKeys)
                }
            }
        }
        if !saysHowMany { faults.tell(.badValue, at: path, "`cap` does not say how many", hint: example) }
        let window: RuleCap.Window
        switch length {
        case .unit(let unit): window = isCalendar ? .calendar(unit) : rolling(unit)
        case .duration(let milliseconds, let words):
            if isCalendar {
                faults.tell(
                    .badValue, at: path + [.key("window")], "`cap` counts by the calendar, which has no unit of \(words)",
                    hint: "per = \"minute\", \"hour\", \"day\" or \"week\", or window = \"rolling\"")
            }
            window = .rolling(milliseconds, words: "in the last \(words)")
        }
        guard faults.faults.count == before, let limit else { return nil }
        return RuleCap(limit: limit, window: window, key: key, otherwise: otherwise)
    }

    private enum Length {
        case unit(CalendarUnit)
        case duration(Int64, words: String)
    }

    private static func rolling(_ unit: CalendarUnit) -> RuleCap.Window {
        switch unit {
        case .minute: .rolling(60_000, words: "in the last minute")
        case .hour: .rolling(3_600_000, words: "in the last hour")
        case .week: .rolling(7 * 86_400_000, words: "in the last 7 days")
        case .day, .month, .year: .rolling(86_400_000, words: "in the last 24 hours")
        }
    }

    private static func count(_ value: JSONValue, at path: [PathStep], telling faults: inout AuthorFaults) -> Int? {
        guard let number = value.integer else {
            faults.wrongType(value, at: path, wanted: "a whole number", hint: example)
            return nil
        }
        guard number >= 1, number <= Int64(CapCount.mostInstants) else {
            faults.tell(
                .badValue, at: path,
                "`\(path.written)` is \(number), but a cap lets \(number < 1 ? "at least 1" : "at most \(CapCount.mostInstants)") through",
                hint: number < 1 ? "to show nothing write decide = suppress \"why\"" : "leave `cap` out, or take a shorter `per`")
            return nil
        }
        return Int(number)
    }

    private static func length(_ value: JSONValue, at path: [PathStep], telling faults: inout AuthorFaults) -> Length? {
        if let seconds = value.integer {
            if seconds > 0, seconds <= TimeShape.longestDuration / 1000 { return .duration(seconds * 1000, words: "\(seconds) s") }
        } else if let text = value.text {
            if let unit = units.first(where: { text == $0.rawValue }) { return .unit(unit) }
            if let milliseconds = TimeShape.duration(text), milliseconds > 0 { return .duration(milliseconds, words: text.string) }
        } else {
            faults.wrongType(value, at: path, wanted: "a length of time", hint: "write per = \"day\" or per = \"12h\"")
            return nil
        }
        let word = value.text?.string ?? "\(value.integer ?? 0)"
        let known = units.map(\.rawValue)
        faults.tell(
            .badValue, at: path, "`\(path.written)` = \(describe(value)) is not a length of time",
            hint: (units.first { word == "\($0.rawValue)s" || word == "1\($0.rawValue)" || word == "1 \($0.rawValue)" }?.rawValue
                ?? DidYouMean.nearest(to: word, among: known)).map { "did you mean \"\($0)\"?" }
                ?? "one of " + known.map { "\"\($0)\"" }.joined(separator: ", ") + ", or a duration such as \"12h\"")
        return nil
    }

    private static func key(_ value: JSONValue, at path: [PathStep], telling faults: inout AuthorFaults) -> RuleCap.Key? {
        if let function = value.function { return .function(function) }
        guard let text = value.text else {
            faults.wrongType(
                value, at: path, wanted: "a text, or a function that returns one",
                hint: "rules with the same key count together: key = \"offers\"")
            return nil
        }
        guard (1...StateQuota.key).contains(text.count) else {
            faults.tell(.badValue, at: path, "`\(path.written)` has \(text.count) bytes, but 1 to \(StateQuota.key) are allowed")
            return nil
        }
        return .text(text.string)
    }
}
