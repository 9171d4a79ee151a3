// Fields of how and until when a message is delivered: priority, times, topic, condition.
import JSONDocument

/// The window of a recipient-time message: FCM sends a silent carrier, the app shows its text when the wall clock says.
struct Schedule {
    /// One of the two keys is there, readable or not.
    var isCarrier = false
    /// `YYYY-MM-DD HH:MM:SS`, in whatever zone the recipient is.
    var from, to: JSONText?
}

extension MessageDraft {
    private static let pushTypes: [JSONText] = [
        "alert", "background", "location", "voip", "complication", "fileprovider", "mdm", "liveactivity", "pushtotalk",
        "widgets", "controls",
    ]
    private static let interruptionLevels: [JSONText] = ["passive", "active", "time-sensitive", "critical"]
    /// Seconds: FCM keeps nothing longer than 28 days.
    private static let maxTTL: Int64 = 2_419_200

    /// A header of APNs; its values are texts.
    mutating func offerHeader(_ member: JSONValue) {
        switch Word(of: member) {
        case .apnsID: ids.header = ids.header ?? member
        case .apnsCollapseID: offerText(member, as: .collapse)
        case .apnsPushType: offerWord(member, as: .pushType, among: Self.pushTypes)
        case .apnsPriority: offerHeaderPriority(member)
        case .apnsExpiration: offerExpiration(member)
        case .apnsTopic, .apnsChannelID, .apnsRequestID, .apnsUniqueID, .authorization: break
        default: strayKey(member, in: .headers)
        }
    }

    mutating func offerInterruptionLevel(_ value: JSONValue) {
        offerWord(value, as: .interruptionLevel, among: Self.interruptionLevels)
    }

    /// APNs: 10 at once, 5 and 1 when it suits the device's power.
    private mutating func offerHeaderPriority(_ value: JSONValue) {
        guard let text = value.text else { return offerText(value, as: .priority) }
        if text == JSONText("10") {
            offer(JSONText("high"), as: .priority, from: value)
        } else if text == JSONText("5") || text == JSONText("1") {
            offer(JSONText("normal"), as: .priority, from: value)
        } else if !text.isEmpty {
            unknownWord(value, text, ["10", "5", "1"])
        }
    }

    /// FCM: high or normal, in capitals too.
    mutating func offerPriority(_ value: JSONValue) {
        guard let text = value.text else { return offerText(value, as: .priority) }
        if text == JSONText("high") || text == JSONText("HIGH") {
            offer(JSONText("high"), as: .priority, from: value)
        } else if text == JSONText("normal") || text == JSONText("NORMAL") {
            offer(JSONText("normal"), as: .priority, from: value)
        } else if !text.isEmpty {
            unknownWord(value, text, ["high", "normal"])
        }
    }

    /// apns-expiration: Unix seconds, or 0 for now or never.
    private mutating func offerExpiration(_ value: JSONValue) {
        guard let text = value.text else { return offerText(value, as: .expiresAt) }
        var digits = DigitReader(text)
        guard let seconds = digits.number(), digits.isAtEnd, let instant = Instant(seconds: seconds) else {
            return invalidTTL(value, hint: "write the Unix second at which it expires, or \"0\"")
        }
        if seconds == 0 {
            offerTTL(0, from: value)
        } else if expiresAt == nil {
            expiresAt = instant
            mark(.expiresAt, value)
        }
    }

    /// FCM v1: seconds as text that ends in `s`.
    mutating func offerDuration(_ value: JSONValue) {
        guard let text = value.text else { return offerText(value, as: .ttl) }
        var digits = DigitReader(text)
        let seconds = digits.number()
        let hasFraction = digits.skip(".")
        guard let seconds, !hasFraction || digits.fraction() != nil, digits.skip("s"), digits.isAtEnd,
            seconds <= Self.maxTTL
        else { return invalidTTL(value, hint: "write seconds, up to 28 days, as in \"3600s\"") }
        offerTTL(seconds, from: value)
    }

    /// Legacy FCM: seconds as a number.
    mutating func offerTimeToLive(_ value: JSONValue) {
        guard let number = value.literal else {
            if !value.isNull { wrongType(value, expected: "a number of seconds") }
            return
        }
        guard let seconds = value.integer, seconds >= 0, seconds <= Self.maxTTL, !number.isEmpty else {
            return invalidTTL(value, hint: "write whole seconds from 0 to 2419200 (28 days)")
        }
        offerTTL(seconds, from: value)
    }

    /// What FCM tells an app: seconds, as text.
    mutating func offerSeconds(_ value: JSONValue) {
        guard let seconds = wholeSeconds(value) else {
            if value.isString || value.literal != nil {
                invalidTTL(value, hint: "write whole seconds")
            } else if !value.isNull {
                wrongType(value, expected: "seconds")
            }
            return
        }
        offerTTL(seconds, from: value)
    }

    private mutating func offerTTL(_ seconds: Int64, from value: JSONValue) {
        guard ttl == nil else { return }
        ttl = seconds
        mark(.ttl, value)
    }

    private mutating func invalidTTL(_ value: JSONValue, hint: String) {
        note(.ttlInvalid, value, "How long the message lives cannot be read and does not count.", hint: hint)
    }

    /// When it was sent: Unix seconds, as text or number.
    mutating func offerUnixSeconds(_ value: JSONValue, as field: MessageField) {
        if value.isNull { return }
        guard let instant = wholeSeconds(value).flatMap({ Instant(seconds: $0) }) else {
            return invalidTime(value, hint: "write the Unix second")
        }
        offer(instant, as: field, from: value)
    }

    /// RFC 3339.
    mutating func offerTimestamp(_ value: JSONValue, as field: MessageField) {
        guard let text = value.text else {
            if !value.isNull { wrongType(value, expected: "a time such as 2026-01-01T12:00:00Z") }
            return
        }
        guard !text.isEmpty else { return }
        guard let instant = Instant(text) else {
            return invalidTime(value, hint: "write it as 2026-01-01T12:00:00Z")
        }
        offer(instant, as: field, from: value)
    }

    private mutating func offer(_ instant: Instant, as field: MessageField, from value: JSONValue) {
        if field == .sentAt {
            guard sentAt == nil else { return }
            sentAt = instant
        } else {
            guard expiresAt == nil else { return }
            expiresAt = instant
        }
        mark(field, value)
    }

    private mutating func invalidTime(_ value: JSONValue, hint: String) {
        note(.timeInvalid, value, "This time cannot be read and does not count.", hint: hint)
    }

    private func wholeSeconds(_ value: JSONValue) -> Int64? {
        if let integer = value.integer { return integer >= 0 ? integer : nil }
        guard let text = value.text else { return nil }
        var digits = DigitReader(text)
        return digits.number().flatMap { digits.isAtEnd ? $0 : nil }
    }

    /// A wall time of the console's recipient-time delivery.
    mutating func offerWallTime(_ value: JSONValue, isStart: Bool) {
        schedule.isCarrier = true
        guard let text = value.text, isWallTime(text) else {
            if !value.isNull {
                note(
                    .scheduleInvalid, value, "This wall time cannot be read and does not count.",
                    hint: "write it as YYYY-MM-DD HH:MM:SS, without a zone")
            }
            return
        }
        if isStart {
            schedule.from = text
        } else {
            schedule.to = text
        }
        if isStart || !isFilled(.scheduled) { mark(.scheduled, value) }
    }

    private func isWallTime(_ text: JSONText) -> Bool {
        var reader = DigitReader(text)
        guard let year = reader.digits(4), reader.skip("-"), let month = reader.digits(2), reader.skip("-"),
            let day = reader.digits(2), reader.skip(" "), let hour = reader.digits(2), reader.skip(":"),
            let minute = reader.digits(2), reader.skip(":"), let second = reader.digits(2), reader.isAtEnd
        else { return false }
        return (1...12).contains(month) && day >= 1 && day <= Instant.days(inMonth: month, of: year) && hour <= 23
            && minute <= 59 && second <= 59
    }

    /// A topic's name; `/topics/` before it is cut off, with lint where it does not belong.
    mutating func offerTopic(_ value: JSONValue, prefixIsNormal: Bool) {
        guard var text = value.text else { return offerText(value, as: .topic) }
        if text.begins(with: "/topics/") {
            if !prefixIsNormal {
                note(.topicPrefix, value, "`/topics/` is not part of a topic's name here.", hint: "write the name alone")
            }
            text = text.dropping("/topics/".count)
        }
        if !text.isEmpty, !text.bytes.allSatisfy(MessageDraft.isTopicByte) {
            note(
                .topicInvalid, value, "This is no name that a topic can have.",
                hint: "use letters, digits and - _ . ~ %")
        }
        offer(text, as: .topic, from: value)
    }

    private static func isTopicByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: "~"), UInt8(ascii: "%"):
            true
        default: false
        }
    }

    mutating func offerCondition(_ value: JSONValue) {
        guard let text = value.text, !text.isEmpty else { return offerText(value, as: .condition) }
        do {
            let condition = try TopicCondition(parsing: text.string)
            if condition.topics.count > TopicCondition.maxTopics {
                note(
                    .conditionTopics, value, "The condition names \(condition.topics.count) topics.",
                    hint: "name at most \(TopicCondition.maxTopics)")
            }
        } catch {
            note(
                .conditionInvalid, value, "The condition cannot be read at byte \(error.offset): \(error.message).",
                hint: "write it as 'a' in topics && ('b' in topics || !('c' in topics))")
        }
        offer(text, as: .condition, from: value)
    }
}
