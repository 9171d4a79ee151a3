// A happening as a line of traffic: the message in the form in which it was sent, and the phone.
import CivilTime
import JSONDocument
import PushMessage
import RuleLab

enum LineText {
    static func line(app: String, at: Instant, _ person: Person, _ happening: Happening) -> [UInt8] {
        let device = device(person, happening.phone)
        switch happening.kind {
        case .resume: return TrafficWriter.line(at: at, app: app, event: Array("\"resume\"".utf8), device: device)
        case .settings(let offers):
            let event = "{\"name\":\"settings\",\"changed\":{\"channels\":{\"offers\":\(offers)}}}"
            return TrafficWriter.line(at: at, app: app, event: Array(event.utf8), device: device)
        case .message(let push): return TrafficWriter.line(at: at, app: app, message: message(push, person), device: device)
        }
    }

    private static func device(_ person: Person, _ phone: Phone) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        text("recipient", person.id, &writer)
        text("state", phone.state.rawValue, &writer)
        writer.key("os")
        writer.beginObject()
        text("name", person.isAndroid ? "android" : "ios", &writer)
        text("version", person.osVersion, &writer)
        writer.endObject()
        if person.permission != "authorized" { text("permission", person.permission, &writer) }
        if !person.wantsPush { flag("app_push", false, &writer) }
        if !person.wantsOffers {
            writer.key("channels")
            writer.beginObject()
            flag("offers", false, &writer)
            writer.endObject()
        }
        if let tab = phone.tab {
            writer.key("screen")
            writer.beginObject()
            text("tab", tab, &writer)
            if let room = phone.room {
                writer.key("path")
                writer.beginArray()
                writer.string(room)
                writer.endArray()
            }
            writer.endObject()
        }
        if let badge = phone.badge {
            writer.key("badge")
            writer.integer(badge)
        }
        text("locale", person.language.locale, &writer)
        text("timezone", person.zone.name, &writer)
        if phone.isTapped { flag("tap", true, &writer) }
        writer.endObject()
        return writer.bytes
    }

    private static func message(_ push: Push, _ person: Person) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        switch push.form {
        case .fcm, .dataOnly, .silent: fcm(push, isAndroid: person.isAndroid, &writer)
        case .userInfo:
            aps(push, &writer)
            text("gcm.message_id", push.id, &writer)
            data(push, &writer)
        case .apple:
            writer.key("headers")
            writer.beginObject()
            text("apns-id", push.id, &writer)
            text("apns-priority", "10", &writer)
            text("apns-push-type", "alert", &writer)
            writer.endObject()
            writer.key("payload")
            writer.beginObject()
            aps(push, &writer)
            data(push, &writer)
            writer.endObject()
        }
        writer.endObject()
        return writer.bytes
    }

    private static func fcm(_ push: Push, isAndroid: Bool, _ writer: inout JSONWriter) {
        writer.key("message")
        writer.beginObject()
        text("token", "token", &writer)
        if push.form == .fcm {
            writer.key("notification")
            writer.beginObject()
            text("title", push.title, &writer)
            text("body", push.body, &writer)
            writer.endObject()
        }
        writer.key("data")
        writer.beginObject()
        text("message_id", push.id, &writer)
        data(push, &writer)
        if push.form == .dataOnly {
            text("title", push.title, &writer)
            text("body", push.body, &writer)
        }
        writer.endObject()
        if !isAndroid {
            writer.key("apns")
            writer.beginObject()
            writer.key("headers")
            writer.beginObject()
            text("apns-id", push.id, &writer)
            writer.endObject()
            writer.key("payload")
            writer.beginObject()
            writer.key("aps")
            writer.beginObject()
            if push.form == .silent {
                writer.key("content-available")
                writer.integer(1)
            } else {
                text("sound", "default", &writer)
            }
            writer.endObject()
            writer.endObject()
            writer.endObject()
        }
        writer.endObject()
    }

    private static func aps(_ push: Push, _ writer: inout JSONWriter) {
        writer.key("aps")
        writer.beginObject()
        writer.key("alert")
        writer.beginObject()
        text("title", push.title, &writer)
        text("body", push.body, &writer)
        writer.endObject()
        text("sound", "default", &writer)
        writer.endObject()
    }

    /// What the app itself reads.
    private static func data(_ push: Push, _ writer: inout JSONWriter) {
        text("channel", push.channel.rawValue, &writer)
        if let room = push.room { text("chat_id", room, &writer) }
    }

    private static func text(_ key: String, _ value: String, _ writer: inout JSONWriter) {
        writer.key(key)
        writer.string(value)
    }

    private static func flag(_ key: StaticString, _ value: Bool, _ writer: inout JSONWriter) {
        writer.key(key)
        writer.bool(value)
    }
}
