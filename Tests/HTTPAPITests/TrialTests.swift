// Which files a trial takes, and that it ends with the wish for it. What it decides is in OperatorTests.
import Foundation
import HTTPClient
import HTTPServer
import RuleHosting
import Testing

@testable import HTTPAPI

struct TrialTests {
    @Test(
        "A trial takes no file that an app cannot have, also to be away",
        arguments: [
            "../x.lua", "/etc/passwd", ".hidden.lua", #"a\u0000.lua"#, "lib//x.lua", "cases/../app.lua", "x.txt", "", "cases/", "cases",
            "a/b.lua", "cases/.a.json",
        ])
    func paths(name: String) throws {
        let scene = try Scene()
        let client = try scene.client()
        for content in [#""""#, "null"] {
            let answer = try client.post("/v1/apps/chat/try", Scene.body(id: "m-1", more: #","files":{"\#(name)":\#(content)}"#))
            #expect(try answer.status == 400 && answer.member("code") == "file_path_invalid", "\(answer.text)")
            let step = name.replacingOccurrences(of: "/", with: "~1").replacingOccurrences(of: #"\u0000"#, with: "\0")
            #expect(try answer.member("pointer") == "/files/\(step)", "\(answer.text)")
        }
    }

    @Test("What a case of a trial names beside it may be called as it likes")
    func namedFiles() throws {
        let scene = try Scene()
        let client = try scene.client()
        let named = #"[{\"name\": \"sent\", \"event\": \"present\", \"message\": \"sent/hello.msg\", \"expect\": {}}]"#
        let hello = #"{\"aps\": {\"alert\": \"Hi\"}}"#
        let files = #""cases/a.json":"\#(named)","cases/sent/hello.msg":"\#(hello)","lib/a/b.lua":"return 1""#
        let answer = try client.post("/v1/apps/chat/try", "{\"files\":{\(files)}}")
        #expect(answer.text == #"{"cases":{"passed":1,"failed":0,"faults":[]}}"#, "\(answer.text)")
    }

    @Test("An app whose trials take long leaves places to the trials of others; those whose clients have gone make room")
    func fair() throws {
        let scene = try Scene()
        let one = #"{\"name\": \"N\", \"event\": \"present\", \"message\": {\"aps\": {\"alert\": \"x\"}}, \"expect\": {}}"#
        let cases = (0..<2_000).map { one.replacingOccurrences(of: "N", with: "\($0)") }.joined(separator: ",")
        let endless = #"rule \"R\" { on = \"present\", decide = function() while true do end end }"#
        let body = #"{"files":{"rules.lua":"\#(endless)","cases/a.json":"[\#(cases)]"}}"#
        var crowd: [Client] = []
        for _ in 0...TrialDesk.mostOfApp {
            let client = try scene.client()
            client.send("POST /v1/apps/chat/try HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
            crowd.append(client)
        }
        // Whichever body was complete last: the others are answered when they are done.
        try eventually { crowd.contains { TrialTests.hasAnswer($0) } }
        let refused = try #require(crowd.first { TrialTests.hasAnswer($0) }).readAnswer()
        #expect(try refused.status == 503 && refused.member("code") == "queue_full", "\(refused.text)")
        #expect(refused.fields["retry-after"] == "1")
        let other = try scene.client()
        #expect(try other.post("/v1/apps/shop/try", Scene.body(id: "m-1")).status == 200)
        #expect(try other.post("/v1/apps/chat/decide", Scene.body(id: "m-1")).status == 200, "a decision waits for no trial")
        crowd = []
        try eventually { scene.server.counts.open == 1 }
        #expect(try other.post("/v1/apps/chat/try", Scene.body(id: "m-1")).status == 200)
    }

    private static func hasAnswer(_ client: Client) -> Bool {
        var wish = pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&wish, 1, 0) == 1
    }

    @Test("So many trials of all apps wait and no more")
    func many() {
        let desk = TrialDesk()
        let crowd = (0..<TrialDesk.most).map { WaitingTrial(desk, of: "app-\($0 / TrialDesk.mostOfApp)") }
        #expect(crowd.allSatisfy { $0.wait(with: []) })
        #expect(!WaitingTrial(desk, of: "shop").wait(with: []))
        crowd[0].gone()
        let next = WaitingTrial(desk, of: "shop")
        #expect(next.wait(with: []), "its client has gone")
        #expect(!WaitingTrial(desk, of: "app-0").wait(with: []), "its place is taken")
        #expect(next.begin() != nil)
        next.end()
        #expect(WaitingTrial(desk, of: "app-0").wait(with: []), "it is done")
    }

    @Test("Trials of one app that are sent and left at once keep nobody else's away")
    func left() {
        let desk = TrialDesk()
        var sent: [WaitingTrial] = []
        while sent.count < 1_000 {
            let trial = WaitingTrial(desk, of: "chat")
            guard trial.wait(with: []) else { break }
            trial.gone()
            sent.append(trial)
        }
        #expect(sent.count < 1_000, "the host has still to come to each of them")
        #expect(WaitingTrial(desk, of: "shop").wait(with: []))
        for trial in sent { trial.end() }
        #expect(WaitingTrial(desk, of: "chat").wait(with: []))
    }

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
