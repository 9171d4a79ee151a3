// Every key that the readers of the formats know, numbered, so that a key is compared by its number in the document
// and a block of keys is one switch. The raw value is the key's text.
import JSONDocument

/// The order of the cases is their number: `other` is 0, which is what a document gives to keys it does not know.
enum Word: String, CaseIterable {
    case other = ""

    // Apple: the payload
    case aps, headers, payload
    case alert, badge, sound, category, timestamp, event, attributes
    case threadID = "thread-id"
    case contentAvailable = "content-available"
    case mutableContent = "mutable-content"
    case targetContentID = "target-content-id"
    case interruptionLevel = "interruption-level"
    case relevanceScore = "relevance-score"
    case filterCriteria = "filter-criteria"
    case staleDate = "stale-date"
    case contentState = "content-state"
    case dismissalDate = "dismissal-date"
    case attributesType = "attributes-type"
    case inputPushToken = "input-push-token"
    case inputPushChannel = "input-push-channel"
    case urlArguments = "url-args"
    // Apple: the alert and the sound
    case title, subtitle, body, action, critical, name, volume
    case launchImage = "launch-image"
    case titleLocKey = "title-loc-key"
    case titleLocArguments = "title-loc-args"
    case subtitleLocKey = "subtitle-loc-key"
    case subtitleLocArguments = "subtitle-loc-args"
    case locKey = "loc-key"
    case locArguments = "loc-args"
    case actionLocKey = "action-loc-key"
    case summaryArgument = "summary-arg"
    case summaryArgumentCount = "summary-arg-count"
    // Apple: the headers
    case apnsID = "apns-id"
    case apnsExpiration = "apns-expiration"
    case apnsPriority = "apns-priority"
    case apnsPushType = "apns-push-type"
    case apnsTopic = "apns-topic"
    case apnsCollapseID = "apns-collapse-id"
    case apnsChannelID = "apns-channel-id"
    case apnsRequestID = "apns-request-id"
    case apnsUniqueID = "apns-unique-id"
    case authorization

    // FCM: the message
    case message, token, topic, condition, notification, data, android, apns, webpush
    case validateOnly = "validate_only"
    case liveActivityToken = "live_activity_token"
    case image
    case link
    case analyticsLabel = "analytics_label"
    // FCM: the Android block
    case priority, ttl
    case collapseKey = "collapse_key"
    case restrictedPackageName = "restricted_package_name"
    case directBootOK = "direct_boot_ok"
    case bandwidthConstrainedOK = "bandwidth_constrained_ok"
    case restrictedSatelliteOK = "restricted_satellite_ok"
    // FCM: the notification of Android and of the legacy interface
    case icon, color, tag, ticker, sticky, visibility, proxy
    case clickAction = "click_action"
    case titleLocKeyFCM = "title_loc_key"
    case titleLocArgumentsFCM = "title_loc_args"
    case subtitleLocKeyFCM = "subtitle_loc_key"
    case subtitleLocArgumentsFCM = "subtitle_loc_args"
    case bodyLocKeyFCM = "body_loc_key"
    case bodyLocArgumentsFCM = "body_loc_args"
    case channelID = "channel_id"
    case androidChannelID = "android_channel_id"
    case eventTime = "event_time"
    case localOnly = "local_only"
    case notificationPriority = "notification_priority"
    case defaultSound = "default_sound"
    case defaultVibrateTimings = "default_vibrate_timings"
    case defaultLightSettings = "default_light_settings"
    case vibrateTimings = "vibrate_timings"
    case notificationCount = "notification_count"
    case lightSettings = "light_settings"
    case bypassProxyNotification = "bypass_proxy_notification"
    // FCM: the legacy interface
    case to
    case registrationIDs = "registration_ids"
    case notificationKey = "notification_key"
    case contentAvailableFCM = "content_available"
    case mutableContentFCM = "mutable_content"
    case timeToLive = "time_to_live"
    case delayWhileIdle = "delay_while_idle"
    case dryRun = "dry_run"

    // CloudEvents
    case specversion, type, time, id

    // What an iOS app sees of FCM. From here to `googleTimestamp` a key is a mark of ios-userinfo.
    case fcmOptions = "fcm_options"
    case gcms
    case gcmMessageID = "gcm.message_id"
    case gcmTTL = "gcm.ttl"
    case gcmAppLink = "gcm.app_link"
    case gcmTitle = "gcm.notification.title"
    case gcmSubtitle = "gcm.notification.subtitle"
    case gcmBody = "gcm.notification.body"
    case gcmImage = "gcm.notification.image"
    case gcmBadge = "gcm.notification.badge"
    case gcmSound = "gcm.notification.sound"
    case gcmClickAction = "gcm.notification.click_action"
    case gcmTitleLocKey = "gcm.notification.title_loc_key"
    case gcmTitleLocArguments = "gcm.notification.title_loc_args"
    case gcmSubtitleLocKey = "gcm.notification.subtitle_loc_key"
    case gcmSubtitleLocArguments = "gcm.notification.subtitle_loc_args"
    case gcmBodyLocKey = "gcm.notification.body_loc_key"
    case gcmBodyLocArguments = "gcm.notification.body_loc_args"
    case googleMessageID = "google.message_id"
    case googleStart = "google.c.cm.lt_start"
    case googleEnd = "google.c.cm.lt_end"
    case googleTimestamp = "google.c.a.ts"

    // Custom keys with a meaning
    case from, channel, url
    case messageID = "message_id"
    case deepLink = "deep_link"
    case deeplink
    case brazeLink = "ab_uri"
    case custom
    case customLink = "custom.u"
    case customerIO = "CIO"
    case customerIOPush = "CIO.push"
    case customerIOLink = "CIO.push.link"

    /// The words in their order, without `other`: what the documents of messages number keys by.
    static let vocabulary = JSONVocabulary(allCases.dropFirst().map(\.rawValue))

    private static let last = customerIOLink

    /// The word that a member's key is.
    @inline(__always) init(of member: JSONValue) {
        let id = member.keyID
        guard id <= UInt16(unsafeBitCast(Word.last, to: UInt8.self)) else {
            self = .other
            return
        }
        // An enum without payloads and with fewer than 256 cases is one byte: the number of its case.
        self = unsafeBitCast(UInt8(truncatingIfNeeded: id), to: Word.self)
    }

    private var number: UInt8 { unsafeBitCast(self, to: UInt8.self) }

    /// A known key that only FCM writes into what an iOS app sees.
    var isFCMMark: Bool {
        number >= unsafeBitCast(Word.fcmOptions, to: UInt8.self)
            && number <= unsafeBitCast(Word.googleTimestamp, to: UInt8.self)
    }
}

extension JSONValue {
    /// The key begins with `gcm.` or `google.`, or is one of FCM's other own keys.
    var hasFCMMark: Bool {
        let word = Word(of: self)
        if word != .other { return word.isFCMMark }
        let key = key
        guard key.bytes.first == UInt8(ascii: "g") else { return false }
        return key.begins(with: "gcm.") || key.begins(with: "google.")
    }

    /// A member by its word.
    func member(_ word: Word) -> JSONValue? {
        for member in children where Word(of: member) == word { return member }
        return nil
    }
}

extension JSONText {
    func begins(with prefix: StaticString) -> Bool {
        count >= prefix.utf8CodeUnitCount
            && prefix.withUTF8Buffer { prefix in bytes.prefix(prefix.count).elementsEqual(prefix) }
    }

    /// The text without its first bytes.
    func dropping(_ length: Int) -> JSONText {
        JSONText(start: bytes.baseAddress.map { $0 + min(length, count) }, count: max(0, count - length))
    }
}
