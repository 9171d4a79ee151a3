// Title, subtitle and body of a message that is written back: FCM repeats them in several blocks, and Apple has them
// as one text or as an object.
import JSONDocument

extension PayloadPlan {
    mutating func applyTexts(_ changes: ContentChanges) {
        let texts: [(field: MessageField, name: String, text: String)] = [
            (.title, "title", changes.title), (.subtitle, "subtitle", changes.subtitle), (.body, "body", changes.body),
        ].compactMap { field, name, text in text.map { (field, name, $0) } }
        guard !texts.isEmpty else { return }
        for (_, name, text) in texts { changedTexts[name] = text }
        var missing: [(name: String, text: String)] = []
        for (field, name, text) in texts {
            var isPlaced = replaceMapped(field, json(text))
            isPlaced = replaceText(name, text) || isPlaced
            if !isPlaced { missing.append((name, text)) }
        }
        addTexts(missing)
        splitPlainAlert(adding: missing)
    }

    /// Changes the text in every place that holds it. Whether there was one.
    private mutating func replaceText(_ name: String, _ text: String) -> Bool {
        var isPlaced = false
        if let payloadPath, let alert = aps?.member(.alert) {
            let path = payloadPath + [.key("aps"), .key("alert")]
            if alert.isObject {
                let locKeys = name == "body" ? ["loc-key", "loc-args"] : ["\(name)-loc-key", "\(name)-loc-args"]
                isPlaced = replace(name, text, in: alert, at: path, localisedBy: locKeys)
            } else if alert.text?.isEmpty == false, name == "body" {
                // As a plain text or, when another part joins it, in splitPlainAlert.
                edit.set(path, to: json(text))
                isPlaced = true
            }
        }
        // An Android phone does not see that one.
        if format == .fcmV1, message.platform == .android { isPlaced = false }
        switch format {
        case .fcmV1, .fcmLegacy:
            let locKeys = ["\(name)_loc_key", "\(name)_loc_args"]
            if let notification = block.member(.notification), notification.isObject {
                let path = home + [.key("notification")]
                isPlaced = replace(name, text, in: notification, at: path, localisedBy: locKeys) || isPlaced
            }
            if format == .fcmV1, let android = block.member(.android)?.member(.notification), android.isObject {
                let path = home + [.key("android"), .key("notification")]
                // An iPhone does not see that one.
                let isThere = replace(name, text, in: android, at: path, localisedBy: locKeys)
                if isThere, message.platform == .android { isPlaced = true }
            }
        case .iosUserinfo:
            let locKeys = ["gcm.notification.\(name)_loc_key", "gcm.notification.\(name)_loc_args"]
            isPlaced = replace("gcm.notification.\(name)", text, in: block, at: home, localisedBy: locKeys) || isPlaced
        case .apns, .cloudevent, .unknown: break
        }
        return isPlaced
    }

    /// Replaces a text, or the loc key that stands for it. Whether either was there.
    private mutating func replace(
        _ key: String, _ text: String, in object: JSONValue, at path: Path, localisedBy locKeys: [String]
    ) -> Bool {
        let isLocalised = locKeys.contains { object[$0].map { !$0.isNull } ?? false }
        guard isLocalised || object[key].map({ !$0.isNull }) ?? false else { return false }
        edit.set(path + [.key(key)], to: json(text))
        if isLocalised {
            for locKey in locKeys { edit.remove(path + [.key(locKey)]) }
        }
        return true
    }

    /// Adds texts that no place holds yet where the format has them.
    private mutating func addTexts(_ texts: [(name: String, text: String)]) {
        guard !texts.isEmpty else { return }
        for (name, text) in texts {
            switch format {
            case .fcmLegacy: edit.set(home + [.key("notification"), .key(name)], to: json(text))
            case .fcmV1 where name != "subtitle" && (message.platform == .android || aps?.member(.alert)?.isObject != true):
                edit.set(home + [.key("notification"), .key(name)], to: json(text))
            case .iosUserinfo where message.isCarrier:
                edit.set(home + [.key("gcm.notification.\(name)")], to: json(text))
            case .fcmV1, .iosUserinfo, .apns:
                guard let payloadPath, aps?.member(.alert)?.text?.isEmpty != false else { continue }
                edit.set(payloadPath + [.key("aps"), .key("alert"), .key(name)], to: json(text))
                if format == .fcmV1, aps?.member(.alert)?.isObject != true { keepNotificationBesideAlert() }
            case .cloudevent, .unknown: break
            }
        }
    }

    /// A new alert takes the place of the notification on iOS, so it repeats the notification's texts.
    private mutating func keepNotificationBesideAlert() {
        guard let payloadPath else { return }
        for name in ["title", "body"] {
            let own = block.member(.notification)?[name]?.text.map(\.string) ?? ""
            let text = changedTexts[name] ?? own
            guard !text.isEmpty else { continue }
            edit.set(payloadPath + [.key("aps"), .key("alert"), .key(name)], to: json(text))
        }
    }

    /// A plain text cannot take a title: it becomes an object, with the text as its body.
    private mutating func splitPlainAlert(adding missing: [(name: String, text: String)]) {
        guard let payloadPath, let alert = aps?.member(.alert), alert.text?.isEmpty == false,
            missing.contains(where: { $0.name != "body" }), !(format == .iosUserinfo && message.isCarrier)
        else { return }
        let parts = format == .fcmV1 ? missing.filter { $0.name == "subtitle" } : missing
        guard !parts.isEmpty else { return }
        var writer = JSONWriter(reserving: 128)
        writer.beginObject()
        for (name, text) in parts {
            writer.key(name)
            writer.string(text)
        }
        writer.key("body")
        if let body = changedTexts["body"] {
            writer.string(body)
        } else {
            writer.raw(source.slice(of: alert))
        }
        writer.endObject()
        edit.set(payloadPath + [.key("aps"), .key("alert")], to: writer.bytes)
    }
}
