// What the tests of this folder share: a folder of rules that goes away, a host on it, and a server before that.
import EffectStore
import Foundation
import HTTPClient
import HTTPServer
import HostTelemetry
import JSONDocument
import PushMessage
import RuleHosting
import RuleStore

@testable import HTTPAPI

final class Scene: Sendable {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("api-\(UUID().uuidString)").path
    let store: EffectStore?
    let host: RuleHost
    let api: API
    let tokens: TokenKeeper?
    let server: HTTPServer
    let telemetry: HostTelemetry?
    let health: HostHealth?
    var address: ListenAddress { server.addresses[0] }

    /// Beside the tests that are running, where the build puts programs.
    static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path + "/rulehost"

    /// Says how often it was asked about a person.
    static let counting = """
        rule "Count" {
          on = "present",
          decide = function(msg)
            return show { "banner", labels = { count = tostring(state.incr("count")), id = msg.id } }
          end,
        }
        """

    init(
        apps: [String] = ["chat", "shop"], loops: Int = 1, at words: String = "127.0.0.1:0", isDurable: Bool = false,
        tokens table: TokenTable? = nil, rate: TokenRate? = nil, isWatched: Bool = false, masks: [String] = [],
        _ change: (inout HostSettings) -> Void = { _ in }
    ) throws {
        try FileManager.default.createDirectory(atPath: "\(folder)/rules", withIntermediateDirectories: true)
        for app in apps { try Scene.write("\(folder)/rules/\(app)", Scene.counting) }
        var settings = HostSettings()
        settings.isolation = .thread
        settings.shards = 2
        change(&settings)
        store = isDurable ? try EffectStore("\(folder)/rulehost.db", clock: HostClock.now) : nil
        var log = DecisionLogSettings(path: "\(folder)/decisions.ndjson")
        log.masks = masks.compactMap { MaskPath($0) }
        telemetry = isWatched ? HostTelemetry(version: "1", decisions: try DecisionLog(log, journal: nil)) : nil
        host = try RuleHost(
            rules: RulesFolder(path: "\(folder)/rules"), store: store.map { .durable($0) } ?? .memory, settings: settings, watch: telemetry)
        telemetry?.look(at: host, store)
        health = isWatched ? HostHealth(host, store) : nil
        tokens = table.map { TokenKeeper($0) }
        api = API(host, loops: loops, isOnlyLocal: tokens == nil, tokens: tokens, rate: rate, telemetry: telemetry, health: health)
        var serving = ServerSettings()
        serving.loops = loops
        guard let address = ListenAddress(words) else { throw Client.Silence() }
        server = try HTTPServer(serving, [address], api)
        try server.start()
        telemetry?.look(atClients: { [counts = server.counts, most = server.mostConnections] in
            var facts = HostTelemetry.ClientFacts()
            (facts.open, facts.accepted, facts.most) = (counts.open, counts.accepted, most)
            return facts
        })
    }

    deinit {
        server.stop()
        server.wait()
        api.close()
        host.close()
        telemetry?.end()
        store?.close()
        do { try FileManager.default.removeItem(atPath: folder) } catch { print("left behind: \(folder)") }
    }

    /// An app that was not there comes whole: a host that looks between two of its files would serve it without the second.
    func add(_ app: String, _ rules: String, cases: String? = nil) throws {
        let place = "\(folder)/made-\(app)"
        try Scene.write(place, rules)
        if let cases {
            try FileManager.default.createDirectory(atPath: "\(place)/cases", withIntermediateDirectories: true)
            try cases.write(toFile: "\(place)/cases/a.json", atomically: true, encoding: .utf8)
        }
        try FileManager.default.moveItem(atPath: place, toPath: "\(folder)/rules/\(app)")
    }

    func write(_ app: String, _ rules: String) throws { try Scene.write("\(folder)/rules/\(app)", rules) }

    private static func write(_ path: String, _ rules: String) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        if !FileManager.default.fileExists(atPath: "\(path)/app.lua") {
            try "return { api = 1, title = \"An app\" }".write(toFile: "\(path)/app.lua", atomically: true, encoding: .utf8)
        }
        try rules.write(toFile: "\(path)/rules.lua", atomically: true, encoding: .utf8)
    }

    func client() throws -> Client { try Client(address) }

    static func body(_ recipient: String = "u-1", id: String, app: String? = nil, more: String = "") -> String {
        let app = app.map { "\"app\":\"\($0)\"," } ?? ""
        return #"{\#(app)"event":"present","message":{"message_id":"\#(id)","aps":{"alert":"Hello"}},"#
            + #""device":{"recipient":"\#(recipient)","state":"foreground"}\#(more)}"#
    }
}

extension Client {
    func post(_ path: String, _ body: String, _ fields: String = "") throws -> Received {
        send("POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\(fields)\r\n\(body)")
        return try readAnswer()
    }

    func put(_ path: String, _ body: String) throws -> Received {
        send("PUT \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        return try readAnswer()
    }

    func ask(_ method: String, _ path: String, _ fields: String = "Host: localhost\r\n", _ body: String = "") throws -> Received {
        send("\(method) \(path) HTTP/1.1\r\n\(fields)\r\n\(body)")
        return try readAnswer(toHead: method == "HEAD")
    }
}

extension Client.Received {
    /// A member of the answer, when it is an object.
    func member(_ path: String...) throws -> String? {
        var value: Any? = try JSONSerialization.jsonObject(with: Data(body))
        for step in path { value = (value as? [String: Any])?[step] }
        return value.map { "\($0)" }
    }
}
