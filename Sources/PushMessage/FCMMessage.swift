// Messages as FCM's v1 interface takes them: `{"message": …}` or the inside alone.
import JSONDocument

extension MessageDraft {
    mutating func readFCM(_ root: JSONValue, source: JSONText) {
        var message = root
        if let inner = root.member(.message), inner.isObject {
            message = inner
            for member in root.children where !member.isSame(as: inner) {
                if Word(of: member) != .validateOnly { strayKey(member, in: .wrapper) }
            }
        }
        let blocks = readBlocks(of: message)
        if let apns = blocks.apns { readApns(apns) }
        readData(of: blocks)
        if let android = blocks.android { readAndroid(android) }
        if let notification = blocks.notification { readNotification(notification) }
        if let options = blocks.options { readImageOptions(options) }
        if let webpush = blocks.webpush {
            content.webpushHolder = message
            content.linkPlaces |= 256
            if !webpush.isObject, !webpush.isNull { wrongType(webpush, expected: "an object") }
        }
        size.bytes =
            (blocks.notification.map { PayloadSize.ofMembers(of: $0, source: source) } ?? 0)
            + (blocks.data.map { PayloadSize.ofMembers(of: $0, source: source) } ?? 0)
    }

    private struct Blocks {
        var notification, data, android, apns, webpush, options: JSONValue?
    }

    /// Finds the message's blocks and reads whom it is for: exactly one of token, topic and condition.
    private mutating func readBlocks(of message: JSONValue) -> Blocks {
        var blocks = Blocks()
        var targets = 0
        for member in message.children {
            switch Word(of: member) {
            case .notification: blocks.notification = member
            case .data: blocks.data = member
            case .android: blocks.android = member
            case .apns: blocks.apns = member
            case .webpush: blocks.webpush = member
            case .fcmOptions: blocks.options = member
            case .token:
                targets += member.isNull ? 0 : 1
                if !member.isString, !member.isNull { wrongType(member, expected: "text") }
            case .topic:
                targets += member.isNull ? 0 : 1
                size.limit = PayloadSize.fcmTopic
                offerTopic(member, prefixIsNormal: false)
            case .condition:
                targets += member.isNull ? 0 : 1
                size.limit = PayloadSize.fcmTopic
                offerCondition(member)
            case .name: break
            default: strayKey(member, in: .message)
            }
        }
        if targets == 0 {
            note(
                .targetMissing, message, "The message says nobody to send it to.",
                hint: "add one of token, topic and condition")
        } else if targets > 1 {
            note(
                .targetConflict, message, "The message has \(targets) targets; FCM takes exactly one.",
                hint: "keep one of token, topic and condition")
        }
        return blocks
    }

    private mutating func readApns(_ apns: JSONValue) {
        guard apns.isObject else {
            if !apns.isNull { wrongType(apns, expected: "an object") }
            return
        }
        for member in apns.children {
            switch Word(of: member) {
            case .headers: readHeaders(member)
            case .payload: readApnsPayload(member)
            case .fcmOptions, .liveActivityToken: break
            default: strayKey(member, in: .apnsBlock)
            }
        }
        guard platform == .ios else { return }
        if let options = apns.member(.fcmOptions) { readImageOptions(options) }
        // Some write it where the phone will see it.
        if let options = apns.member(.payload)?.member(.fcmOptions) { readImageOptions(options) }
    }

    private mutating func readApnsPayload(_ payload: JSONValue) {
        guard payload.isObject else {
            if !payload.isNull { wrongType(payload, expected: "an object") }
            return
        }
        if let aps = payload.member(.aps) { readAps(aps, showsAlert: platform == .ios) }
        guard platform == .ios else { return }
        content.peers = payload
        scanCustomKeys(of: payload, .apple)
    }

    /// `android.data` replaces `data` on Android; elsewhere it is only looked through for faults.
    private mutating func readData(of blocks: Blocks) {
        let androidData = blocks.android?.member(.data)
        let replaces = platform == .android && androidData?.isObject == true
        offerData(blocks.data, counts: !replaces)
        offerData(androidData, counts: replaces)
    }

    /// - Parameter counts: whether this phone sees the block.
    mutating func offerData(_ data: JSONValue?, counts: Bool) {
        guard let data, !data.isNull else { return }
        guard data.isObject else { return wrongType(data, expected: "an object of texts") }
        if counts {
            content.fcmData = data
            scanCustomKeys(of: data, .fcmData)
        } else {
            lintData(data)
        }
    }

    private mutating func readAndroid(_ android: JSONValue) {
        guard android.isObject else {
            if !android.isNull { wrongType(android, expected: "an object") }
            return
        }
        for member in android.children {
            switch Word(of: member) {
            case .collapseKey: offerText(member, as: .collapse)
            case .priority: offerPriority(member)
            case .ttl: offerDuration(member)
            case .notification: readAndroidNotification(member)
            case .fcmOptions:
                if !member.isObject, !member.isNull { wrongType(member, expected: "an object") }
            case .data, .restrictedPackageName, .directBootOK, .bandwidthConstrainedOK, .restrictedSatelliteOK: break
            default: strayKey(member, in: .android)
            }
        }
    }

    private mutating func readAndroidNotification(_ notification: JSONValue) {
        guard notification.isObject else {
            if !notification.isNull { wrongType(notification, expected: "an object") }
            return
        }
        let isShown = platform == .android
        for member in notification.children {
            switch Word(of: member) {
            case .channelID: offerText(member, as: .channel)
            case .title: readNotificationText(member, as: .title, isShown)
            case .body: readNotificationText(member, as: .body, isShown)
            case .image: if isShown { offerImage(member) }
            case .titleLocKeyFCM: if isShown { readNotificationKey(member, \.titleKey) }
            case .bodyLocKeyFCM: if isShown { readNotificationKey(member, \.bodyKey) }
            case .titleLocArgumentsFCM:
                if isShown { loc.titleArguments = loc.titleArguments ?? locArguments(member, textToo: false) }
            case .bodyLocArgumentsFCM:
                if isShown { loc.bodyArguments = loc.bodyArguments ?? locArguments(member, textToo: false) }
            case .icon, .color, .sound, .tag, .clickAction, .ticker, .sticky, .eventTime, .localOnly,
                .notificationPriority, .defaultSound, .defaultVibrateTimings, .defaultLightSettings, .vibrateTimings,
                .visibility, .notificationCount, .lightSettings, .bypassProxyNotification, .proxy:
                break
            default: strayKey(member, in: .androidNotification)
            }
        }
    }

    private mutating func readNotification(_ notification: JSONValue) {
        guard notification.isObject else {
            if !notification.isNull { wrongType(notification, expected: "an object with title and body") }
            return
        }
        for member in notification.children {
            switch Word(of: member) {
            case .title: readNotificationText(member, as: .title, true)
            case .body: readNotificationText(member, as: .body, true)
            case .image: offerImage(member)
            default: strayKey(member, in: .notification)
            }
        }
        checkShows(notification)
    }

    mutating func readNotificationText(_ member: JSONValue, as field: MessageField, _ isShown: Bool) {
        guard isShown || !member.isString else { return }
        offerText(member, as: field)
        if member.text?.isEmpty == false { hasAlert = true }
    }

    mutating func readNotificationKey(_ member: JSONValue, _ slot: WritableKeyPath<LocKeys, JSONValue?>) {
        guard let key = locKey(member) else { return }
        if loc[keyPath: slot] == nil { loc[keyPath: slot] = key }
        hasAlert = true
    }

    /// A notification without text, unless an alert elsewhere has some.
    mutating func checkShows(_ notification: JSONValue) {
        guard !hasAlert else { return }
        note(
            .emptyAlert, notification, "The notification is there but shows nothing.",
            hint: "leave it out, or give it a body")
    }
}
