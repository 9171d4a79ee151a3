// A host that is killed while rules are saved, promoted and rolled back under load: what was answered counts once, and what is in force
// afterwards is one whole version, the one that was told or the one that was on its way.
import EffectStore
import Foundation
import Glibc
import HTTPClient
import RuleEngine
import Testing

@testable import RuleHosting

@Suite(.serialized) struct ReloadKillTests {
    /// Two files that load only together: a mix of two versions is no version.
    private static func write(_ version: Int, _ scene: Scene) throws {
        let folder = "\(scene.rules)/chat"
        try FileManager.default.createDirectory(atPath: "\(folder)/lib", withIntermediateDirectories: true)
        try "return { n = \(version) }".write(toFile: "\(folder)/lib/version.lua", atomically: true, encoding: .utf8)
        try """
        local version = require("lib.version")
        if version.n ~= \(version) then error("a mix") end
        rule "Count" {
          on = "present",
          decide = function() return show { "banner", badge = "+1", labels = { a = "\(version)", b = tostring(version.n) } } end,
        }
        """.write(toFile: "\(folder)/rules.lua", atomically: true, encoding: .utf8)
        try "return { api = 1 }".write(toFile: "\(folder)/app.lua", atomically: true, encoding: .utf8)
    }

    @Test("Killed while rules are saved under load, a host has one whole version in force, and every answer counts once")
    func reload() throws {
        let scene = try Scene()
        var random = SeededNumbers(seed: 1)
        var (version, answered, versions) = (1, 0, Set<String>())
        try Self.write(version, scene)
        for round in 0..<10 {
            let host = try ServedHost(scene)
            let feeders = try (0..<2).map { try Feeder("r\(round)-\($0)", of: host) }
            let isOver = Monitor(false)
            let saver = Monitor(version)
            let saving = Sender {
                while !isOver.withLock({ $0 }) {
                    do {
                        try Self.write(
                            saver.change {
                                $0 += 1; return $0
                            }, scene)
                    } catch { return }
                    usleep(70_000)
                }
            }
            usleep(UInt32.random(in: 50_000...500_000, using: &random))
            host.kill()
            isOver.change { $0 = true }
            saving.wait()
            version = saver.withLock { $0 }
            try Self.expectWhole(scene, feeders)
            answered += feeders.reduce(0) { $0 + $1.answers.count }
            for feeder in feeders { versions.formUnion(feeder.received.compactMap { $0.label("a") }) }
            let next = try ServedHost(scene)
            for feeder in feeders { #expect(try feeder.check(next), "\(feeder.recipient)") }
            next.kill()
        }
        // Else nothing was proved.
        #expect(answered > 100 && versions.count > 3)
    }

    /// Who looks holds the store, so that no host can have it: here, and not longer.
    private static func expectWhole(_ scene: Scene, _ feeders: [Feeder]) throws {
        let view = try StoreView(scene.storePath)
        if let hash = try view.current(app: "chat", stage: "draft") {
            let texts = try view.files(app: "chat", hash: hash).map { String(decoding: $0.bytes, as: UTF8.self) }
            let number = texts.compactMap { $0.split(separator: " ").drop { $0 != "n" }.dropFirst(2).first.flatMap { Int($0) } }.first
            #expect(texts.count == 3 && number != nil && texts.contains { $0.contains("~= \(number ?? 0) then") }, "\(texts)")
        }
        let kept = Set(try view.versions(of: "chat").map(\.hash))
        for feeder in feeders {
            feeder.wait()
            for answer in feeder.received { #expect(answer.label("a") != nil && answer.label("a") == answer.label("b")) }
            // What was in force is kept.
            #expect(kept.isSuperset(of: feeder.received.compactMap { $0.json["ruleset"] as? String }))
        }
    }

    @Test("Killed while versions are promoted, tried on some and rolled back, a host has what was acknowledged, or the next, whole")
    func stages() throws {
        let scene = try Scene()
        var random = SeededNumbers(seed: 2)
        let hashes = try Self.keepVersions(scene)
        // What each step leaves on the stage: the version of all, and that of some.
        let steps: [(path: String, body: String, hash: String, canary: String?)] = [
            ("promote", #"{"hash":"\#(hashes[0])"}"#, hashes[0], nil),
            ("promote", #"{"hash":"\#(hashes[1])","percent":50}"#, hashes[0], hashes[1]),
            ("promote", #"{"hash":"\#(hashes[1])"}"#, hashes[1], nil),
            ("promote", #"{"hash":"\#(hashes[0])","percent":20}"#, hashes[1], hashes[0]),
            ("rollback", "{}", hashes[1], nil),
            ("rollback", "{}", hashes[0], nil),
        ]
        var (done, step) = (0, 0)
        for _ in 0..<15 {
            let host = try ServedHost(scene, ["--stage", "production"])
            let client = try host.client()
            let taken = Monitor(0)
            let (first, count) = (step, steps.count)
            let operating = Sender {
                do {
                    while true {
                        let next = steps[(first + taken.withLock { $0 }) % count]
                        guard try client.post("/v1/apps/chat/\(next.path)", next.body).status == 200 else { return }
                        taken.change { $0 += 1 }
                    }
                } catch {
                    // It is gone.
                }
            }
            usleep(UInt32.random(in: 5_000...150_000, using: &random))
            host.kill()
            operating.wait()
            step += taken.withLock { $0 }
            done += taken.withLock { $0 }
            let found = try Self.stage(scene)
            let (last, next) = (step > 0 ? steps[(step - 1) % count] : nil, steps[step % count])
            let isLast = found.0 == last?.hash && found.1 == last?.canary
            let isNext = found.0 == next.hash && found.1 == next.canary
            #expect(isLast || isNext, "after \(step): \(found)")
            if !isLast { step += 1 }
            guard let hash = found.0 else { continue }
            let after = try ServedHost(scene, ["--stage", "production"])
            #expect(try after.client().get("/v1/apps/chat").json["ruleset"] as? String == hash)
            after.kill()
        }
        // Else nothing was proved.
        #expect(done > 8)
    }

    private static func stage(_ scene: Scene) throws -> (String?, String?) {
        let view = try StoreView(scene.storePath)
        return (try view.current(app: "chat", stage: "production"), try view.canary(app: "chat", stage: "production")?.hash)
    }

    /// Two versions, none of them on a stage.
    private static func keepVersions(_ scene: Scene) throws -> [String] {
        let host = try ServedHost(scene, ["--stage", "production"])
        let client = try host.client()
        var hashes: [String] = []
        for version in 1...2 {
            try write(version, scene)
            _ = try client.get("/v1/apps/chat")
            try eventually {
                do {
                    let versions = try client.get("/v1/apps/chat/versions").json["versions"] as? [[String: Any]] ?? []
                    guard versions.count == version, let hash = versions.first?["hash"] as? String else { return false }
                    hashes.append(hash)
                    return true
                } catch {
                    return false
                }
            }
        }
        host.end()
        return hashes
    }
}
