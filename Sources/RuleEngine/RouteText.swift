// A route as JSON text: in a decision, and kept in state while it waits for `resume`.
import JSONDocument

enum RouteText {
    static func write(_ route: Route, into writer: inout JSONWriter) {
        writer.beginObject()
        DecisionWriter.text("url", route.url, into: &writer)
        DecisionWriter.text("tab", route.tab, into: &writer)
        if let path = route.path {
            writer.key("path")
            writer.beginArray()
            for step in path { writer.string(step) }
            writer.endArray()
        }
        if let mode = route.mode {
            writer.key("mode")
            writer.string(mode == .replace ? "replace" : "push" as StaticString)
        }
        DecisionWriter.text("account", route.account, into: &writer)
        if route.isPending {
            writer.key("pending")
            writer.bool(true)
        }
        DecisionWriter.text("reason", route.reason, into: &writer)
        DecisionWriter.text("rule", route.rule, into: &writer)
        writer.endObject()
    }

    static func json(_ route: Route) -> [UInt8] {
        var writer = JSONWriter(reserving: 128)
        write(route, into: &writer)
        return writer.bytes
    }

    /// nil when the text is no route.
    static func read(_ json: [UInt8]) -> Route? {
        let document = JSONDocument()
        do throws(JSONFault) {
            try document.read(json)
        } catch {
            return nil
        }
        return document.root.flatMap { read($0) }
    }

    /// nil when the value is no route.
    static func read(_ value: JSONValue) -> Route? {
        guard value.isObject else { return nil }
        var route = Route()
        route.url = value["url"]?.text?.string
        route.tab = value["tab"]?.text?.string
        if let path = value["path"], path.isArray { route.path = path.children.compactMap { $0.text?.string } }
        route.mode = value["mode"]?.text.flatMap { Route.Mode(rawValue: $0.string) }
        route.account = value["account"]?.text?.string
        route.reason = value["reason"]?.text?.string
        route.rule = value["rule"]?.text?.string
        return route
    }
}
