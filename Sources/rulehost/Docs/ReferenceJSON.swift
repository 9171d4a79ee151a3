// Entries of the reference for programs.
import JSONDocument
import RuleReference

enum ReferenceJSON {
    /// `{"sections": […], "entries": […]}`
    static func bytes(sections: [Entry.Section], entries: [Entry]) -> [UInt8] {
        var json = JSONWriter(reserving: 65_536)
        json.beginObject()
        if !sections.isEmpty {
            json.key("sections")
            json.beginArray()
            for section in sections {
                json.beginObject()
                text("name", section.rawValue, &json)
                text("summary", section.summary, &json)
                json.endObject()
            }
            json.endArray()
        }
        json.key("entries")
        json.beginArray()
        for entry in entries { write(entry, &json) }
        json.endArray()
        json.endObject()
        return json.bytes
    }

    private static func write(_ entry: Entry, _ json: inout JSONWriter) {
        json.beginObject()
        text("name", entry.name, &json)
        text("section", entry.section.rawValue, &json)
        text("form", entry.form, &json)
        text("summary", entry.summary, &json)
        if !entry.details.isEmpty {
            json.key("details")
            json.beginArray()
            for detail in entry.details { json.string(detail) }
            json.endArray()
        }
        if !entry.facts.isEmpty {
            json.key("facts")
            json.beginObject()
            for fact in entry.facts {
                json.key(fact.word)
                json.string(fact.text)
            }
            json.endObject()
        }
        write(entry.example, &json)
        text("page", entry.page, &json)
        json.endObject()
    }

    private static func write(_ example: Example, _ json: inout JSONWriter) {
        if case .none = example { return }
        json.key("example")
        json.beginObject()
        switch example {
        case .value(let expression, let gives, let scene):
            text("lua", expression, &json)
            write(scene, &json)
            raw("gives", gives, &json)
        case .rules(let rules, let gives, let scene):
            text("rules", rules, &json)
            write(scene, &json)
            raw("gives", gives, &json)
        case .app(let app, let rules, let gives, let scene):
            text("app", app, &json)
            if !rules.isEmpty { text("rules", rules, &json) }
            write(scene, &json)
            raw("gives", gives, &json)
        case .message(let message): text("message", message, &json)
        case .journey(let message, let state, let isTapped, let gives):
            text("message", message, &json)
            text("state", state, &json)
            json.key("tap")
            json.bool(isTapped)
            json.key("gives")
            json.beginArray()
            for event in gives { json.string(event) }
            json.endArray()
        case .json(let value): text("json", value, &json)
        case .page(let kind, let value):
            text("kind", kind, &json)
            text("text", value, &json)
        case .none: break
        }
        json.endObject()
    }

    private static func write(_ scene: Example.Scene, _ json: inout JSONWriter) {
        if let strings = scene.strings { text("lib/strings/en.lua", strings, &json) }
        if let module = scene.module { text("lib/room.lua", module, &json) }
        if scene.event.hasPrefix("{") { raw("event", scene.event, &json) } else { text("event", scene.event, &json) }
        if let message = scene.message { raw("message", message, &json) }
        raw("device", scene.device, &json)
        if let state = scene.state { raw("state", state, &json) }
        text("now", scene.now, &json)
    }

    private static func text(_ key: StaticString, _ value: String, _ json: inout JSONWriter) {
        json.key(key)
        json.string(value)
    }

    /// JSON text of the description, without its white space.
    private static func raw(_ key: StaticString, _ value: String, _ json: inout JSONWriter) {
        json.key(key)
        let document = JSONDocument()
        do {
            try document.read(Array(value.utf8))
        } catch {
            return json.string(value)
        }
        if let root = document.root { json.value(root) } else { json.string(value) }
    }
}
