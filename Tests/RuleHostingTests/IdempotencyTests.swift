// Requests that come twice: one deed, one answer.
import EffectStore
import Foundation
import Testing

@testable import RuleHosting

struct IdempotencyTests {
    private static func stores(_ scene: Scene) throws -> [HostStore] { [.memory, .durable(try scene.store())] }

    @Test("A request that is repeated with its key gets the very same answer, and counts once")
    func repeated() throws {
        let scene = try Scene()
        try scene.write("chat")
        for store in try Self.stores(scene) {
            let host = try scene.host(store)
            let first = host.ask("chat", Scene.body(id: "m-1"), Scene.keyed("k-1"))
            #expect(first.badge == 1)
            for _ in 0..<3 { #expect(host.ask("chat", Scene.body(id: "m-1"), Scene.keyed("k-1")).body == first.body) }
            #expect(host.ask("chat", Scene.body(id: "m-2")).badge == 2)
            host.close()
            // Also of the next host, where there is a store.
            if case .durable = store {
                let again = try scene.host(store)
                #expect(again.ask("chat", Scene.body(id: "m-1"), Scene.keyed("k-1")).body == first.body)
                again.close()
            }
        }
    }

    @Test("A request that is repeated while the first one is under way waits for it")
    func underWay() throws {
        let scene = try Scene()
        try scene.write("chat")
        for store in try Self.stores(scene) {
            let host = try scene.host(store)
            let answers = host.askAll((0..<20).map { _ in ("chat", Scene.body(id: "m-1"), Scene.keyed("k-1")) })
            #expect(Set(answers.map(\.text)).count == 1)
            #expect(answers[0].badge == 1)
            #expect(answers[0].json["duplicate"] == nil)
            host.close()
        }
    }

    @Test("The same key with another body is refused, of another token or app it is another key")
    func mismatch() throws {
        let scene = try Scene()
        try scene.write("chat")
        try scene.write("mail")
        for store in try Self.stores(scene) {
            let host = try scene.host(store)
            let answers = host.askAll([
                ("chat", Scene.body(id: "m-1"), Scene.keyed("k-1")), ("chat", Scene.body(id: "m-2"), Scene.keyed("k-1")),
                ("chat", Scene.body(id: "m-2"), Scene.keyed("k-1", token: "other")), ("mail", Scene.body(id: "m-2"), Scene.keyed("k-1")),
            ])
            #expect(answers.map(\.status) == [200, 422, 200, 200])
            let late = host.ask("chat", Scene.body(id: "m-3"), Scene.keyed("k-1"))
            #expect(late.status == 422 && late.code == "idempotency_mismatch")
            host.close()
        }
    }

    @Test("A request that was wrong may be repeated right with its key")
    func corrected() throws {
        let scene = try Scene()
        try scene.write("chat")
        let host = try scene.host()
        let answers = host.askAll([
            ("chat", Array("{".utf8), Scene.keyed("k-1")), ("chat", Array("{".utf8), Scene.keyed("k-1")),
        ])
        #expect(answers.map(\.status) == [400, 400])
        #expect(host.ask("chat", Scene.body(id: "m-1"), Scene.keyed("k-1")).badge == 1)
        for key in ["", String(repeating: "k", count: 256)] {
            #expect(host.ask("chat", Scene.body(id: "m-1"), Scene.keyed(key)).code == "request_invalid")
        }
        host.close()
    }
}
