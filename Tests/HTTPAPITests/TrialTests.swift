// Which files a trial takes, and that it ends with the wish for it. What it decides is in OperatorTests.
import Foundation
import HTTPClient
import HTTPServer
import RuleHosting
import Testing

@testable import HTTPAPI

struct TrialTests {
    @Test("A trial whose body comes when the host is about to end is not begun")
    func draining() throws {
        let scene = try Scene()
        let client = try scene.client()
        let body = Scene.body(id: "m-1")
        client.send("POST /v1/apps/chat/try HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n")
        try eventually { scene.server.counts.requests == 1 }
        let idle = try scene.client()
        try eventually { scene.server.counts.open == 2 }
        scene.server.drain(within: .seconds(20))
        // It is told last, and goes.
        #expect(try idle.readToEnd().isEmpty)
        client.send(body)
        let answer = try client.readAnswer()
        #expect(try answer.status == 503 && answer.member("code") == "host_closing", "\(answer.text)")
    }
}
