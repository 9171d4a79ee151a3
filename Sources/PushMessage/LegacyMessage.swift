// Messages as FCM's legacy interface took them, read as an iOS device would see them: many senders still write these.
import JSONDocument

extension MessageDraft {
    mutating func readLegacy(_ root: JSONValue, source: JSONText) {
        var notification, data: JSONValue?
        var targets = 0
        for member in root.children {
            switch Word(of: member) {
            case .to:
                targets += member.isNull ? 0 : 1
                readRecipient(member)
            case .registrationIDs:
                targets += member.isNull ? 0 : 1
                if !member.isArray, !member.isNull { wrongType(member, expected: "a list of tokens") }
            case .condition:
                targets += member.isNull ? 0 : 1
                size.limit = PayloadSize.fcmTopic
                offerCondition(member)
            case .contentAvailableFCM: offerFlag(member, as: .contentAvailable)
            case .mutableContentFCM: offerFlag(member, as: .mutableContent)
            case .collapseKey: offerText(member, as: .collapse)
            case .priority: offerPriority(member)
            case .timeToLive: offerTimeToLive(member)
            case .notification: notification = member
            case .data: data = member
            case .notificationKey, .delayWhileIdle, .restrictedPackageName, .dryRun, .directBootOK: break
            default: strayKey(member, in: .legacy)
            }
        }
        if targets == 0 {
            note(
                .targetMissing, root, "The message says nobody to send it to.",
                hint: "add `to`, `registration_ids` or `condition`")
        } else if targets > 1 {
            note(
                .targetConflict, root, "The message has \(targets) targets; FCM takes exactly one.",
                hint: "keep one of `to`, `registration_ids` and `condition`")
        }
        offerData(data, counts: true)
        if let notification { readLegacyNotification(notification) }
        size.bytes =
            (notification.map { PayloadSize.ofMembers(of: $0, source: source) } ?? 0)
            + (data.map { PayloadSize.ofMembers(of: $0, source: source) } ?? 0)
    }

    /// `to` is a topic when it says so, else a token, which is nobody's business here.
    private mutating func readRecipient(_ to: JSONValue) {
        guard let text = to.text else {
            if !to.isNull { wrongType(to, expected: "text") }
            return
        }
        guard text.begins(with: "/topics/") else { return }
        size.limit = PayloadSize.fcmTopic
        offerTopic(to, prefixIsNormal: true)
    }

    private mutating func readLegacyNotification(_ notification: JSONValue) {
        guard notification.isObject else {
            if !notification.isNull { wrongType(notification, expected: "an object with title and body") }
            return
        }
        var hasBadgeOrSound = false
        for member in notification.children {
            switch Word(of: member) {
            case .title: readNotificationText(member, as: .title, true)
            case .subtitle: readNotificationText(member, as: .subtitle, true)
            case .body: readNotificationText(member, as: .body, true)
            case .image: offerImage(member)
            case .badge:
                hasBadgeOrSound = true
                offerBadge(member, textIsRight: true)
            case .sound:
                hasBadgeOrSound = true
                offerSound(member)
            case .clickAction: offerText(member, as: .category)
            case .androidChannelID: offerText(member, as: .channel)
            case .titleLocKeyFCM: readNotificationKey(member, \.titleKey)
            case .titleLocArgumentsFCM: loc.titleArguments = locArguments(member, textToo: true)
            case .subtitleLocKeyFCM: readNotificationKey(member, \.subtitleKey)
            case .subtitleLocArgumentsFCM: loc.subtitleArguments = locArguments(member, textToo: true)
            case .bodyLocKeyFCM: readNotificationKey(member, \.bodyKey)
            case .bodyLocArgumentsFCM: loc.bodyArguments = locArguments(member, textToo: true)
            case .icon, .color, .tag: break
            default: strayKey(member, in: .legacyNotification)
            }
        }
        if !hasBadgeOrSound { checkShows(notification) }
    }
}
