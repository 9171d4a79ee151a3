// Files of an app, edited over HTTP: what is read is what is there, what is saved is whole and in force, and nobody's work is lost.
import EffectStore
import Foundation
import HTTPClient
import RuleHosting
import Testing

@testable import HTTPAPI

struct FileTests {
    private static let files = "/v1/apps/chat/files"
    private static let rules = files + "/rules.lua"

    private static func tag(_ client: Client) throws -> String { try #require(try client.ask("GET", rules).fields["etag"]) }

    @Test("The files of an app are listed, and read with what stands for their content")
    func reading() throws {
        let scene = try Scene()
        let client = try scene.client()
        let app = "\(scene.folder)/rules/chat"
        try FileManager.default.createDirectory(atPath: "\(app)/cases", withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: "\(app)/lib/deep", withIntermediateDirectories: true)
        for file in ["cases/one.json", "lib/deep/m.lua", ".hidden.lua", "notes.txt", "draft.lua~"] {
            try "[]".write(toFile: "\(app)/\(file)", atomically: true, encoding: .utf8)
        }
        let list = try client.ask("GET", Self.files)
        let found = list.text.matches(of: #/"path":"([^"]+)"/#).map { String($0.1) }
        #expect(found == ["app.lua", "cases/one.json", "lib/deep/m.lua", "rules.lua"], "\(list.text)")
        let file = try client.ask("GET", Self.rules)
        let tag = try #require(file.fields["etag"])
        #expect(file.text == Scene.counting && file.fields["content-type"] == "text/plain; charset=utf-8")
        #expect(list.text.contains("\"etag\":\"\\\"" + tag.dropFirst().dropLast() + "\\\"\""), "\(list.text) \(tag)")
        for known in [tag, "W/\(tag)", "*", "\"a\", \(tag)"] {
            let answer = try client.ask("GET", Self.rules, "Host: localhost\r\nIf-None-Match: \(known)\r\n")
            #expect(answer.status == 304 && answer.body.isEmpty && answer.fields["etag"] == tag)
        }
        #expect(try client.ask("GET", Self.rules, "Host: localhost\r\nIf-None-Match: \"a\"\r\n").status == 200)
        #expect(try client.ask("GET", Self.files + "/lib/deep/m.lua").text == "[]")
        #expect(try client.ask("GET", Self.files + "/other.lua").member("code") == "file_unknown")
        #expect(try client.ask("GET", "/v1/apps/nope/files").member("code") == "app_unknown")
        #expect(try client.ask("GET", "/v1/apps/nope/files/app.lua").member("code") == "app_unknown")
    }

    @Test("What is saved is on the disk, in force a moment later, and in the audit with who and why", arguments: [false, true])
    func saving(isDurable: Bool) throws {
        let scene = try Scene(isDurable: isDurable)
        let client = try scene.client()
        let before = try #require(try client.ask("GET", "/v1/apps/chat").member("ruleset"))
        let listener = try EventReader(scene)
        #expect(try listener.next().name == "state")
        let tag = try Self.tag(client)
        let saved = try client.save(Self.rules + "?why=louder%20now", Scene.counting + "\n-- louder", "If-Match: \(tag)")
        #expect(try saved.status == 200 && saved.member("path") == "rules.lua", "\(saved.text)")
        #expect(try saved.fields["etag"] != tag && saved.fields["etag"] == Self.tag(client))
        let event = try listener.next()
        #expect(event.name == "reload" && !event.data.contains(before), "\(event)")
        let path = "\(scene.folder)/rules/chat"
        #expect(try String(contentsOfFile: "\(path)/rules.lua", encoding: .utf8) == Scene.counting + "\n-- louder")
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).sorted() == ["app.lua", "rules.lua"], "nothing is left behind")
        let line = try #require(try scene.host.audit(newest: 10, of: "chat").first { $0.action == "file_write" })
        #expect(line.deed.who == "http" && line.deed.why == "louder now" && line.subject.hasPrefix("file rules.lua "), "\(line)")
    }

    @Test("Of a change that somebody else was quicker than the audit says that it was not made")
    func overtaken() throws {
        let scene = try Scene(isDurable: true)
        let client = try scene.client()
        let store = try #require(scene.store)
        let tag = try Self.tag(client)
        let (begun, goes, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        // The line of the audit has to wait for its turn behind this.
        Thread.detachNewThread {
            do throws(EffectStoreFault) {
                try store.edit(app: "chat", Deed(who: "mina", at: HostClock.now()), action: "look", subject: "") { (_) in
                    begun.signal()
                    goes.wait()
                    return []
                }
            } catch {
                Issue.record(error)
            }
            ended.signal()
        }
        begun.wait()
        client.send("PUT \(Self.rules) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nIf-Match: \(tag)\r\n\r\n-- me")
        let app = "\(scene.folder)/rules/chat"
        // It has looked, and is about to be carried out.
        while try !FileManager.default.contentsOfDirectory(atPath: app).contains(where: { $0.hasPrefix(".rulehost-") }) {}
        try "-- somebody else".write(toFile: "\(app)/rules.lua", atomically: true, encoding: .utf8)
        goes.signal()
        #expect(try client.readAnswer().member("code") == "file_changed")
        ended.wait()
        let lines = try scene.host.audit(newest: 10, of: "chat").filter { $0.action.hasPrefix("file_") }
        #expect(lines.map(\.action) == ["file_not_written", "file_write"] && lines[0].subject == lines[1].subject, "\(lines)")
    }

    /// Waits until other rules are in force.
    private static func ruleset(after old: String?, _ client: Client) throws -> String {
        var hash = old
        while hash == old { hash = try client.ask("GET", "/v1/apps/chat").member("ruleset") }
        return try #require(hash)
    }

    @Test("A version says who has saved it and why where all of it came over HTTP, and names nobody else", arguments: [false, true])
    func versions(isDurable: Bool) throws {
        let scene = try Scene(isDurable: isDurable)
        let client = try scene.client()
        func wait(_ old: String?) throws -> String { try Self.ruleset(after: old, client) }
        func newest() throws -> String { try #require(try scene.host.versions(of: "chat").first.map { "\($0.who): \($0.why)" }) }
        let own = scene.host.settings.name
        let first = try wait(nil)
        #expect(try newest() == "\(own): saved in the folder")
        _ = try client.save(Self.rules + "?why=louder", Scene.counting + "\n-- louder", "If-Match: *")
        let second = try wait(first)
        #expect(try newest() == "http: louder")
        // Broken alone, and good with what comes after it: one version of two saves.
        _ = try client.save(Self.files + "/a.lua?why=a%20word", "require \"lib.word\"", "If-None-Match: *")
        while try client.ask("GET", "/v1/apps/chat").member("status") != "stale" {}
        _ = try client.save(Self.files + "/lib/word.lua?why=its%20text", "return {}", "If-None-Match: *")
        let third = try wait(second)
        #expect(try newest() == "http: a word; its text")
        // Part of this one is from elsewhere.
        _ = try client.save(Self.files + "/a.lua?why=mine", "require \"lib.none\"", "If-Match: *")
        while try client.ask("GET", "/v1/apps/chat").member("status") != "stale" {}
        try "return {}".write(toFile: "\(scene.folder)/rules/chat/lib/none.lua", atomically: true, encoding: .utf8)
        let fourth = try wait(third)
        #expect(try newest() == "\(own): saved in the folder")
        try scene.write("chat", Scene.counting)
        let fifth = try wait(fourth)
        #expect(try newest() == "\(own): saved in the folder")
        _ = try client.ask("DELETE", Self.files + "/a.lua?why=not%20needed", "Host: localhost\r\nIf-Match: *\r\n")
        _ = try wait(fifth)
        #expect(try newest() == "http: not needed")
        let listed = try client.ask("GET", "/v1/apps/chat/versions").text
        #expect(listed.contains(#""who":"http","why":"a word; its text""#), "\(listed)")
        #expect(try scene.host.audit(newest: 50, of: "chat").contains { $0.action == "reload" && $0.deed.why == "not needed" })
    }

    @Test("What a version has changed stands behind its hash", arguments: [false, true])
    func change(isDurable: Bool) throws {
        let scene = try Scene(isDurable: isDurable)
        let client = try scene.client()
        func wait(_ old: String?) throws -> String { try Self.ruleset(after: old, client) }
        let first = try wait(nil)
        _ = try client.save(Self.rules + "?why=louder", Scene.counting + "\n-- \"louder\"", "If-Match: *")
        let second = try wait(first)
        _ = try client.save(Self.files + "/a.lua", "local a = 1\nreturn a", "If-None-Match: *")
        let third = try wait(second)
        let versions = "/v1/apps/chat/versions"
        let lines = #"{"path":"rules.lua","change":"changed","lines":["+ -- \"louder\""]}"#
        let added = #"{"path":"a.lua","change":"added","lines":["+ local a = 1","+ return a"]}"#
        #expect(
            try client.ask("GET", "\(versions)/\(second.prefix(6))").text
                == #"{"app":"chat","hash":"\#(second)","from":"\#(first)","files":[\#(lines)]}"#)
        #expect(
            try client.ask("GET", "\(versions)/\(third)?from=\(first)").text
                == #"{"app":"chat","hash":"\#(third)","from":"\#(first)","files":[\#(added),\#(lines)]}"#)
        // Before the first one there is nothing.
        let all = try client.ask("GET", "\(versions)/\(first)").text
        #expect(all.hasPrefix(#"{"app":"chat","hash":"\#(first)","files":[{"path":""#) && !all.contains("\"- "), "\(all)")
        #expect(try client.ask("GET", "\(versions)/0000").member("code") == "version_unknown")
        #expect(try client.ask("GET", "\(versions)/\(first)?from=none").status == 404)
    }

    @Test("A new file needs no folder, and is made only where there is none")
    func making() throws {
        let scene = try Scene()
        let client = try scene.client()
        let path = Self.files + "/lib/words/ko.lua"
        let made = try client.save(path, "return {}", "If-None-Match: *")
        #expect(made.status == 201 && made.fields["etag"] != nil, "\(made.text)")
        #expect(try client.ask("GET", path).text == "return {}")
        let again = try client.save(path, "return { 1 }", "If-None-Match: *")
        #expect(try again.status == 412 && again.member("code") == "file_changed", "\(again.text)")
        #expect(try again.member("detail")?.hasSuffix("it is there already") == true, "\(again.text)")
        #expect(try client.ask("GET", path).text == "return {}")
        #expect(try client.save(Self.files + "/cases/one.json", "[]", "If-None-Match: *").status == 201)
        #expect(try client.save("/v1/apps/new/files/app.lua", "return {}", "If-None-Match: *").member("code") == "app_unknown")
        #expect(!FileManager.default.fileExists(atPath: "\(scene.folder)/rules/new"))
    }

    @Test("Who does not say what he has seen, or has seen something else, changes nothing")
    func preconditions() throws {
        let scene = try Scene()
        let client = try scene.client()
        let tag = try Self.tag(client)
        for fields in ["X-None: 1", "If-None-Match: \(tag)", "If-Match: \(tag)\r\nIf-None-Match: *"] {
            let answer = try client.save(Self.rules, "-- other", fields)
            #expect(try answer.status == 428 && answer.member("code") == "precondition_required", "\(fields): \(answer.text)")
        }
        for fields in ["If-Match: \"0123\"", "If-Match: W/\(tag)", "If-Match: \(tag.dropFirst().dropLast())"] {
            let answer = try client.save(Self.rules, "-- other", fields)
            #expect(try answer.status == 412 && answer.member("code") == "file_changed", "\(fields): \(answer.text)")
            #expect(try client.remove(Self.rules, fields).status == 412)
        }
        let bare = try client.save(Self.rules, "-- other", "If-Match: \(tag.dropFirst().dropLast())")
        #expect(
            try bare.member("detail")?.contains("quotes belong to a tag") == true && bare.member("hint") == "write If-Match: \(tag)",
            "\(bare.text)")
        #expect(try client.save(Self.files + "/none.lua", "-- other", "If-Match: *").status == 412)
        #expect(try client.remove(Self.rules, "If-None-Match: *").status == 428)
        #expect(try client.ask("GET", Self.rules).text == Scene.counting)
        #expect(try client.save(Self.rules, "-- other", "If-Match: \"0\" ,\(tag)").status == 200)
        #expect(try client.save(Self.rules, "-- another", "If-Match: *").status == 200)
    }

    @Test("A file that is removed is gone, and stands in the audit")
    func removing() throws {
        let scene = try Scene()
        let client = try scene.client()
        let answer = try client.remove(Self.rules, "If-Match: \(try Self.tag(client))")
        #expect(answer.status == 204 && answer.body.isEmpty)
        #expect(try client.ask("GET", Self.rules).member("code") == "file_unknown")
        #expect(try client.remove(Self.rules, "If-Match: *").member("code") == "file_unknown")
        #expect(try scene.host.audit(newest: 10, of: "chat").contains { $0.action == "file_delete" && $0.subject == "file rules.lua gone" })
    }

    @Test("Of two who save at once exactly one is heard, however often they try")
    func together() throws {
        let scene = try Scene(loops: 2)
        let clients = try (0..<4).map { _ in try scene.client() }
        for round in 0..<20 {
            let tag = try Self.tag(clients[0])
            let fields = round % 2 == 0 ? "If-Match: \(tag)" : "If-None-Match: *"
            let path = round % 2 == 0 ? Self.rules : Self.files + "/new\(round).lua"
            for (number, client) in clients.enumerated() {
                let body = "-- \(round) \(number)"
                client.send("PUT \(path) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
            }
            let statuses = try clients.map { try $0.readAnswer().status }
            #expect(statuses.filter { $0 < 300 }.count == 1 && statuses.filter { $0 == 412 }.count == 3, "\(statuses)")
            let winner = try #require(statuses.firstIndex { $0 < 300 })
            #expect(try clients[0].ask("GET", path).text == "-- \(round) \(winner)")
        }
    }

    @Test("A slash in a path is one however it is written")
    func slashes() throws {
        let scene = try Scene()
        let client = try scene.client()
        let saved = try client.save(Self.files + "/lib%2Fm.lua", "return 1", "If-None-Match: *")
        #expect(try saved.status == 201 && saved.member("path") == "lib/m.lua", "\(saved.text)")
        #expect(try client.ask("GET", Self.files + "/lib/m.lua").text == "return 1")
        #expect(try client.ask("GET", Self.files + "/lib%2fm.lua").text == "return 1")
        #expect(try client.remove(Self.files + "/lib%2Fm.lua", "If-Match: *").status == 204)
    }

    @Test(
        "No path leads out of the app, and none to what is not the app's",
        arguments: [
            ("../shop/rules.lua", 400, "invalid_path"), ("%2e%2e/shop/rules.lua", 400, "invalid_path"),
            ("..%2fshop%2frules.lua", 400, "file_path_invalid"), ("lib%2f%2e%2e%2fm.lua", 400, "file_path_invalid"),
            ("lib%2f..%2frules.lua", 400, "file_path_invalid"), ("lib%2f%2fm.lua", 400, "file_path_invalid"),
            ("lib%2f", 400, "file_path_invalid"),
            ("lib%2f.git%2fm.lua", 400, "file_path_invalid"),
            ("rules.lua%00", 400, "invalid_path"), ("%2fetc%2fpasswd", 400, "file_path_invalid"), ("a//rules.lua", 400, "invalid_path"),
            ("rules.lua/", 404, "route_unknown"), (".hidden.lua", 400, "file_path_invalid"), ("draft.lua~", 400, "file_path_invalid"),
            ("notes.txt", 400, "file_path_invalid"), ("cases/m.lua", 400, "file_path_invalid"), ("other/m.lua", 400, "file_path_invalid"),
            ("lib/.git/m.lua", 400, "file_path_invalid"), ("app.json", 400, "file_path_invalid"), ("lib", 400, "file_path_invalid"),
        ])
    func paths(path: String, status: Int, code: String) throws {
        let scene = try Scene()
        for answer in [
            try scene.client().ask("GET", Self.files + "/" + path),
            try scene.client().save(Self.files + "/" + path, "-- x", "If-None-Match: *"),
            try scene.client().remove(Self.files + "/" + path, "If-Match: *"),
        ] {
            #expect(try answer.status == status && answer.member("code") == code, "\(path): \(answer.text)")
        }
    }

    @Test("A link is neither followed nor replaced, whether it is the file or a folder on the way")
    func links() throws {
        let scene = try Scene()
        let client = try scene.client()
        let app = "\(scene.folder)/rules/chat"
        let secret = "\(scene.folder)/secret.lua"
        try "secret".write(toFile: secret, atomically: true, encoding: .utf8)
        try FileManager.default.createDirectory(atPath: "\(scene.folder)/outside", withIntermediateDirectories: true)
        try "secret".write(toFile: "\(scene.folder)/outside/m.lua", atomically: true, encoding: .utf8)
        try FileManager.default.createSymbolicLink(atPath: "\(app)/link.lua", withDestinationPath: secret)
        try FileManager.default.createSymbolicLink(atPath: "\(app)/lib", withDestinationPath: "\(scene.folder)/outside")
        for path in ["link.lua", "lib/m.lua", "lib/new.lua"] {
            for answer in [
                try client.ask("GET", Self.files + "/" + path), try client.save(Self.files + "/" + path, "-- x", "If-Match: *"),
                try client.save(Self.files + "/" + path, "-- x", "If-None-Match: *"),
                try client.remove(Self.files + "/" + path, "If-Match: *"),
            ] {
                #expect(try answer.status == 409 && answer.member("code") == "file_linked", "\(path): \(answer.text)")
                #expect(!answer.text.contains("secret\""))
            }
        }
        #expect(try client.ask("GET", Self.files).text.contains(#"{"path":"link.lua","link":true}"#))
        #expect(try String(contentsOfFile: secret, encoding: .utf8) == "secret")
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(scene.folder)/outside") == ["m.lua"])
    }

    @Test("What is larger than a loader takes is refused before it is there")
    func limits() throws {
        let scene = try Scene()
        let client = try scene.client()
        let most = String(repeating: "-", count: 64 << 10)
        let large = try client.save(Self.files + "/big.lua", most + "-", "If-None-Match: *\r\nConnection: close")
        #expect(try large.status == 413 && large.member("code") == "file_too_large", "\(large.text)")
        #expect(try large.member("detail") == "the file has more than the 65536 bytes that are allowed")
        let pieces = try scene.client()
        pieces.send(
            "PUT \(Self.files)/big.lua HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nIf-None-Match: *\r\n\r\n"
                + "10001\r\n\(most)-\r\n")
        #expect(try pieces.readAnswer().member("code") == "file_too_large")
        let other = try scene.client()
        for number in 0..<15 { #expect(try other.save(Self.files + "/part\(number).lua", most, "If-None-Match: *").status == 201) }
        let last = try other.save(Self.files + "/last.lua", most, "If-None-Match: *")
        #expect(try last.status == 413 && last.member("code") == "app_too_large", "\(last.text)")
        #expect(try other.ask("GET", Self.files + "/last.lua").status == 404)
    }

    @Test("A file that is too large hides no other, says so when it is read, and can be put right or removed")
    func tooLarge() throws {
        let scene = try Scene()
        let client = try scene.client()
        let app = "\(scene.folder)/rules/chat"
        try FileManager.default.createDirectory(atPath: "\(app)/cases", withIntermediateDirectories: true)
        for name in ["x", "y"] {
            try Data(repeating: 0x20, count: 5 << 20).write(to: URL(fileURLWithPath: "\(app)/cases/\(name).json"))
        }
        try Data(repeating: 0x20, count: 65_537).write(to: URL(fileURLWithPath: "\(app)/long.lua"))
        let list = try client.ask("GET", Self.files)
        #expect(list.status == 200 && list.text.contains(#"{"path":"cases/x.json","size":5242880},"#), "\(list.text)")
        #expect(list.text.contains(#"{"path":"long.lua","size":65537},"#) && list.text.contains(#"{"path":"rules.lua","size":"#))
        let (x, y, lua) = (Self.files + "/cases/x.json", Self.files + "/cases/y.json", Self.files + "/long.lua")
        let read = try client.ask("GET", x)
        #expect(try read.status == 413 && read.member("code") == "file_too_large", "\(read.text)")
        #expect(try read.member("detail")?.contains("cases/x.json has more than the 4194304 bytes") == true, "\(read.text)")
        let tag = "If-Match: \"0123\""
        #expect(try client.save(x, "[]", tag).member("code") == "file_changed")
        #expect(try client.remove(x, tag).member("code") == "file_changed")
        #expect(try client.save(x, "[]", "If-None-Match: *").member("code") == "file_changed")
        let saved = try client.save(x, "[]", "If-Match: *")
        #expect(try saved.status == 200 && client.ask("GET", x).text == "[]", "\(saved.text)")
        #expect(try client.save(lua, "-- short", "If-Match: *").status == 200)
        #expect(try client.remove(y, "If-Match: *").status == 204)
        #expect(try !client.ask("GET", Self.files).text.contains("y.json"))
    }

    @Test("A folder that cannot be written is told, and nothing has changed")
    func readOnly() throws {
        let scene = try Scene()
        let client = try scene.client()
        // Also an administrator cannot make a file in the place of a folder.
        try FileManager.default.createDirectory(atPath: "\(scene.folder)/rules/chat/rules2.lua", withIntermediateDirectories: true)
        let answer = try client.save(Self.files + "/rules2.lua", "-- x", "If-Match: *")
        #expect(try answer.status == 503 && answer.member("code") == "file_unreadable", "\(answer.text)")
        try "x".write(toFile: "\(scene.folder)/rules/chat/cases", atomically: true, encoding: .utf8)
        let made = try client.save(Self.files + "/cases/one.json", "[]", "If-None-Match: *")
        #expect(try made.status == 503 && made.member("code") == "file_not_written", "\(made.text)")
    }

    @Test("Who may only read cannot save, and nobody meets the files of another's app")
    func tokens() throws {
        let scene = try Scene(tokens: try TokenTable(Array(TokenTests.file.utf8)))
        let client = try scene.client()
        #expect(try client.ask("GET", Self.files, "Host: a\r\nAuthorization: Bearer read\r\n").status == 200)
        let fields = "If-Match: *\r\nAuthorization: Bearer "
        #expect(try client.save(Self.rules, "-- x", fields + "read").member("code") == "token_role")
        #expect(
            try client.ask("GET", "/v1/apps/shop/files/rules.lua", "Host: a\r\nAuthorization: Bearer read\r\n").member("code")
                == "token_app")
        #expect(try client.save(Self.rules, "-- x", fields + "all").status == 200)
        #expect(try scene.host.audit(newest: 5, of: "chat").contains { $0.deed.who == "all" && $0.action == "file_write" })
    }
}

extension Client {
    func save(_ path: String, _ body: String, _ fields: String) throws -> Received {
        send("PUT \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\(fields)\r\n\r\n\(body)")
        return try readAnswer()
    }

    func remove(_ path: String, _ fields: String) throws -> Received {
        send("DELETE \(path) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n\r\n")
        return try readAnswer()
    }
}
