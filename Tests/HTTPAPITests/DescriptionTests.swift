// The description of the routes, held against the routes; and who may ask without a token.
import Foundation
import HTTPClient
import HTTPServer
import RuleHosting
import RuleReference
import Testing

@testable import HTTPAPI

struct DescriptionTests {
    @Test("Every route stands in the description, with its parameters, and every shape that it names is there")
    func routes() throws {
        let document = try #require(try JSONSerialization.jsonObject(with: Data(API.description())) as? [String: Any])
        let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
        let routes = API.routes(nil)
        #expect(paths.values.map(\.count).reduce(0, +) == routes.count)
        for route in routes {
            let operation = try #require(paths[route.path.template]?[route.method.rawValue.lowercased()])
            let names = (operation["parameters"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
            #expect(names == route.path.names + route.query.map(\.name) + route.fields.map(\.name))
            #expect(operation["x-role"] as? String == route.role.rawValue)
            let responses = try #require(operation["responses"] as? [String: Any])
            #expect((operation["security"] != nil) == (route.role != .anybody) && (responses["401"] != nil) == (route.role != .anybody))
        }
        #expect(Set(routes.map(\.name)).count == routes.count)
        let schemas = try #require((document["components"] as? [String: Any])?["schemas"] as? [String: Any])
        let text = String(decoding: API.description(), as: UTF8.self)
        let named = text.matches(of: #/"#/components/schemas/([A-Za-z]+)"/#).map { String($0.1) }
        #expect(!named.isEmpty && named.allSatisfy { schemas[$0] != nil })
    }

    @Test("Every shape has one name, and is referred to by nothing else, so that code can be made of it")
    func references() throws {
        let text = String(decoding: API.description(), as: UTF8.self)
        #expect(OpenAPISchemas.all.count == Set(OpenAPISchemas.all.map(\.name)).count)
        #expect(!text.contains("$defs"))
        let ways = text.matches(of: #/"\$ref":"([^"]*)"/#).map { String($0.1) }
        #expect(!ways.isEmpty && ways.filter { $0.wholeMatch(of: #/#/components/schemas/[A-Z][A-Za-z]*/#) == nil } == [])
    }

    @Test("What is true or not there has the type of a truth, which programs that make code of answers know")
    func truths() throws {
        let document = try #require(try JSONSerialization.jsonObject(with: Data(API.description())) as? [String: Any])
        let schemas = try #require((document["components"] as? [String: Any])?["schemas"] as? [String: [String: Any]])
        let members = try #require(schemas["Decision"]?["properties"] as? [String: [String: Any]])
        let duplicate = try #require(members["duplicate"])
        #expect(duplicate["type"] as? String == "boolean" && duplicate["const"] == nil)
    }

    @Test("Every shape of the description is used by a route, or by another shape")
    func used() {
        let text = String(decoding: API.description(), as: UTF8.self)
        #expect(OpenAPISchemas.all.map(\.name).filter { !text.contains("\"#/components/schemas/\($0)\"") } == [])
    }

    @Test("The names of routes are written in one way")
    func names() {
        #expect(API.routes(nil).map(\.name).filter { $0.wholeMatch(of: #/[a-z]+([A-Z][a-z]+)*/#) == nil } == [])
    }

    @Test("Every route that the reference names is there")
    func reference() {
        let routes = Set(API.routes(nil).map { "\($0.method.rawValue) \($0.path)" })
        let named = HostWord.all.flatMap(\.facts).flatMap { $0.text.matches(of: #/[A-Z]+ \/[\/a-z0-9{}.]*/#).map { String($0.0) } }
        #expect(named.count > 10 && named.filter { !routes.contains($0) } == [])
    }

    @Test("A copy of the store is described as a file, not as text")
    func file() throws {
        let document = try #require(try JSONSerialization.jsonObject(with: Data(API.description())) as? [String: Any])
        let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
        let answer = (paths["/v1/backup"]?["get"]?["responses"] as? [String: Any])?["200"] as? [String: Any]
        let content = answer?["content"] as? [String: [String: [String: String]]]
        #expect(content == ["application/vnd.sqlite3": ["schema": ["type": "string", "format": "binary"]]])
    }

    @Test("Every route may say that the host has no room now; probes say with the same status what is missing")
    func unavailable() throws {
        let document = try #require(try JSONSerialization.jsonObject(with: Data(API.description())) as? [String: Any])
        let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
        for (path, operations) in paths {
            for operation in operations.values {
                let answer = (operation["responses"] as? [String: Any])?["503"] as? [String: Any]
                let content = answer?["content"] as? [String: [String: [String: String]]]
                let told = ["/healthz", "/readyz"].contains(path) ? "#/components/schemas/Status" : nil
                #expect(content?["application/json"]?["schema"]?["$ref"] == told, "\(path)")
                #expect(content?["application/problem+json"]?["schema"]?["$ref"] == "#/components/schemas/Problem", "\(path)")
            }
        }
    }

    @Test("The description that is served is that of the routes")
    func served() throws {
        let scene = try Scene()
        let answer = try scene.client().ask("GET", "/openapi.json")
        #expect(answer.status == 200 && answer.body == API.description())
    }

    @Test("Probes are answered", arguments: ["/healthz", "/readyz"])
    func probes(path: String) throws {
        let scene = try Scene()
        #expect(try scene.client().ask("GET", path).text == #"{"status":"ok"}"#)
    }

    @Test(
        "A path of a route fits paths with something in each place, and the rest of one that takes the rest",
        arguments: [
            ("/a/{b}", "a/x", true), ("/a/{b}", "a", false), ("/a/{b}", "a/", false), ("/a/{b}", "a/x/y", false), ("/a/{b}", "b/x", false),
            ("/a/{b…}", "a/x", true), ("/a/{b…}", "a/x/y", true), ("/a/{b…}", "a", false), ("/a/{b…}", "a/", false),
            ("/a/{b…}", "a/x/", false),
        ])
    func paths(pattern: String, path: String, fits: Bool) {
        #expect(RoutePath(pattern).matches(path.components(separatedBy: "/")) == fits)
    }
}
