// What a person is not to see or hear is taken out of a message that is written back: out of the places that the phone
// itself looks at. The sender's own data stays, also where the app's field map reads it.
//
// The facts about `aps` are Apple's: without `alert` a notification has nothing to show, without `sound` it is silent,
// and one with the interruption level `passive` goes to the list without lighting up the screen or playing a sound
// (https://developer.apple.com/documentation/usernotifications/generating-a-remote-notification and
// https://developer.apple.com/documentation/usernotifications/unnotificationinterruptionlevel/passive).
import JSONDocument

extension PayloadPlan {
    mutating func withhold(_ changes: ContentChanges) {
        let withheld = changes.withheld
        if withheld.isEmpty { return }
        if withheld.contains(.sound) { withholdSound() }
        if withheld.contains(.badge), changes.badge == nil { withholdBadge() }
        if withheld.contains(.text) {
            withholdTexts(changes)
        } else if withheld.contains(.banner) {
            lower()
        }
    }

    mutating func withholdSound() {
        switch format {
        case .fcmLegacy: edit.remove(home + [.key("notification"), .key("sound")])
        case .iosUserinfo: edit.remove(home + [.key("gcm.notification.sound")])
        case .fcmV1:
            for key in ["sound", "default_sound"] { edit.remove(home + [.key("android"), .key("notification"), .key(key)]) }
        case .apns, .cloudevent, .unknown: break
        }
        if let payloadPath { edit.remove(payloadPath + [.key("aps"), .key("sound")]) }
    }

    private mutating func withholdBadge() {
        switch format {
        case .fcmLegacy: edit.remove(home + [.key("notification"), .key("badge")])
        case .iosUserinfo: edit.remove(home + [.key("gcm.notification.badge")])
        case .fcmV1: edit.remove(home + [.key("android"), .key("notification"), .key("notification_count")])
        case .apns, .cloudevent, .unknown: break
        }
        if let payloadPath { edit.remove(payloadPath + [.key("aps"), .key("badge")]) }
    }

    /// Apple's level for the list alone. FCM's legacy format has no place for one.
    private mutating func lower() {
        guard let payloadPath, aps?.member(.interruptionLevel)?.text != JSONText("passive") else { return }
        edit.set(payloadPath + [.key("aps"), .key("interruption-level")], to: json("passive"))
    }

    private mutating func withholdTexts(_ changes: ContentChanges) {
        if let payloadPath { edit.remove(payloadPath + [.key("aps"), .key("alert")]) }
        switch format {
        case .fcmV1:
            edit.remove(home + [.key("notification")])
            let path = home + [.key("android"), .key("notification")]
            empty(block.member(.android)?.member(.notification), at: path, changes)
        case .fcmLegacy: empty(block.member(.notification), at: home + [.key("notification")], changes)
        case .iosUserinfo:
            for key in PayloadPlan.textKeys { edit.remove(home + [.key("gcm.notification.\(key)")]) }
        case .apns, .cloudevent, .unknown: break
        }
    }

    /// Takes the texts out of a notification, and all of it when nothing else is in it: an empty one is still shown by some.
    private mutating func empty(_ notification: JSONValue?, at path: Path, _ changes: ContentChanges) {
        guard let notification, notification.isObject else { return }
        let keepsSound = !changes.withheld.contains(.sound)
        let keepsBadge = changes.badge != nil || !changes.withheld.contains(.badge)
        let rest = notification.children.contains { member in
            switch member.key.string {
            case "sound", "default_sound": keepsSound
            case "badge", "notification_count": keepsBadge
            case let key: !PayloadPlan.textKeys.contains(key)
            }
        }
        let adds = format == .fcmLegacy && (changes.badge != nil || changes.category != nil || changes.sound != nil && keepsSound)
        guard rest || adds else { return edit.remove(path) }
        for key in PayloadPlan.textKeys { edit.remove(path + [.key(key)]) }
    }

    private static let textKeys = [
        "title", "title_loc_key", "title_loc_args", "subtitle", "subtitle_loc_key", "subtitle_loc_args", "body", "body_loc_key",
        "body_loc_args", "image", "ticker",
    ]
}
