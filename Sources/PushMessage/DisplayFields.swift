// Fields of what is shown that are more than a text: loc keys, badge, sound.
public import JSONDocument

/// Keys and arguments of texts that the app localises.
struct LocKeys {
    var titleKey, subtitleKey, bodyKey: JSONValue?
    /// An array, or a text that holds one as JSON.
    var titleArguments, subtitleArguments, bodyArguments: JSONValue?

    /// The first key, in the order of the texts.
    var first: JSONValue? { titleKey ?? subtitleKey ?? bodyKey }
}

public struct Sound: Sendable {
    public var name: JSONText
    public var critical: Bool
    /// 0…1; nil when the sender gave none.
    public var volume: Double? { volumeSource?.double }
    var volumeSource: JSONValue?
}

extension MessageDraft {
    /// An absolute number, 0 to 2^31 - 1.
    /// - Parameter textIsRight: the format has its badge as a text of digits.
    mutating func offerBadge(_ value: JSONValue, textIsRight: Bool = false) {
        let number: Int64?
        switch value.kind {
        case .null: return
        case .integer: number = value.integer
        case .decimal: number = nil
        case .string:
            var digits = DigitReader(value.text ?? .empty)
            number = digits.number().flatMap { digits.isAtEnd ? $0 : nil }
        case .true, .false, .array, .object, .function:
            return wrongType(value, expected: "a whole number")
        }
        guard let number, number >= 0, number <= Int64(Int32.max) else {
            note(
                .badgeInvalid, value, "This badge is no whole number from 0 to 2147483647 and does not count.",
                hint: "write the number to show; 0 removes the badge")
            return
        }
        if value.isString, !textIsRight {
            note(.badgeText, value, "The badge is text; it was read as a number.", hint: "write the number without quotes")
        }
        guard badge == nil else { return }
        badge = Int(number)
        mark(.badge, value)
    }

    /// A name, or Apple's {critical, name, volume}. "" and "none" are no sound.
    mutating func offerSound(_ value: JSONValue) {
        let offered: Sound?
        switch value.kind {
        case .null: return
        case .string: offered = value.text.map { Sound(name: $0, critical: false, volumeSource: nil) }
        case .object: offered = dictionarySound(value)
        default: return wrongType(value, expected: "the name of a sound, or {critical, name, volume}")
        }
        guard let offered, sound == nil, !offered.name.isEmpty, offered.name != JSONText("none") else { return }
        sound = offered
        mark(.sound, value)
    }

    private mutating func dictionarySound(_ value: JSONValue) -> Sound {
        var sound = Sound(name: .empty, critical: false, volumeSource: nil)
        for member in value.children {
            switch Word(of: member) {
            case .name:
                if let text = member.text {
                    sound.name = text
                } else if !member.isNull {
                    wrongType(member, expected: "the name of a sound")
                }
            case .critical: sound.critical = flag(member) ?? false
            case .volume:
                if member.isNull { continue }
                if let volume = member.double, volume >= 0, volume <= 1 {
                    sound.volumeSource = member
                } else {
                    note(
                        .soundVolume, member, "The volume is no number from 0 to 1 and does not count.",
                        hint: "write a number from 0 (silent) to 1 (full)")
                }
            default: strayKey(member, in: .sound)
            }
        }
        if sound.name.isEmpty {
            note(.soundName, value, "The sound has no name; `default` is used.", hint: "add \"name\": \"default\"")
            sound.name = JSONText("default")
        }
        return sound
    }

    /// The arguments of a loc key: a list, or a text that holds one.
    mutating func locArguments(_ value: JSONValue, textToo: Bool) -> JSONValue? {
        if value.isArray || (textToo && value.isString) { return value }
        if !value.isNull { wrongType(value, expected: "a list of texts") }
        return nil
    }

    /// The key of a text that the app localises.
    mutating func locKey(_ value: JSONValue) -> JSONValue? {
        guard let text = value.text else {
            if !value.isNull { wrongType(value, expected: "text") }
            return nil
        }
        return text.isEmpty ? nil : value
    }
}
