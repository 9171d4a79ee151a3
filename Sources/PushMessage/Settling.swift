// What can only be said once every place has been looked at: values that depend on each other, and faults of the whole.
import Glibc
import JSONDocument

extension MessageDraft {
    mutating func settle(_ links: LinkOrder, _ recipient: RecipientContext, _ root: JSONValue) {
        settleID()
        settleLink(links)
        settleRelevance()
        settleExpiry()
        if let key = loc.first, !isFilled(.loc) { mark(.loc, key) }
        if self[.recipient] == nil, let known = recipient.recipient { set(.recipient, known) }
        checkTexts()
        checkBackground()
        if inner == .unknown {
            note(
                .unknownFormat, root, "This has the shape of no known format; only its custom keys are read.",
                hint: hasMapped
                    ? "the app's field map finds its fields; nothing has to be done for this app"
                    : "name the format with --message-format, or say where the fields are with a field map in app.lua")
        }
        checkSize(of: root)
    }

    private mutating func settleRelevance() {
        guard let value = relevance else { return }
        let isAnyAllowed = isLiveActivity || self[.pushType] == JSONText("liveactivity")
        guard let number = value.double else {
            relevance = nil
            if !value.isNull { wrongType(value, expected: "a number from 0 to 1") }
            return
        }
        guard isAnyAllowed || (number >= 0 && number <= 1) else {
            relevance = nil
            return relevanceOutOfRange(value)
        }
        if !isFilled(.relevance) { mark(.relevance, value) }
    }

    mutating func relevanceOutOfRange(_ value: JSONValue) {
        note(
            .relevanceRange, value, "The relevance is outside 0 to 1 and does not count.",
            hint: "write a number from 0 to 1; only live activities may use others")
    }

    /// A time to live ends where it began to count: when the message was sent, if that is known.
    private mutating func settleExpiry() {
        guard expiresAt == nil, let ttl, let sentAt else { return }
        let (length, overflow) = ttl.multipliedReportingOverflow(by: 1000)
        let (end, more) = sentAt.milliseconds.addingReportingOverflow(length)
        guard !overflow, !more else { return }
        expiresAt = Instant(milliseconds: end)
        copyPlace(of: .ttl, to: .expiresAt)
    }

    /// Texts that people will read.
    private mutating func checkTexts() {
        for field in [MessageField.title, .subtitle, .body] {
            guard let text = self[field], let offset = offset(of: field) else { continue }
            if text.count == 15, text == JSONText("[object Object]") {
                lint.add(
                    .objectText, at: UInt32(truncatingIfNeeded: offset),
                    "This is what a program writes for an object that was not made text: the text is lost.",
                    hint: "send the text itself")
            } else if hasEscape(text) {
                lint.add(
                    .doubleEscaped, at: UInt32(truncatingIfNeeded: offset),
                    "The text holds a \\uXXXX escape that people will see as it is.",
                    hint: "escape the text once, or send it as plain UTF-8")
            }
        }
    }

    /// A backslash, `u` and four hexadecimal digits, as text.
    private func hasEscape(_ text: JSONText) -> Bool {
        let bytes = text.bytes
        guard let start = bytes.baseAddress, memchr(start, Int32(UInt8(ascii: "\\")), bytes.count) != nil, bytes.count >= 6
        else { return false }
        return (0...(bytes.count - 6)).contains { place in
            bytes[place] == UInt8(ascii: "\\") && bytes[place + 1] == UInt8(ascii: "u")
                && bytes[(place + 2)..<(place + 6)].allSatisfy(isHexDigit)
        }
    }

    private func isHexDigit(_ byte: UInt8) -> Bool {
        (byte >= 48 && byte <= 57) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66)
    }

    /// A silent push that also wants a badge or a sound: iOS may not apply them.
    private mutating func checkBackground() {
        guard contentAvailable, !hasAlert, badge != nil || sound != nil,
            let offset = offset(of: badge != nil ? .badge : .sound)
        else { return }
        lint.add(
            .backgroundWithBadge, at: UInt32(truncatingIfNeeded: offset),
            "A background push carries a badge or a sound, which iOS may leave out.",
            hint: "send the badge with an alert, or let the app set it when it wakes up")
    }

    /// Lists behind loc keys; where a list is JSON text it is read.
    mutating func locArguments(_ inner: inout InnerDocuments) -> LocArguments {
        guard loc.first != nil else { return LocArguments() }
        return LocArguments(
            title: list(loc.titleArguments, &inner), subtitle: list(loc.subtitleArguments, &inner),
            body: list(loc.bodyArguments, &inner))
    }

    private mutating func list(_ value: JSONValue?, _ inner: inout InnerDocuments) -> JSONValue? {
        guard let value, let text = value.text else { return value }
        if text.isEmpty { return nil }
        if let list = inner.value(of: text, at: value.offset), list.isArray { return list }
        wrongType(value, expected: "a list of texts, or a text that holds one as JSON")
        return nil
    }

    // MARK: the envelope and the document

    /// `id` and `time` of a CloudEvent; its subject stays in `raw`.
    mutating func readEnvelope(_ event: JSONValue) {
        ids.event = event.member(.id)
        if let time = event.member(.time) { offerTimestamp(time, as: .sentAt) }
        guard let data = event.member(.data) else {
            return note(.wrongType, event, "The event carries no message.", hint: "put the message into `data` as an object")
        }
        if !data.isObject { wrongType(data, expected: "the message as an object") }
    }

    /// Faults of the text that hide in the document: keys given twice, surrogates without their other half.
    mutating func lintDocument(_ document: JSONDocument, _ root: JSONValue) {
        guard document.hasShadowedMembers || document.hasReplacedSurrogates else { return }
        lintTree(root)
    }

    private mutating func lintTree(_ value: JSONValue) {
        for child in value.childrenWithShadowed {
            if child.isShadowed {
                note(
                    .duplicateKey, child, "The key is there again later; the last one counts.",
                    hint: "keep one of them")
                continue
            }
            if child.hasReplacedSurrogate {
                note(
                    .loneSurrogate, child, "The text has half a character in it; it became U+FFFD.",
                    hint: "send whole characters: both surrogates, or plain UTF-8")
            }
            lintTree(child)
        }
    }
}

struct LocArguments {
    var title, subtitle, body: JSONValue?
}
