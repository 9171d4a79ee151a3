// The description of all routes as OpenAPI 3.1, written from the table that leads requests: it cannot say anything else than what
// is done. The shapes of devices and decisions are the schemas of RuleReference.
import HTTPServer
import JSONDocument
import RuleReference

enum OpenAPIDocument {
    static func bytes(of routes: [Route]) -> [UInt8] {
        var writing = Writing()
        return writing.document(routes)
    }

    private struct Writing: ~Copyable {
        private var json = JSONWriter(reserving: 32_768)

        mutating func document(_ routes: [Route]) -> [UInt8] {
            json.beginObject()
            text("openapi", "3.1.0")
            object("info") { writing in
                writing.text("title", "rulehost")
                writing.text("summary", "Decides what a push message does on a phone")
                writing.text("version", "1")
            }
            json.key("servers")
            json.beginArray()
            json.beginObject()
            text("url", "/")
            json.endObject()
            json.endArray()
            object("paths") { writing in
                var written: Set<String> = []
                for route in routes where written.insert(route.path.template).inserted {
                    writing.object(route.path.template) { writing in
                        for route in routes.filter({ $0.path.template == route.path.template }) { writing.operation(route) }
                    }
                }
            }
            object("components") { writing in
                writing.object("schemas") { writing in
                    for (name, schema) in OpenAPISchemas.all {
                        writing.json.key(name)
                        writing.json.raw(schema)
                    }
                }
                writing.object("securitySchemes") { writing in
                    writing.object("token") { writing in
                        writing.text("type", "http")
                        writing.text("scheme", "bearer")
                        writing.text("description", "Where the host has tokens; without them nobody need say who he is")
                    }
                }
            }
            json.endObject()
            return json.bytes
        }

        private mutating func operation(_ route: Route) {
            object(route.method.rawValue.lowercased()) { writing in
                writing.text("operationId", route.name)
                writing.text("summary", route.summary)
                writing.text("x-role", route.role.rawValue)
                writing.parameters(of: route)
                if route.role != .anybody { writing.security() }
                if case .nothing = route.body {
                } else {
                    writing.object("requestBody") { writing in
                        writing.json.key("required")
                        // A stream without a line is one.
                        if case .lines = route.body { writing.json.bool(false) } else { writing.json.bool(route.bodyIsNeeded) }
                        writing.content(route.body)
                    }
                }
                writing.object("responses") { writing in
                    for status in route.successes {
                        writing.object("\(status)") { writing in
                            writing.text("description", status == 304 ? "What is known is right" : "Done")
                            if status == 200 || status == 201 { writing.content(route.answer) }
                        }
                    }
                    for status in Set(route.problems + Writing.everywhere(route)).sorted() {
                        writing.object("\(status)") { writing in
                            writing.text("description", "Why not")
                            writing.object("content") { writing in
                                if status == 503, route.tells503 { writing.contents(route.answer) }
                                writing.contents("application/problem+json", schema: "Problem")
                            }
                        }
                    }
                }
            }
        }

        /// Statuses that come before the route is reached.
        private static func everywhere(_ route: Route) -> [Int] {
            let token = route.role == .anybody ? [] : [401, 429]
            if case .nothing = route.body { return [400, 403, 503] + token }
            return [400, 403, 408, 413, 503] + token
        }

        /// A token, or none where the host has none.
        private mutating func security() {
            json.key("security")
            json.beginArray()
            json.beginObject()
            json.key("token")
            json.beginArray()
            json.endArray()
            json.endObject()
            json.beginObject()
            json.endObject()
            json.endArray()
        }

        private mutating func parameters(of route: Route) {
            json.key("parameters")
            json.beginArray()
            for name in route.path.names {
                parameter(name, in: "path", summary: OpenAPISchemas.summary(ofName: name)) {
                    $0.text("type", "string"); $0.text("pattern", OpenAPISchemas.pattern(ofName: name))
                }
            }
            for query in route.query {
                parameter(query.name, in: "query", summary: query.summary) { writing in
                    switch query.kind {
                    case .flag:
                        writing.text("type", "string")
                        writing.words("enum", ["1", "true", "0", "false"])
                    case .oneOf(let words):
                        writing.text("type", "string")
                        writing.words("enum", words)
                    case .number(let range):
                        writing.text("type", "integer")
                        writing.number("minimum", range.lowerBound)
                        writing.number("maximum", range.upperBound)
                    case .text(let most):
                        writing.text("type", "string")
                        writing.text("pattern", #"^[^\x00-\x1f\x7f]*$"#)
                        writing.number("maxLength", most / 4)
                    }
                }
            }
            for field in route.fields {
                parameter(field.name, in: "header", summary: field.summary) { writing in
                    writing.text("type", "string")
                    if !field.words.isEmpty { return writing.words("enum", field.words) }
                    guard let most = field.most else { return }
                    writing.number("minLength", 1)
                    writing.number("maxLength", most)
                }
            }
            json.endArray()
        }

        private mutating func parameter(_ name: String, in place: String, summary: String?, _ schema: (inout Writing) -> Void) {
            json.beginObject()
            text("name", name)
            text("in", place)
            if let summary { text("description", summary) }
            if place == "path" {
                json.key("required")
                json.bool(true)
            }
            object("schema", schema)
            json.endObject()
        }

        private mutating func content(_ form: Route.Form) { object("content") { $0.contents(form) } }

        private mutating func contents(_ form: Route.Form) {
            switch form {
            case .json(let schema): contents("application/json", schema: schema)
            case .lines(let schema): contents("application/x-ndjson", schema: schema)
            case .events: contents("text/event-stream", schema: nil)
            case .text(let type): contents(type, schema: nil)
            case .bytes(let type): contents(type, schema: nil, format: "binary")
            case .nothing: break
            }
        }

        private mutating func contents(_ type: String, schema: String?, format: String? = nil) {
            object(type) { writing in
                writing.object("schema") { writing in
                    if let schema { return writing.text("$ref", "#/components/schemas/\(schema)") }
                    writing.text("type", "string")
                    if let format { writing.text("format", format) }
                }
            }
        }

        // MARK: pieces

        private mutating func object(_ key: String, _ body: (inout Writing) -> Void) {
            json.key(key)
            json.beginObject()
            body(&self)
            json.endObject()
        }

        private mutating func text(_ key: String, _ value: String) {
            json.key(key)
            json.string(value)
        }

        private mutating func number(_ key: String, _ value: Int) {
            json.key(key)
            json.integer(value)
        }

        private mutating func words(_ key: String, _ words: [String]) {
            json.key(key)
            json.beginArray()
            for word in words { json.string(word) }
            json.endArray()
        }
    }
}
