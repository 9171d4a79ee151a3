// Finds, for each change of a decision, the places of a message that hold the field, and plans their edits. Made by
// Payload for one message; the texts stand in PayloadTexts.swift.
import JSONDocument

/// Finds the places of a message for each change.
struct PayloadPlan {
    typealias Path = [PayloadEdit.Step]

    var edit = PayloadEdit()
    let message: Message
    let format: MessageFormat
    let source: JSONText
    /// The message inside its envelopes.
    private(set) var home: Path = []
    private(set) var block: JSONValue
    /// The payload that holds `aps`; it may be missing.
    private(set) var payloadPath: Path?
    private(set) var aps: JSONValue?
    /// New texts by name, for places that repeat them.
    var changedTexts: [String: String] = [:]

    init(_ message: Message) {
        self.message = message
        format = message.reader.draft.inner
        source = message.reader.source
        block = message.raw
        openEnvelopes()
    }

    private mutating func openEnvelopes() {
        if message.format == .cloudevent {
            while FormatRecognition.format(of: block) == .cloudevent || home.isEmpty,
                let data = block.member(.data), data.isObject
            { enter(data, "data") }
        }
        switch format {
        case .apns:
            if block.member(.aps) == nil, let payload = block.member(.payload), payload.isObject { enter(payload, "payload") }
            payloadPath = home
            aps = block.member(.aps)
        case .iosUserinfo:
            payloadPath = home
            aps = block.member(.aps)
        case .fcmV1:
            if let inner = block.member(.message), inner.isObject { enter(inner, "message") }
            payloadPath = home + [.key("apns"), .key("payload")]
            aps = block.member(.apns)?.member(.payload)?.member(.aps)
        case .fcmLegacy, .cloudevent, .unknown: break
        }
    }

    private mutating func enter(_ value: JSONValue, _ key: String) {
        block = value
        home.append(.key(key))
    }

    mutating func apply(_ changes: ContentChanges) {
        withhold(changes)
        if !changes.withheld.contains(.text) { applyTexts(changes) }
        if let sound = changes.sound, !changes.withheld.contains(.sound) { applySound(sound) }
        if let badge = changes.badge { applyBadge(badge) }
        if let category = changes.category {
            applyText(category, .category, aps: "category", legacy: "click_action", userInfo: "gcm.notification.click_action")
        }
        if let thread = changes.thread { applyText(thread, .thread, aps: "thread-id") }
        if let level = changes.interruptionLevel, !changes.withheld.contains(.banner) {
            applyText(level, .interruptionLevel, aps: "interruption-level")
        }
        if let relevance = changes.relevance { applyRelevance(relevance) }
        if let attachments = changes.attachments, !changes.withheld.contains(.text) { applyPicture(attachments.first) }
    }

    // MARK: other fields

    /// A text that stands in `aps`, or where the other formats have it.
    private mutating func applyText(
        _ text: String, _ field: MessageField, aps key: String, legacy: String? = nil, userInfo: String? = nil
    ) {
        var isPlaced = replaceMapped(field, json(text))
        if let userInfo, format == .iosUserinfo, block[userInfo] != nil {
            edit.set(home + [.key(userInfo)], to: json(text))
            isPlaced = true
        }
        if format == .fcmLegacy {
            guard let legacy else { return }
            if block.member(.notification)?[legacy] != nil || !isPlaced {
                edit.set(home + [.key("notification"), .key(legacy)], to: json(text))
            }
        } else if let payloadPath, aps?[key] != nil || !isPlaced {
            edit.set(payloadPath + [.key("aps"), .key(key)], to: json(text))
        }
    }

    private mutating func applySound(_ name: String) {
        guard !name.isEmpty, name != "none" else { return withholdSound() }
        if replaceMapped(.sound, json(name)), aps?.member(.sound) == nil { return }
        var path: Path
        var current: JSONValue?
        if format == .fcmLegacy {
            path = home + [.key("notification"), .key("sound")]
            current = block.member(.notification)?.member(.sound)
        } else if format == .iosUserinfo, aps?.member(.sound) == nil, let gcm = block.member(.gcmSound) {
            path = home + [.key("gcm.notification.sound")]
            current = gcm
        } else if let payloadPath {
            path = payloadPath + [.key("aps"), .key("sound")]
            current = aps?.member(.sound)
        } else {
            return
        }
        if current?.isObject == true {
            edit.set(path + [.key("name")], to: json(name))
        } else {
            edit.set(path, to: json(name))
        }
        if format == .fcmV1, let android = block.member(.android)?.member(.notification), android.member(.sound) != nil {
            edit.set(home + [.key("android"), .key("notification"), .key("sound")], to: json(name))
        }
    }

    private mutating func applyBadge(_ badge: Int) {
        var isPlaced = replaceMapped(.badge, digits(badge, like: mappedValue(.badge)))
        if format == .iosUserinfo, let gcm = block.member(.gcmBadge) {
            edit.set(home + [.key("gcm.notification.badge")], to: digits(badge, like: gcm))
            isPlaced = true
        }
        if format == .fcmLegacy {
            let current = block.member(.notification)?.member(.badge)
            if current != nil || !isPlaced {
                edit.set(home + [.key("notification"), .key("badge")], to: digits(badge, like: current))
            }
        } else if let payloadPath, aps?.member(.badge) != nil || !isPlaced {
            edit.set(payloadPath + [.key("aps"), .key("badge")], to: digits(badge, like: nil))
        }
    }

    private mutating func applyRelevance(_ relevance: Double) {
        var writer = JSONWriter(reserving: 24)
        writer.decimal(relevance)
        let isPlaced = replaceMapped(.relevance, writer.bytes)
        guard let payloadPath, aps?.member(.relevanceScore) != nil || !isPlaced else { return }
        edit.set(payloadPath + [.key("aps"), .key("relevance-score")], to: writer.bytes)
    }

    /// The picture; nil takes it away. iOS fetches one only in the extension, which runs for mutable content.
    private mutating func applyPicture(_ url: String?) {
        var places: [(path: Path, value: JSONValue?)] = [
            (home + [.key("fcm_options"), .key("image")], block.member(.fcmOptions)?.member(.image))
        ]
        switch format {
        case .fcmV1:
            places += [
                (
                    home + [.key("apns"), .key("fcm_options"), .key("image")],
                    block.member(.apns)?.member(.fcmOptions)?.member(.image)
                ),
                (
                    home + [.key("apns"), .key("payload"), .key("fcm_options"), .key("image")],
                    block.member(.apns)?.member(.payload)?.member(.fcmOptions)?.member(.image)
                ),
                (home + [.key("notification"), .key("image")], block.member(.notification)?.member(.image)),
                (
                    home + [.key("android"), .key("notification"), .key("image")],
                    block.member(.android)?.member(.notification)?.member(.image)
                ),
            ]
        case .fcmLegacy:
            places = [(home + [.key("notification"), .key("image")], block.member(.notification)?.member(.image))]
        case .iosUserinfo: places.append((home + [.key("gcm.notification.image")], block.member(.gcmImage)))
        case .apns: break
        case .cloudevent, .unknown: places = []
        }
        guard let url else {
            for place in places where place.value != nil { edit.remove(place.path) }
            _ = replaceMapped(.image, Array("null".utf8))
            return
        }
        var isPlaced = replaceMapped(.image, json(url))
        for place in places where place.value != nil {
            edit.set(place.path, to: json(url))
            isPlaced = true
        }
        if !isPlaced { addPicture(url) }
        if !message.mutableContent { wakeExtension() }
    }

    private mutating func addPicture(_ url: String) {
        switch format {
        case .fcmV1 where block.member(.notification)?.isObject != true:
            edit.set(home + [.key("apns"), .key("fcm_options"), .key("image")], to: json(url))
        case .fcmV1, .fcmLegacy: edit.set(home + [.key("notification"), .key("image")], to: json(url))
        case .apns, .iosUserinfo: edit.set(home + [.key("fcm_options"), .key("image")], to: json(url))
        case .cloudevent, .unknown: break
        }
    }

    private mutating func wakeExtension() {
        if format == .fcmLegacy {
            edit.set(home + [.key("mutable_content")], to: Array("true".utf8))
        } else if let payloadPath {
            edit.set(payloadPath + [.key("aps"), .key("mutable-content")], to: Array("1".utf8))
        }
    }

    // MARK: places of a field map

    /// Replaces the value that the app's field map found; standard places are replaced by their own rules.
    mutating func replaceMapped(_ field: MessageField, _ json: [UInt8]) -> Bool {
        guard mappedValue(field) != nil, let path = mappedPath(field) else { return false }
        edit.set(path, to: json)
        return true
    }

    private func mappedValue(_ field: MessageField) -> JSONValue? {
        guard message.reader.draft.isMapped(field), let path = mappedPath(field) else { return nil }
        return path.reduce(Optional(message.raw)) { value, step in
            switch step {
            case .key(let key): value?[key]
            case .index(let index): value?[index]
            }
        }
    }

    private func mappedPath(_ field: MessageField) -> Path? {
        guard let offset = message.reader.draft.offset(of: field), !message.reader.draft.isInsideText(field) else { return nil }
        return RawPath.steps(toValueAt: offset, in: message.raw).map { step in
            switch step {
            case .key(let key): .key(key)
            case .index(let index): .index(index)
            }
        }
    }

    // MARK: JSON texts

    func json(_ text: String) -> [UInt8] {
        var writer = JSONWriter(reserving: text.utf8.count + 2)
        writer.string(text)
        return writer.bytes
    }

    /// A number, or text where the message has text.
    private func digits(_ number: Int, like current: JSONValue?) -> [UInt8] {
        current?.isString == true ? json(String(number)) : Array(String(number).utf8)
    }
}
