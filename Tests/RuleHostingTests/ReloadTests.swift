// Saves of every kind, while requests are decided: the new rules come into force whole, or the old ones stay.
import EffectStore
import Foundation
import Glibc
import PushMessage
import RuleEngine
import Testing

@testable import RuleHosting

/// Hears what happens to apps.
final class Ear: HostListening {
    let events = Monitor<[HostEvent]>([])

    func heard(_ event: HostEvent) { events.change { $0.append(event) } }

    /// Waits until one of this kind was heard.
    func wait(for what: @escaping (HostEvent) -> Bool) -> HostEvent { events.wait { $0.last(where: what) } }
    func forget() { events.withLock { $0 = [] } }
}

/// Asks without a pause, and looks at each answer.
final class Pressure: Sendable {
    struct Seen {
        var count = 0
        var wrong: [String] = []
        var isOver = false
        /// Rulesets that have decided, and the label that each gave.
        var labels: [String: Set<String>] = [:]
    }

    let seen = Monitor(Seen())
    private let host: RuleHost
    private let app: String

    init(_ host: RuleHost, _ app: String) {
        self.host = host
        self.app = app
        for person in 0..<4 { ask("p-\(person)", 0) }
    }

    private func ask(_ recipient: String, _ number: Int) {
        host.decide(app: app, body: Scene.body(recipient, id: "\(number)")) { answer in
            let isOver = self.seen.change { seen in
                seen.count += 1
                let labels = "\(answer.label("a") ?? "-") \(answer.label("b") ?? "-")"
                if answer.status != 200 || answer.label("a") == nil || answer.label("a") != answer.label("b") {
                    seen.wrong.append(answer.text)
                }
                if let ruleset = answer.json["ruleset"] as? String { seen.labels[ruleset, default: []].insert(labels) }
                return seen.isOver
            }
            if !isOver { self.ask(recipient, number + 1) }
        }
    }

    func end() -> Seen {
        seen.change { seen in
            seen.isOver = true
            return seen
        }
    }
}

@Suite(.serialized) struct ReloadTests {
    /// Files that belong together: a decision that has only some of them gives two different labels. A machine that is so busy that one
    /// save takes longer than the quiet time is told by an error.
    private static func files(_ version: String) -> [(String, String)] {
        [
            ("app.lua", "return { api = 1, guards = { duplicate = false } }"),
            ("a.lua", "rule \"A\" { on = \"present\", decide = function() return { labels = { a = \"\(version)\" } } end }"),
            (
                "lib/b.lua",
                "-- \(String(repeating: "padding ", count: 2_000))\nreturn { version = \"\(version)\" }"
            ),
            (
                "b.lua",
                "local b = require \"lib.b\"\nif b.version ~= \"\(version)\" then error(\"half of a save\") end\nrule \"B\" { on = \"present\", override = true, decide = function() return { labels = { a = \"\(version)\", b = b.version } } end }"
            ),
        ]
    }

    private static func write(_ text: String, _ path: String) throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = fopen(path, "w")
        #expect(file != nil)
        fputs(text, file)
        fclose(file)
    }

    private static func replace(_ text: String, _ path: String) throws {
        try write(text, "\(path).tmp")
        #expect(rename("\(path).tmp", path) == 0)
    }

    private static func save(_ version: String, in folder: String, _ how: (String, String) throws -> Void = write) throws {
        for (name, text) in files(version) { try how(text, "\(folder)/\(name)") }
    }

    /// Returns when decisions are those of that version.
    private static func wait(_ host: RuleHost, _ version: String) {
        var number = 0
        while true {
            number += 1
            if host.ask("chat", Scene.body("waiting", id: "\(version)-\(number)")).label("b") == version { return }
            usleep(2_000)
        }
    }

    @Test("Saves of every kind come into force whole, without a request that fails", arguments: [HostSettings.Isolation.thread, .process])
    func kinds(_ isolation: HostSettings.Isolation) throws {
        let scene = try Scene()
        let folder = "\(scene.rules)/chat"
        try Self.save("v0", in: folder)
        let host = try scene.host(.memory, isolation, shards: 1)
        let ear = Ear()
        host.listen(ear)
        Self.wait(host, "v0")
        let pressure = Pressure(host, "chat")

        try Self.save("v1", in: folder)
        Self.wait(host, "v1")
        try Self.save("v2", in: folder, Self.replace)
        Self.wait(host, "v2")
        // As an editor that keeps the old file beside the new one.
        try Self.save("v3", in: folder) { text, path in
            #expect(rename(path, "\(path)~") == 0)
            try Self.write(text, path)
            #expect(unlink("\(path)~") == 0)
        }
        Self.wait(host, "v3")
        // Half of it, and the rest a moment later.
        try Self.save("v4", in: folder) { text, path in
            let file = fopen(path, "w")
            fputs(String(text.prefix(text.count / 2)), file)
            fflush(file)
            usleep(5_000)
            fputs(String(text.dropFirst(text.count / 2)), file)
            fclose(file)
        }
        Self.wait(host, "v4")
        // Other names for the same files, and one that was too many.
        try Self.save("v5", in: folder)
        #expect(rename("\(folder)/a.lua", "\(folder)/aa.lua") == 0)
        Self.wait(host, "v5")
        #expect(unlink("\(folder)/aa.lua") == 0)
        let before = ear.events.withLock { $0.count }
        _ = ear.events.wait { $0.count > before ? true : nil }
        // A folder in the place of another one, as a checkout of another branch may do.
        try Self.save("v6", in: "\(scene.rules)/.next")
        #expect(rename(folder, "\(scene.rules)/.old") == 0 && rename("\(scene.rules)/.next", folder) == 0)
        Self.wait(host, "v6")
        // A link that is made to lead elsewhere.
        for version in ["v7", "v8"] { try Self.save(version, in: "\(scene.folder)/rules/.releases/\(version)") }
        #expect(rename(folder, "\(scene.rules)/.older") == 0 && symlink(".releases/v7", folder) == 0)
        Self.wait(host, "v7")
        #expect(symlink(".releases/v8", "\(folder).new") == 0 && rename("\(folder).new", folder) == 0)
        Self.wait(host, "v8")
        // In what the link leads to.
        try Self.save("v9", in: "\(scene.rules)/.releases/v8")
        Self.wait(host, "v9")

        let seen = pressure.end()
        #expect(seen.wrong.isEmpty, "\(seen.wrong.prefix(3))")
        #expect(seen.labels.values.allSatisfy { $0.count == 1 }, "\(seen.labels)")
        #expect(seen.count > 100)
        #expect(ear.events.withLock { $0.filter { if case .gone = $0.kind { true } else { false } } }.isEmpty)
        host.close()
    }

    @Test("What does not load or fails its cases is told, and the rules before stay, until it is right")
    func refused() throws {
        let scene = try Scene()
        let folder = "\(scene.rules)/chat"
        try Self.save("v0", in: folder)
        let host = try scene.host(.memory, .thread)
        let ear = Ear()
        host.listen(ear)
        Self.wait(host, "v0")
        let good = ear.wait { if case .reload = $0.kind { true } else { false } }
        #expect(good.info?.status == .ok && good.info?.faults == [])
        let pressure = Pressure(host, "chat")

        try Self.write("rule \"A\" {\n  on = \"present\",\n  decide = \n}", "\(folder)/a.lua")
        let broken = ear.wait { if case .fault = $0.kind { true } else { false } }
        #expect(broken.info?.status == .stale)
        #expect(broken.info?.ruleset == good.info?.ruleset)
        let fault = try #require(broken.info?.faults.first)
        #expect(fault.code == "lua_syntax" && fault.file == "a.lua" && fault.line > 0)
        #expect(fault.excerpt != nil)

        // Its cases speak of the version that is there.
        try Self.write(
            #"[{"name": "says its version", "message": {"aps": {"alert": "x"}}, "device": {"state": "foreground"}, "event": "present", "expect": {"labels": {"b": "v1"}}}]"#,
            "\(folder)/cases/one.json")
        ear.forget()
        try Self.save("v2", in: folder)
        let failed = ear.wait { $0.info?.faults.first?.code == "case_failed" }
        #expect(failed.info?.status == .stale)
        #expect(failed.info?.faults.first?.file == "cases/one.json")
        #expect(failed.info?.faults.first?.message.contains("labels.b") == true, "\(failed.info?.faults ?? [])")
        try Self.save("v1", in: folder)
        Self.wait(host, "v1")
        let right = ear.wait { $0.info?.status == .ok }
        #expect(right.info?.faults == [])

        let seen = pressure.end()
        #expect(seen.wrong.isEmpty, "\(seen.wrong.prefix(3))")
        #expect(seen.labels.values.reduce(into: Set()) { $0.formUnion($1) }.isSubset(of: ["v0 v0", "v1 v1"]))
        host.close()
    }

    @Test("Rules whose cases fail come into force where that is allowed, with the fault told")
    func warned() throws {
        let scene = try Scene()
        try Self.save("v0", in: "\(scene.rules)/chat")
        try Self.write(
            #"[{"name": "n", "message": {"aps": {"alert": "x"}}, "device": {}, "event": "present", "expect": {"labels": {"b": "v1"}}}]"#,
            "\(scene.rules)/chat/cases/one.json")
        let strict = try scene.host()
        #expect(strict.ask("chat", Scene.body(id: "m-1")).code == "case_failed")
        strict.close()
        let host = try scene.host { $0.cases = .warn }
        #expect(host.ask("chat", Scene.body(id: "m-1")).label("b") == "v0")
        #expect(host.known["chat"]?.status == .ok)
        #expect(host.known["chat"]?.faults.first?.code == "case_failed")
        host.close()
    }

    @Test("A host that starts on a broken folder serves the last rules that were good, and says so")
    func lastGood() throws {
        let scene = try Scene()
        try Self.save("v0", in: "\(scene.rules)/chat")
        for version in ["v0", "v1"] {
            try Self.save(version, in: "\(scene.rules)/chat")
            let store = try scene.store()
            let host = try scene.host(.durable(store))
            Self.wait(host, version)
            host.close()
            store.close()
        }
        try Self.write("rule {", "\(scene.rules)/chat/a.lua")
        let store = try scene.store()
        let host = try scene.host(.durable(store))
        #expect(host.ask("chat", Scene.body(id: "m-1")).label("b") == "v1")
        #expect(host.known["chat"]?.status == .stale)
        #expect(host.known["chat"]?.faults.first?.code == "lua_syntax")
        try Self.save("v2", in: "\(scene.rules)/chat")
        Self.wait(host, "v2")
        #expect(try store.view.versions(of: "chat").count == 3)
        #expect(try store.view.audit(newest: 20, of: "chat").filter { $0.action == "reload" }.count == 3)
        host.close()
    }

    @Test("An app that is removed is gone, and one that comes is there; of another one nothing is noticed")
    func comeAndGone() throws {
        let scene = try Scene()
        try Self.save("v0", in: "\(scene.rules)/chat")
        try scene.write("mail")
        let host = try scene.host()
        let ear = Ear()
        host.listen(ear)
        Self.wait(host, "v0")
        #expect(host.ask("mail", Scene.body(id: "m-1")).badge == 1)
        try FileManager.default.removeItem(atPath: "\(scene.rules)/chat")
        _ = ear.wait { if case .gone = $0.kind { $0.app == "chat" } else { false } }
        #expect(host.ask("chat", Scene.body(id: "m-1")).status == 404)
        #expect(host.ask("mail", Scene.body(id: "m-2")).badge == 2)
        try Self.save("v1", in: "\(scene.rules)/chat")
        Self.wait(host, "v1")
        #expect(ear.events.withLock { $0.filter { $0.app == "mail" }.count } == 1)
        host.close()
    }

    @Test("A shared module that is saved is in force in each app that is served")
    func shared() throws {
        let scene = try Scene()
        try Self.write("return { v = \"s0\" }", "\(scene.rules)/_shared/lib/common.lua")
        for app in ["chat", "mail"] {
            try scene.write(
                app,
                "local c = require \"shared.common\"\nrule \"R\" { on = \"present\", decide = function() return { labels = { b = c.v } } end }",
                manifest: "return { api = 1, guards = { duplicate = false } }")
        }
        let host = try scene.host()
        for app in ["chat", "mail"] { #expect(host.ask(app, Scene.body(id: "m-1")).label("b") == "s0") }
        try Self.write("return { v = \"s1\" }", "\(scene.rules)/_shared/lib/common.lua")
        for app in ["chat", "mail"] { while host.ask(app, Scene.body(id: "m-2")).label("b") != "s1" { usleep(2_000) } }
        host.close()
    }

    @Test(
        "Where the system has no room to watch, saves come into force all the same, and it is told of how many apps", arguments: [0, 2, 5])
    func unwatched(most: Int) throws {
        let scene = try Scene()
        for app in ["chat", "mail"] { try Self.save("v0", in: "\(scene.rules)/\(app)") }
        let host = try scene.host { $0.mostWatched = most }
        for app in ["mail", "chat"] { #expect(host.ask(app, Scene.body(id: "m-1")).label("b") == "v0") }
        #expect(host.unwatchedApps == (most == 5 ? 1 : 2))
        for version in ["v1", "v2"] {
            try Self.save(version, in: "\(scene.rules)/chat", version == "v1" ? Self.write : Self.replace)
            Self.wait(host, version)
        }
        try FileManager.default.removeItem(atPath: "\(scene.rules)/chat")
        while host.ask("chat", Scene.body(id: "m-2")).status != 404 { usleep(2_000) }
        #expect(host.unwatchedApps == (most == 5 ? 0 : 1))
        #expect(host.ask("mail", Scene.body(id: "m-2")).label("b") == "v0")
        host.close()
    }

    @Test("A release that is switched by a link anywhere on the way to the rules is in force at once")
    func switched() throws {
        let scene = try Scene()
        for version in ["v1", "v2", "v3"] { try Self.save(version, in: "\(scene.folder)/releases/\(version)/rules/chat") }
        func lead(_ link: String, to target: String) {
            #expect(symlink(target, "\(scene.folder)/\(link).new") == 0)
            #expect(rename("\(scene.folder)/\(link).new", "\(scene.folder)/\(link)") == 0)
        }
        // One link leads by another.
        lead("newest", to: "releases/v1")
        lead("current", to: "newest")
        let host = try scene.host(rules: "\(scene.folder)/current/rules")
        Self.wait(host, "v1")
        lead("newest", to: "\(scene.folder)/releases/v2")
        Self.wait(host, "v2")
        lead("current", to: "releases/v3")
        Self.wait(host, "v3")
        // And where it leads now.
        try Self.save("v4", in: "\(scene.folder)/releases/v3/rules/chat")
        Self.wait(host, "v4")
        host.close()
    }

    @Test("What has changed nothing is no reload")
    func untouched() throws {
        let scene = try Scene()
        let folder = "\(scene.rules)/chat"
        try Self.save("v0", in: folder)
        let host = try scene.host()
        let ear = Ear()
        host.listen(ear)
        Self.wait(host, "v0")
        try Self.save("v0", in: folder)
        try Self.write("notes", "\(folder)/notes.txt")
        try Self.save("v1", in: folder)
        Self.wait(host, "v1")
        // Told a moment after it is in force.
        _ = ear.wait { $0.info?.ruleset == host.known["chat"]?.ruleset }
        #expect(ear.events.withLock { $0.count } == 2)
        host.close()
    }
}
