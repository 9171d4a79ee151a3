// Which keys each block of a message may have, and what somebody meant by one that it may not: a slip of a known key,
// a key that belongs somewhere else, or nothing that is known. Only looked at when a stray key is found.
import JSONDocument

/// A block of a message whose keys are not the sender's to choose.
enum Place: CaseIterable {
    case aps, alert, sound, headers
    case wrapper, message, notification, android, androidNotification, apnsBlock
    case legacy, legacyNotification

    var known: [Word] {
        switch self {
        case .aps:
            [
                .alert, .badge, .sound, .threadID, .category, .contentAvailable, .mutableContent, .targetContentID,
                .interruptionLevel, .relevanceScore, .filterCriteria, .staleDate, .contentState, .timestamp, .event,
                .dismissalDate, .attributesType, .attributes, .inputPushToken, .inputPushChannel, .urlArguments,
            ]
        case .alert:
            [
                .title, .subtitle, .body, .launchImage, .titleLocKey, .titleLocArguments, .subtitleLocKey,
                .subtitleLocArguments, .locKey, .locArguments, .actionLocKey, .action, .summaryArgument,
                .summaryArgumentCount,
            ]
        case .sound: [.critical, .name, .volume]
        case .headers:
            [
                .apnsID, .apnsExpiration, .apnsPriority, .apnsPushType, .apnsTopic, .apnsCollapseID, .apnsChannelID,
                .apnsRequestID, .apnsUniqueID, .authorization,
            ]
        case .wrapper: [.message, .validateOnly]
        case .message:
            [.token, .topic, .condition, .notification, .data, .android, .apns, .webpush, .fcmOptions, .name]
        case .notification: [.title, .body, .image]
        case .android:
            [
                .collapseKey, .priority, .ttl, .restrictedPackageName, .data, .notification, .fcmOptions, .directBootOK,
                .bandwidthConstrainedOK, .restrictedSatelliteOK,
            ]
        case .androidNotification:
            [
                .title, .body, .icon, .color, .sound, .tag, .clickAction, .bodyLocKeyFCM, .bodyLocArgumentsFCM,
                .titleLocKeyFCM, .titleLocArgumentsFCM, .channelID, .ticker, .sticky, .eventTime, .localOnly,
                .notificationPriority, .defaultSound, .defaultVibrateTimings, .defaultLightSettings, .vibrateTimings,
                .visibility, .notificationCount, .lightSettings, .image, .bypassProxyNotification, .proxy,
            ]
        case .apnsBlock: [.headers, .payload, .fcmOptions, .liveActivityToken]
        case .legacy:
            [
                .to, .registrationIDs, .condition, .notificationKey, .collapseKey, .priority, .contentAvailableFCM,
                .mutableContentFCM, .delayWhileIdle, .timeToLive, .restrictedPackageName, .dryRun, .directBootOK,
                .data, .notification,
            ]
        case .legacyNotification:
            [
                .title, .body, .subtitle, .sound, .badge, .clickAction, .icon, .color, .tag, .image, .androidChannelID,
                .titleLocKeyFCM, .titleLocArgumentsFCM, .subtitleLocKeyFCM, .subtitleLocArgumentsFCM, .bodyLocKeyFCM,
                .bodyLocArgumentsFCM,
            ]
        }
    }

    /// How a sentence names the block.
    var noun: String {
        switch self {
        case .aps: "`aps`"
        case .alert: "an alert"
        case .sound: "a sound"
        case .headers: "APNs headers"
        case .wrapper: "a request to FCM"
        case .message: "an FCM message"
        case .notification: "an FCM notification"
        case .android: "`android`"
        case .androidNotification: "`android.notification`"
        case .apnsBlock: "`apns`"
        case .legacy: "a legacy FCM message"
        case .legacyNotification: "a legacy FCM notification"
        }
    }

    /// Keys that people write here and that have their place elsewhere, with that place.
    var misplaced: [String: String] {
        switch self {
        case .aps:
            [
                "priority": "the header `apns-priority`", "apns-priority": "the headers", "apns-push-type": "the headers",
                "push-type": "the header `apns-push-type`", "apns-expiration": "the headers", "apns-id": "the headers",
                "apns-collapse-id": "the headers", "apns-topic": "the headers",
                "collapse-id": "the header `apns-collapse-id`", "collapse_key": "the header `apns-collapse-id`",
                "expiration": "the header `apns-expiration`", "ttl": "the header `apns-expiration`",
                "title": "`aps.alert.title`", "subtitle": "`aps.alert.subtitle`", "body": "`aps.alert.body`",
                "loc-key": "`aps.alert.loc-key`", "loc-args": "`aps.alert.loc-args`",
                "title-loc-key": "`aps.alert.title-loc-key`", "title-loc-args": "`aps.alert.title-loc-args`",
                "image": "`fcm_options.image`", "volume": "`aps.sound.volume`", "critical": "`aps.sound.critical`",
                "data": "a key beside `aps`", "fcm_options": "a key beside `aps`",
            ]
        case .alert:
            [
                "badge": "`aps.badge`", "sound": "`aps.sound`", "category": "`aps.category`",
                "thread-id": "`aps.thread-id`", "content-available": "`aps.content-available`",
                "mutable-content": "`aps.mutable-content`", "interruption-level": "`aps.interruption-level`",
                "relevance-score": "`aps.relevance-score`", "target-content-id": "`aps.target-content-id`",
                "image": "`fcm_options.image`", "data": "a key beside `aps`",
            ]
        case .sound: [:]
        case .headers: ["apns_topic": "`apns-topic`", "priority": "`apns-priority`"]
        case .wrapper:
            [
                "token": "`message.token`", "topic": "`message.topic`", "condition": "`message.condition`",
                "notification": "`message.notification`", "data": "`message.data`", "android": "`message.android`",
                "apns": "`message.apns`", "webpush": "`message.webpush`", "fcm_options": "`message.fcm_options`",
                "to": "`message.token`", "priority": "`message.android.priority`",
            ]
        case .message:
            [
                "to": "`token`", "registration_ids": "one message for each `token`", "aps": "`apns.payload.aps`",
                "headers": "`apns.headers`", "payload": "`apns.payload`", "content_available": contentAvailableV1,
                "mutable_content": mutableContentV1, "content-available": contentAvailableV1,
                "mutable-content": mutableContentV1, "contentAvailable": contentAvailableV1,
                "mutableContent": mutableContentV1,
                "priority": "`android.priority` and the header `apns-priority`",
                "collapse_key": "`android.collapse_key` and the header `apns-collapse-id`",
                "time_to_live": "`android.ttl` and the header `apns-expiration`",
                "ttl": "`android.ttl` and the header `apns-expiration`", "title": "`notification.title`",
                "body": "`notification.body`", "image": "`notification.image`",
                "validate_only": "a key beside `message`", "dry_run": "`validate_only` beside `message`",
                "badge": "`apns.payload.aps.badge`", "sound": "`apns.payload.aps.sound`",
            ]
        case .notification:
            [
                "subtitle": "`apns.payload.aps.alert.subtitle`", "badge": "`apns.payload.aps.badge`",
                "sound": "`apns.payload.aps.sound` and `android.notification.sound`",
                "click_action": "`apns.payload.aps.category` and `android.notification.click_action`",
                "icon": "`android.notification.icon`", "color": "`android.notification.color`",
                "tag": "`android.notification.tag`", "channel_id": "`android.notification.channel_id`",
                "android_channel_id": "`android.notification.channel_id`",
                "title_loc_key": "`apns.payload.aps.alert.title-loc-key` and `android.notification.title_loc_key`",
                "title_loc_args": "`apns.payload.aps.alert.title-loc-args` and `android.notification.title_loc_args`",
                "body_loc_key": "`apns.payload.aps.alert.loc-key` and `android.notification.body_loc_key`",
                "body_loc_args": "`apns.payload.aps.alert.loc-args` and `android.notification.body_loc_args`",
                "content_available": contentAvailableV1, "mutable_content": mutableContentV1,
                "content-available": contentAvailableV1, "mutable-content": mutableContentV1,
                "data": "`data` beside `notification`", "priority": "`android.priority`",
                "category": "`apns.payload.aps.category`", "thread-id": "`apns.payload.aps.thread-id`",
                "link": "`webpush.fcm_options.link`", "notification_count": "`android.notification.notification_count`",
            ]
        case .android:
            [
                "title": "`android.notification.title`", "body": "`android.notification.body`",
                "sound": "`android.notification.sound`", "icon": "`android.notification.icon`",
                "color": "`android.notification.color`", "tag": "`android.notification.tag`",
                "channel_id": "`android.notification.channel_id`", "image": "`android.notification.image`",
                "click_action": "`android.notification.click_action`", "time_to_live": "`android.ttl`",
                "content_available": contentAvailableV1, "mutable_content": mutableContentV1,
            ]
        case .androidNotification:
            [
                "priority": "`android.priority`, or `notification_priority` here", "data": "`android.data`",
                "ttl": "`android.ttl`", "badge": "`notification_count`", "android_channel_id": "`channel_id`",
                "subtitle": "`apns.payload.aps.alert.subtitle`", "collapse_key": "`android.collapse_key`",
            ]
        case .apnsBlock:
            [
                "aps": "`apns.payload.aps`", "apns-priority": "`apns.headers`", "apns-push-type": "`apns.headers`",
                "apns-expiration": "`apns.headers`", "apns-collapse-id": "`apns.headers`", "apns-id": "`apns.headers`",
                "apns-topic": "`apns.headers`", "alert": "`apns.payload.aps.alert`",
                "badge": "`apns.payload.aps.badge`", "sound": "`apns.payload.aps.sound`",
                "content-available": contentAvailableV1, "mutable-content": mutableContentV1,
            ]
        case .legacy:
            [
                "apns": v1Only, "android": v1Only, "webpush": v1Only, "message": v1Only, "fcm_options": v1Only,
                "token": "`to`", "topic": "`to`: \"/topics/…\"", "aps": "the APNs format", "ttl": "`time_to_live`",
                "title": "`notification.title`", "subtitle": "`notification.subtitle`", "body": "`notification.body`",
                "sound": "`notification.sound`", "badge": "`notification.badge`", "icon": "`notification.icon`",
                "color": "`notification.color`", "tag": "`notification.tag`", "image": "`notification.image`",
                "click_action": "`notification.click_action`", "title_loc_key": "`notification.title_loc_key`",
                "title_loc_args": "`notification.title_loc_args`", "body_loc_key": "`notification.body_loc_key`",
                "body_loc_args": "`notification.body_loc_args`",
                "android_channel_id": "`notification.android_channel_id`",
            ]
        case .legacyNotification:
            [
                "content_available": "`content_available` at the top level",
                "content-available": "`content_available` at the top level",
                "contentAvailable": "`content_available` at the top level",
                "mutable_content": "`mutable_content` at the top level",
                "mutable-content": "`mutable_content` at the top level",
                "mutableContent": "`mutable_content` at the top level", "priority": "`priority` at the top level",
                "data": "`data` at the top level", "collapse_key": "`collapse_key` at the top level",
                "time_to_live": "`time_to_live` at the top level", "channel_id": "`android_channel_id`",
                "category": "`click_action`",
            ]
        }
    }

    /// Slips that are too far from the key that was meant to be found by counting letters.
    var slips: [String: Word] {
        switch self {
        case .aps: ["message": .alert, "thread": .threadID, "relevance": .relevanceScore, "filter": .filterCriteria]
        case .alert:
            [
                "alert-loc-key": .actionLocKey, "body-loc-key": .locKey, "body-loc-args": .locArguments,
                "message": .body, "text": .body,
            ]
        default: [:]
        }
    }
}

private let contentAvailableV1 = "`apns.payload.aps.content-available`"
private let mutableContentV1 = "`apns.payload.aps.mutable-content`"
private let v1Only = "the FCM v1 format"

extension MessageDraft {
    /// Lint for a key that the block does not know.
    mutating func strayKey(_ member: JSONValue, in place: Place) {
        guard !lint.isFull else { return }
        let key = member.key.string
        if let home = place.misplaced[key] {
            note(.misplacedKey, member, "This key means nothing inside \(place.noun).", hint: "it belongs to \(home)")
            return
        }
        let known = place.known.map(\.rawValue)
        if let meant = place.slips[key]?.rawValue ?? DidYouMean.nearest(to: key, among: known) {
            note(
                .misspeltKey, member, "This key is not known inside \(place.noun) and does not count.",
                hint: "did you mean `\(meant)`?")
            return
        }
        note(
            .unknownKey, member, "This key is not known inside \(place.noun) and does not count.",
            hint: place == .aps || place == .alert ? "put your own keys beside `aps`" : "put your own keys into `data`")
    }
}
