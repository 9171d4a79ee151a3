// What a host says of itself to whoever keeps it running.
@testable import EffectStore
import Foundation
import HostTelemetry
import RuleHosting
import Testing

@testable import HostTelemetry

struct HealthTests {
    private static let show = #"rule "Show" { on = "present", decide = show { "banner" } }"#

    @Test("A host is ready when its apps are read, and says before that which it still reads")
    func reading() throws {
        let scene = try Scene()
        try scene.write("chat", Self.show)
        try scene.write("shop", "rule \"Half\" {")
        let host = try scene.host(HostTelemetry(version: "1"))
        defer { host.close() }
        let health = HostHealth(host, nil)
        #expect(health.ready().status == 503)
        #expect(health.ready().text.contains("rules_not_read"))
        health.begin()
        scene.until { health.ready().status == 200 }
        #expect(health.ready().text == #"{"status":"ok","missing":[],"failing":["shop"]}"#)
        #expect(health.alive().text == #"{"status":"ok","missing":[]}"#)
        health.end()
        #expect(health.ready().status == 503 && health.ready().text.contains("host_closing"))
        #expect(health.alive().status == 200)
    }

    @Test("A host of which no app loads is not ready, and neither is one whose folder is not there")
    func rules() throws {
        let scene = try Scene()
        try scene.write("shop", "rule \"Half\" {")
        let host = try scene.host(HostTelemetry(version: "1"))
        defer { host.close() }
        let health = HostHealth(host, nil)
        health.begin()
        scene.until { health.ready().text.contains("rules_not_loaded") }
        #expect(health.ready().status == 503)
        let empty = "\(scene.folder)/empty"
        try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
        let none = try scene.host(HostTelemetry(version: "1"), rules: empty)
        defer { none.close() }
        let nobody = HostHealth(none, nil)
        nobody.begin()
        #expect(nobody.ready().status == 503)
        #expect(nobody.ready().text.contains(#"{"what":"rules","code":"rules_not_loaded","detail":"the folder of rules holds no app"}"#))
        let other = try scene.host(HostTelemetry(version: "1"), rules: "\(scene.folder)/nothing")
        defer { other.close() }
        let missing = HostHealth(other, nil)
        missing.begin()
        #expect(missing.ready().status == 503)
        #expect(missing.ready().text.contains(#""what":"rules""#))
    }

    @Test("A host of a stage to which nothing has been promoted says that, and is ready once something is")
    func promotion() throws {
        let scene = try Scene()
        try scene.write("chat", Self.show)
        let host = try scene.host(HostTelemetry(version: "1"), stage: "production")
        defer { host.close() }
        let health = HostHealth(host, nil)
        health.begin()
        scene.until { !health.ready().text.contains("rules_not_read") }
        let answer = health.ready()
        #expect(answer.status == 503)
        #expect(
            answer.text.contains(#""code":"not_promoted","detail":"no version of an app has been promoted to production, which"#),
            "\(answer.text)")
        let hash = try #require(try host.versions(of: "chat").first?.hash)
        host.promote(app: "chat", hash: hash, Deed(who: "mina", at: Scene.noon)) { _ in }
        scene.until { health.ready().status == 200 }
    }

    @Test("A store that took nothing the last time is told, tried again, and forgotten once it takes something")
    func store() throws {
        let scene = try Scene()
        try scene.write("chat", Self.show)
        let store = try EffectStore("\(scene.folder)/rulehost.db", clock: { Scene.noon })
        defer { store.close() }
        let host = try scene.host(HostTelemetry(version: "1"), store: store)
        defer { host.close() }
        let health = HostHealth(host, store)
        health.begin()
        scene.until { health.ready().status == 200 }
        store.counts.failed(1, .full("rulehost.db", "no room"))
        let answer = health.ready()
        #expect(answer.status == 503)
        #expect(answer.text.contains(#"{"what":"store","code":"store_full","detail":"there is no room"#))
        // That very question has had it tried.
        scene.until { store.counts.fault == nil }
        #expect(health.ready().status == 200)
    }

    @Test("A thread that has not come round for a minute is told of")
    func stuck() throws {
        let scene = try Scene()
        let host = try scene.host(HostTelemetry(version: "1"))
        defer { host.close() }
        let health = HostHealth(host, nil)
        health.look(atLoops: { [5, 61_000] })
        #expect(health.alive().status == 503)
        #expect(
            health.alive().text
                == #"{"status":"stuck","missing":[{"what":"loop","code":"stuck","detail":"a thread has not come round for 61 s"}]}"#)
    }

    @Test("Whoever has started the host is told in one datagram, by a path or by a name that is in no folder", arguments: [false, true])
    func notices(_ isAbstract: Bool) throws {
        let scene = try Scene()
        let name = isAbstract ? "@rulehost-test-\(UUID().uuidString)" : "\(scene.folder)/notify"
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var path = Array(name.utf8)
        if isAbstract { path[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(2 + path.count)) }
        }
        try #require(bound == 0)
        #expect(ServiceNotice.ready.send(to: name))
        #expect(ServiceNotice.status("two\nlines").send(to: name))
        #expect(ServiceNotice.reloading.send(to: name))
        var told: [String] = []
        for _ in 0..<3 {
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = recv(descriptor, &bytes, bytes.count, 0)
            told.append(String(decoding: bytes[..<max(0, count)], as: UTF8.self))
        }
        #expect(told[0] == "READY=1")
        #expect(told[1] == "STATUS=two lines")
        #expect(told[2].wholeMatch(of: /RELOADING=1\nMONOTONIC_USEC=[0-9]+/) != nil)
    }

    @Test("Where nobody wants to know, nothing is sent")
    func silent() {
        for name in [nil, "", "relative", "/nowhere/at/all", "/" + String(repeating: "x", count: 200)] {
            #expect(!ServiceNotice.ready.send(to: name))
        }
    }
}

extension HostHealth.Answer {
    fileprivate var text: String { String(decoding: body, as: UTF8.self) }
}
