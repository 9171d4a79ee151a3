// Messages as Apple's interface defines them: `aps` with custom keys beside it, and headers where they are known.
// FCM's messages hold the same blocks inside.
import JSONDocument

extension MessageDraft {
    /// `{"aps": …}`, or `{"headers": …, "payload": …}`. Custom keys are peers of `aps`.
    mutating func readApple(_ root: JSONValue) {
        var payload = root
        if root.member(.aps) == nil, let inner = root.member(.payload), inner.isObject {
            payload = inner
            if let headers = root.member(.headers) { readHeaders(headers) }
        }
        size.bytes = payload.sourceLength
        if self[.pushType] == JSONText("voip") { size.limit = PayloadSize.voip }
        readPayload(payload, .apple)
    }

    /// What an iOS app is handed: FCM's own keys and the flattened data stand beside `aps`.
    mutating func readUserInfo(_ root: JSONValue) {
        size.bytes = root.sourceLength
        readPayload(root, .userInfo)
    }

    /// The keys that FCM writes beside `aps`.
    private mutating func readFCMKeys(of payload: JSONValue) {
        for member in payload.children {
            switch Word(of: member) {
            case .from:
                if member.text?.begins(with: "/topics/") == true { offerTopic(member, prefixIsNormal: true) }
            case .fcmOptions: readImageOptions(member)
            case .gcmTitle: offerText(member, as: .title)
            case .gcmSubtitle: offerText(member, as: .subtitle)
            case .gcmBody: offerText(member, as: .body)
            case .gcmBadge: offerBadge(member)
            case .gcmSound: offerSound(member)
            case .gcmClickAction: offerText(member, as: .category)
            case .gcmTitleLocKey: loc.titleKey = loc.titleKey ?? locKey(member)
            case .gcmTitleLocArguments:
                loc.titleArguments = loc.titleArguments ?? locArguments(member, textToo: true)
            case .gcmSubtitleLocKey: loc.subtitleKey = loc.subtitleKey ?? locKey(member)
            case .gcmSubtitleLocArguments:
                loc.subtitleArguments = loc.subtitleArguments ?? locArguments(member, textToo: true)
            case .gcmBodyLocKey: loc.bodyKey = loc.bodyKey ?? locKey(member)
            case .gcmBodyLocArguments: loc.bodyArguments = loc.bodyArguments ?? locArguments(member, textToo: true)
            case .gcmTTL: offerSeconds(member)
            case .googleTimestamp: offerUnixSeconds(member, as: .sentAt)
            case .googleStart: offerWallTime(member, isStart: true)
            case .googleEnd: offerWallTime(member, isStart: false)
            default: continue
            }
        }
        if let image = payload.member(.gcmImage) { offerImage(image) }
    }

    /// A shape that nobody knows: custom keys are all there is.
    mutating func readUnknown(_ root: JSONValue) {
        size = PayloadSize(bytes: root.sourceLength)
        readPayload(root, .apple)
    }

    /// `aps` and what stands beside it.
    private mutating func readPayload(_ payload: JSONValue, _ style: CustomStyle) {
        content.peers = payload
        if let aps = payload.member(.aps) { readAps(aps, showsAlert: true) }
        scanCustomKeys(of: payload, style)
        readFCMKeys(of: payload)
    }

    mutating func readHeaders(_ headers: JSONValue) {
        guard headers.isObject else {
            if !headers.isNull { wrongType(headers, expected: "an object of headers") }
            return
        }
        for header in headers.children { offerHeader(header) }
    }

    /// - Parameter showsAlert: false for a phone that does not read Apple's alert.
    mutating func readAps(_ aps: JSONValue, showsAlert: Bool) {
        guard aps.isObject else {
            if !aps.isNull { wrongType(aps, expected: "an object") }
            return
        }
        for member in aps.children {
            switch Word(of: member) {
            case .alert: readAlert(member, isShown: showsAlert)
            case .badge: offerBadge(member)
            case .sound: offerSound(member)
            case .threadID: offerText(member, as: .thread)
            case .category: offerText(member, as: .category)
            case .contentAvailable: offerFlag(member, as: .contentAvailable)
            case .mutableContent: offerFlag(member, as: .mutableContent)
            case .targetContentID: offerText(member, as: .targetContentID)
            case .interruptionLevel: offerInterruptionLevel(member)
            case .relevanceScore: relevance = relevance ?? member
            case .filterCriteria: offerText(member, as: .filter)
            case .event: isLiveActivity = isLiveActivity || !member.isNull
            case .staleDate, .contentState, .timestamp, .dismissalDate, .attributesType, .attributes, .inputPushToken,
                .inputPushChannel, .urlArguments:
                break
            default: strayKey(member, in: .aps)
            }
        }
    }

    /// A text is the body alone; an object has parts. Nothing in it is no alert: iOS then treats the push as silent.
    private mutating func readAlert(_ alert: JSONValue, isShown: Bool) {
        var shows = false
        switch alert.kind {
        case .string:
            shows = alert.text?.isEmpty == false
            if isShown { offerText(alert, as: .body) }
        case .object: shows = readAlertParts(alert, isShown: isShown)
        case .null: break
        default: return wrongType(alert, expected: "text, or an object with title and body")
        }
        if !shows {
            note(.emptyAlert, alert, "The alert is there but shows nothing.", hint: "leave `alert` out, or give it a body")
        }
        if shows, isShown { hasAlert = true }
    }

    /// Whether any part has something to show.
    private mutating func readAlertParts(_ alert: JSONValue, isShown: Bool) -> Bool {
        var shows = false
        for part in alert.children {
            switch Word(of: part) {
            case .title: shows = readAlertText(part, as: .title, isShown) || shows
            case .subtitle: shows = readAlertText(part, as: .subtitle, isShown) || shows
            case .body: shows = readAlertText(part, as: .body, isShown) || shows
            case .titleLocKey: shows = readLocKey(part, \.titleKey, isShown) || shows
            case .subtitleLocKey: shows = readLocKey(part, \.subtitleKey, isShown) || shows
            case .locKey: shows = readLocKey(part, \.bodyKey, isShown) || shows
            case .titleLocArguments:
                if isShown { loc.titleArguments = loc.titleArguments ?? locArguments(part, textToo: false) }
            case .subtitleLocArguments:
                if isShown { loc.subtitleArguments = loc.subtitleArguments ?? locArguments(part, textToo: false) }
            case .locArguments:
                if isShown { loc.bodyArguments = loc.bodyArguments ?? locArguments(part, textToo: false) }
            case .launchImage, .actionLocKey, .action, .summaryArgument, .summaryArgumentCount: break
            default: strayKey(part, in: .alert)
            }
        }
        return shows
    }

    private mutating func readAlertText(_ part: JSONValue, as field: MessageField, _ isShown: Bool) -> Bool {
        if isShown || !part.isString { offerText(part, as: field) }
        return part.text?.isEmpty == false
    }

    private mutating func readLocKey(
        _ part: JSONValue, _ slot: WritableKeyPath<LocKeys, JSONValue?>, _ isShown: Bool
    ) -> Bool {
        guard let key = locKey(part) else { return false }
        if isShown, loc[keyPath: slot] == nil { loc[keyPath: slot] = key }
        return true
    }

    /// `fcm_options` as an iOS app sees it or as `apns` holds it: the picture.
    mutating func readImageOptions(_ options: JSONValue) {
        guard options.isObject else {
            if !options.isNull { wrongType(options, expected: "an object") }
            return
        }
        if let image = options.member(.image) { offerImage(image) }
    }
}
