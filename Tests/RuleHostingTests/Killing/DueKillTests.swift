// A host that is killed while it decides what is due and tells its webhook: each message is decided once, and told at least once, always
// with the same key.
import CHTTPCall
import EffectStore
import Foundation
import Glibc
import HTTPClient
import RuleEngine
import Testing

@testable import RuleHosting

@Suite(.enabled(if: hc_available() != 0), .serialized) struct DueKillTests {
    private static let rules = """
        rule "Later" {
          on = "present",
          when = function(msg, device, event) return event.name ~= "due" end,
          decide = function() return { display = "defer", hold_until = "200ms" } end,
        }
        rule "Count" { on = "due", decide = function() return { badge = "+1" } end }
        """

    @Test("Killed again and again, a host decides what is due once, and its webhook hears of each with one key and never of none")
    func due() throws {
        let scene = try Scene()
        try scene.write("chat", Self.rules)
        try "a secret of this test".write(toFile: "\(scene.folder)/secret", atomically: true, encoding: .utf8)
        chmod("\(scene.folder)/secret", 0o600)
        // Sometimes it does not want to hear.
        let server = try HookServer([200, 200, 503, 200, 200, 500] + [Int](repeating: 200, count: 10_000))
        let words = ["--webhook", "http://127.0.0.1:\(server.port)/hook", "--webhook-secret", "\(scene.folder)/secret"]
        var random = SeededNumbers(seed: 3)
        var feeders: [Feeder] = []
        for round in 0..<12 {
            let host = try ServedHost(scene, words)
            let feeding = try (0..<2).map { try Feeder("r\(round)-\($0)", of: host) }
            usleep(UInt32.random(in: 20_000...500_000, using: &random))
            host.kill()
            for feeder in feeding { feeder.wait() }
            feeders += feeding
        }
        let host = try ServedHost(scene, words)
        let client = try host.client()
        try eventually {
            do {
                let waiting = try client.get("/v1/apps/chat/deferred").json["deferred"] as? [Any]
                let posts = try StoreView(scene.storePath).outbox(after: 0).entries
                return waiting?.isEmpty == true && posts.isEmpty
            } catch {
                return false
            }
        }
        host.end()
        let view = try StoreView(scene.storePath)
        var told: [String: Set<String>] = [:]
        for request in server.requests.withLock({ $0 }) {
            guard let body = try JSONSerialization.jsonObject(with: Data(request.body.utf8)) as? [String: Any] else { continue }
            told[body["deferred_id"] as? String ?? "", default: []].insert(request.headers["idempotency-key"] ?? "")
        }
        // Decided twice, one would have two bodies, and so two keys.
        #expect(told.values.allSatisfy { $0.count == 1 })
        var count = 0
        for feeder in feeders {
            let sure = feeder.answers.count
            let decided = try view.recipient(app: "chat", feeder.recipient).badge ?? 0
            #expect(decided == sure || decided == sure + 1, "\(feeder.recipient): \(decided) of \(sure)")
            for number in 0..<decided { #expect(told["\(feeder.recipient)-\(number)"] != nil, "\(feeder.recipient)-\(number)") }
            count += decided
        }
        #expect(count == told.count)
        // Else nothing was proved.
        #expect(count > 50)
    }
}
