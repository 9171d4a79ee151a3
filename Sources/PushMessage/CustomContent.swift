// The sender's own keys: what is worth noting about them, which of them have a meaning, and what of them the phone
// sees as `data`.
import JSONDocument

/// Where custom keys stand, for the writing of `data`.
struct CustomContent {
    /// FCM data: every value reaches the phone as text.
    var fcmData: JSONValue?
    /// `fcmData` can be shown as it is: only texts, no reserved key.
    var isFCMDataPlain = true
    /// An object whose own keys stand beside `aps` or FCM's; they keep their types and win over `fcmData`.
    var peers: JSONValue?
    var hasPeers = false
    /// Bits of the places in `LinkOrder.known` whose first key was seen.
    var linkPlaces: UInt16 = 0
    /// The message block that may hold `webpush`.
    var webpushHolder: JSONValue?

    var hasAny: Bool {
        if hasPeers { return true }
        guard let fcmData else { return false }
        if isFCMDataPlain { return fcmData.count > 0 }
        return fcmData.children.contains { CustomContent.isCustom($0) && !$0.isNull }
    }

    /// The key is the sender's own: neither Apple's nor FCM's.
    static func isCustom(_ member: JSONValue) -> Bool {
        switch Word(of: member) {
        case .aps: false
        case .from: !isSender(member)
        default: !member.hasFCMMark
        }
    }

    /// `from` as FCM writes it: a sender's number or a topic. Anything else is a custom key.
    static func isSender(_ from: JSONValue) -> Bool {
        if from.kind == .integer { return true }
        guard let text = from.text, !text.isEmpty else { return false }
        return text.begins(with: "/topics/") || text.bytes.allSatisfy { $0 >= 48 && $0 <= 57 }
    }
}

/// How a block holds custom keys.
enum CustomStyle {
    /// Beside `aps`: values keep their types.
    case apple
    /// Flattened by FCM: values should be texts.
    case userInfo
    /// In FCM's `data`: values must be texts.
    case fcmData
}

extension MessageDraft {
    /// Looks through a block's custom keys once.
    mutating func scanCustomKeys(of block: JSONValue, _ style: CustomStyle) {
        for member in block.children {
            let word = Word(of: member)
            switch word {
            case .other:
                if member.hasFCMMark {
                    scanReserved(member, style)
                    continue
                }
                if style != .fcmData, isAps(inOtherCapitals: member) {
                    note(.misspeltKey, member, "Keys are case-sensitive: this is not `aps`.", hint: "did you mean `aps`?")
                } else if member.key == JSONText("contentAvailable") || member.key == JSONText("mutableContent") {
                    strayFlag(member, style)
                }
            case .aps:
                if style == .fcmData { content.isFCMDataPlain = false }
                continue
            case .from where CustomContent.isSender(member):
                scanReserved(member, style)
                continue
            case .channel: offerCustomText(member, as: .channel, style)
            case .messageID: ids.messageID = ids.messageID ?? member
            case .link: content.linkPlaces |= 1
            case .url: content.linkPlaces |= 2
            case .deepLink: content.linkPlaces |= 4
            case .deeplink: content.linkPlaces |= 8
            case .brazeLink: content.linkPlaces |= 16
            case .custom, .customLink: content.linkPlaces |= 32
            case .customerIO, .customerIOPush, .customerIOLink: content.linkPlaces |= 64
            case .contentAvailable, .mutableContent, .contentAvailableFCM, .mutableContentFCM: strayFlag(member, style)
            default:
                if word.isFCMMark {
                    if word == .gcmAppLink { content.linkPlaces |= 128 }
                    scanReserved(member, style)
                    continue
                }
            }
            if style != .fcmData { content.hasPeers = content.hasPeers || !member.isNull }
            checkCustomValue(member, style)
        }
    }

    /// A key that only FCM writes.
    private mutating func scanReserved(_ member: JSONValue, _ style: CustomStyle) {
        switch Word(of: member) {
        case .gcmMessageID: ids.gcm = ids.gcm ?? member
        case .googleMessageID: ids.google = ids.google ?? member
        default: break
        }
        switch style {
        case .fcmData: content.isFCMDataPlain = false
        case .userInfo where Word(of: member) != .fcmOptions: checkCustomValue(member, style)
        case .userInfo, .apple: break
        }
    }

    /// Faults of data that another platform sees.
    mutating func lintData(_ data: JSONValue) {
        let seen = content
        for member in data.children { checkCustomValue(member, .fcmData) }
        content = seen
    }

    private mutating func checkCustomValue(_ member: JSONValue, _ style: CustomStyle) {
        if let text = member.text {
            checkObjectText(text, member)
            return
        }
        switch (style, member.isNull) {
        case (.apple, _): break
        case (.userInfo, true), (.fcmData, true):
            content.isFCMDataPlain = false
            note(.dataNull, member, "Data cannot hold null; the key is left out.", hint: "leave the key out or write \"\"")
        case (.fcmData, false):
            content.isFCMDataPlain = false
            note(
                .dataNotString, member, "FCM data holds texts only; this is \(member.kind.noun) and arrives as its JSON text.",
                hint: "put the value in quotes; an object or list as JSON text")
        case (.userInfo, false):
            note(
                .dataNotString, member, "FCM delivers texts only; this is \(member.kind.noun).",
                hint: "expect text here and read the number or object out of it")
        }
    }

    mutating func checkObjectText(_ text: JSONText, _ source: JSONValue) {
        if text.count == 15, text == JSONText("[object Object]") {
            note(
                .objectText, source, "This is what a program writes for an object that was not made JSON: the data is lost.",
                hint: "write the object with JSON.stringify")
        }
    }

    /// A text field from custom keys; FCM data is read as the phone sees it.
    private mutating func offerCustomText(_ member: JSONValue, as field: MessageField, _ style: CustomStyle) {
        if style == .fcmData, !member.isString {
            if let literal = member.literal { offer(literal, as: field, from: member) }
            return
        }
        offerText(member, as: field)
    }

    private func isAps(inOtherCapitals member: JSONValue) -> Bool {
        member.key.count == 3 && member.key.string.lowercased() == "aps"
    }

    /// content-available or mutable-content where they are custom keys without effect.
    private mutating func strayFlag(_ member: JSONValue, _ style: CustomStyle) {
        let isContent = member.key.bytes.first == UInt8(ascii: "c")
        let key = isContent ? "content-available" : "mutable-content"
        let home =
            switch (style, inner) {
            case (.fcmData, .fcmLegacy): isContent ? "`content_available` at the top level" : "`mutable_content` at the top level"
            case (.fcmData, _): "`apns.payload.aps.\(key)`"
            default: "`aps.\(key)`"
            }
        note(.misplacedKey, member, "Here this is a custom key without any effect.", hint: "it belongs to \(home)")
    }
}
