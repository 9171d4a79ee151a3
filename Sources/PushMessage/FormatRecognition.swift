// Which format a message has, told by its shape alone. The first of the rules below that fits wins.
import JSONDocument

enum FormatRecognition {
    static func format(of root: JSONValue) -> MessageFormat {
        var seen = Shape()
        for member in root.children { seen.look(at: member) }
        if seen.hasSpecVersion, seen.hasType { return .cloudevent }
        if seen.hasFCMMark { return .iosUserinfo }
        if seen.hasAps || (seen.hasHeaders && seen.hasApsPayload) { return .apns }
        if seen.hasMessage || seen.hasTextTarget || (seen.hasCondition && seen.hasPlatformBlock) { return .fcmV1 }
        if seen.hasLegacyKey || seen.hasCondition || (seen.hasData && !seen.hasKeyOutsideLegacy) { return .fcmLegacy }
        return .unknown
    }
}

/// What the top level of a message shows.
private struct Shape {
    var hasSpecVersion = false
    var hasType = false
    var hasFCMMark = false
    var hasAps = false
    var hasHeaders = false
    var hasApsPayload = false
    var hasMessage = false
    var hasTextTarget = false
    var hasCondition = false
    var hasPlatformBlock = false
    var hasLegacyKey = false
    var hasData = false
    var hasKeyOutsideLegacy = false

    mutating func look(at member: JSONValue) {
        switch Word(of: member) {
        case .specversion:
            hasSpecVersion = member.isString
            hasKeyOutsideLegacy = true
        case .type:
            hasType = member.isString
            hasKeyOutsideLegacy = true
        case .from:
            if CustomContent.isSender(member) { hasFCMMark = true }
            hasKeyOutsideLegacy = true
        case .aps:
            hasAps = member.isObject
            hasKeyOutsideLegacy = true
        case .headers:
            hasHeaders = member.isObject
            hasKeyOutsideLegacy = true
        case .payload:
            hasApsPayload = member.member(.aps)?.isObject ?? false
            hasKeyOutsideLegacy = true
        case .message:
            hasMessage = isMessage(member)
            hasKeyOutsideLegacy = true
        case .token, .topic:
            if member.isString { hasTextTarget = true }
            hasKeyOutsideLegacy = true
        case .android, .apns, .webpush:
            hasPlatformBlock = true
            hasKeyOutsideLegacy = true
        case .condition: hasCondition = true
        case .to, .registrationIDs, .contentAvailableFCM, .mutableContentFCM: hasLegacyKey = true
        case .notification: if member.isObject { hasLegacyKey = true }
        case .data: hasData = member.isObject
        case .collapseKey, .priority, .timeToLive, .delayWhileIdle, .restrictedPackageName, .dryRun, .notificationKey,
            .directBootOK:
            break
        default:
            if member.hasFCMMark { hasFCMMark = true }
            hasKeyOutsideLegacy = true
        }
    }

    /// An object with a key of an FCM v1 message.
    private func isMessage(_ member: JSONValue) -> Bool {
        guard member.isObject else { return false }
        for key in member.children {
            switch Word(of: key) {
            case .token, .topic, .condition, .notification, .data, .android, .apns, .webpush, .fcmOptions: return true
            default: continue
            }
        }
        return false
    }
}
