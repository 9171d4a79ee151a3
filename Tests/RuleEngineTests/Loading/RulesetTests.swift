// What a good app becomes.
import JSONDocument
import LuaSandbox
import PushMessage
import Testing

@testable import RuleEngine

struct RulesetTests {
    /// What `decide` is in a ruleset are views into the memory of the app's machine.
    private final class Kept { var apps: [LoadedApp] = [] }
    private let kept = Kept()

    private func load(_ files: [String: String], limits: LoadLimits = LoadLimits()) throws -> Ruleset {
        var all = files.map { SourceFile(path: $0.key, bytes: Array($0.value.utf8)) }
        if files["app.lua"] == nil { all.append(SourceFile(path: "app.lua", bytes: Array("return { api = 1 }".utf8))) }
        switch RulesetLoader.load(app: "chat", files: all, limits: limits) {
        case .loaded(let app):
            kept.apps.append(app)
            return app.ruleset
        case .failed(let faults): throw Faults(faults: faults)
        }
    }

    private struct Faults: Error { let faults: [RuleFault] }

    @Test(
        "What is wrong is told on one line, whatever stands in the file",
        arguments: [#"on = "pre\0\nsent""#, #"on = "open", quiet = { "0\08:00", "23:00" }"#, #"on = "open", starts = "2026-02-29\27[2J""#])
    func oneLine(keys: String) throws {
        do {
            _ = try load(["a.lua": "rule 'r' { \(keys), decide = {} }"])
            Issue.record("it loads")
        } catch let error as Faults {
            #expect(!error.faults.isEmpty)
            for fault in error.faults {
                let text = fault.message + (fault.hint ?? "")
                #expect(!text.unicodeScalars.contains { $0.value < 32 } && text.contains("·"), "\(text)")
            }
        }
    }

    @Test(
        "A file loads however its rules' names are written, and whatever else says the word",
        arguments: [
            ("-- rule\nrule \"caf\\195\\169\" { on = \"send\", decide = {} }", "caf\u{E9}"),
            ("-- rule\nrule \"say \\\"hi\\\"\" { on = \"send\", decide = {} }", "say \"hi\""),
            ("-- rule\nrule 'a\\x41\\z\n  b' { on = \"send\", decide = {} }", "aAb"),
            ("-- rule\nrule [[\nlong]] { on = \"send\", decide = {} }", "long"),
            ("-- rule\nrule [==[a]]b]==] { on = \"send\", decide = {} }", "a]]b"),
            ("-- rule\nrule \"split\"\n-- rule\n{ on = \"send\", decide = {} }", "split"),
            ("-- rule\nrule \"called\" ({ on = \"send\", decide = {} })", "called"),
            ("-- rule\nrule(\"called\")({ on = \"send\", decide = {} })", "called"),
            ("-- rule\nlocal r = rule \"later\"\nr { on = \"send\", decide = {} }", "later"),
            ("local t = { rule = function(x) return x end }\nt.rule \"no\"\nrule \"yes\" { on = \"send\", decide = {} }", "yes"),
            ("local s = [[\nrule \"in a text\"\n]]\nrule \"yes\" { on = \"send\", decide = {} }", "yes"),
        ])
    func names(_ source: String, _ name: String) throws {
        #expect(try load(["a.lua": source]).rules.map(\.name) == [name])
    }

    @Test("Rules stand by priority, then by file name, then in the order of the file")
    func order() throws {
        let ruleset = try load([
            "b.lua": "rule 'b1' { on = 'open', decide = {} } rule 'b2' { on = 'open', priority = 5, decide = {} }",
            "a.lua": "rule 'a1' { on = 'open', decide = {} } rule 'a2' { on = { 'open', 'present' }, priority = -0.5, decide = {} }",
            "B.lua": "rule 'B1' { on = 'send', decide = {} }",
        ])
        #expect(ruleset.rules.map(\.name) == ["b2", "B1", "a1", "b1", "a2"])
        #expect(ruleset.rulesByEvent[.open]?.map { ruleset.rules[$0].name } == ["b2", "a1", "b1", "a2"])
        #expect(ruleset.rulesByEvent[.present]?.map { ruleset.rules[$0].name } == ["a2"])
        #expect(ruleset.rulesByEvent[.send]?.count == 1)
        #expect(ruleset.rulesByEvent[.enrich] == nil)
    }

    @Test("Every key of a rule is read")
    func keys() throws {
        let ruleset = try load([
            "a.lua": """
            local quiet = suppress "quiet"

            rule "All" {
              on = { "present", "send" }, channel = { "a", "b" }, topic = "t", category = "c", state = "not_running", os = "ios",
              min_os = 17, app_version = { ">=3.2", "< 4" }, locale = "ko", tab = "chat", silent = false, urgency = "high",
              when = function(msg) return true end, decide = quiet, priority = 1.5, final = true, override = true,
              enabled = false, note = "why",
            }
            """
        ])
        let rule = try #require(ruleset.rules.first)
        #expect(rule.name == "All" && rule.file == "a.lua" && rule.line == 3)
        #expect(rule.events == [.present, .send])
        let matchers = rule.matchers.map { "\($0.field.rawValue)=\($0.values.joined(separator: ","))" }.sorted()
        #expect(
            matchers == [
                "app_version=>=3.2,< 4", "category=c", "channel=a,b", "locale=ko", "min_os=17", "os=ios", "silent=false",
                "state=not_running", "tab=chat", "topic=t", "urgency=high",
            ])
        #expect(rule.priority == 1.5 && rule.isFinal && rule.overrides && !rule.isEnabled && rule.note == "why")
        #expect(rule.when != nil)
        guard case .table(let contribution) = rule.decide else {
            Issue.record("decide is not a table")
            return
        }
        #expect(contribution.action == .suppress && contribution.reason == "quiet")
    }

    @Test(
        "A table that a script word makes stands for decide",
        arguments: ["show { 'banner', badge = '+1' }", "show {}", "route 'shop://x'", "defer('2h', 'later')", "show()"])
    func words(decide: String) throws {
        let ruleset = try load(["a.lua": "rule 'x' { on = 'present', decide = \(decide) }"])
        guard case .table(let contribution) = ruleset.rules.first?.decide else {
            Issue.record("decide is not a table")
            return
        }
        #expect(!contribution.fields.isEmpty)
    }

    @Test("A final rule may do without decide")
    func final() throws {
        let ruleset = try load(["a.lua": "rule 'x' { on = 'present', final = true }"])
        #expect(ruleset.rules.first.map { $0.decide == nil } ?? false)
    }

    @Test("Every key of app.lua is read")
    func manifest() throws {
        let manifest = try load([
            "app.lua": """
            local tabs = require "lib.tabs"
            return {
              api = 1, title = "Chat", timezone = "Asia/Seoul", tabs = tabs, unknown_channel = false, on_error = "suppress",
              channels = { chat = { title = "Chat", default = false, critical = true }, promo = {} },
              fields = { title = { "data.t", "json:data.m|t" }, body = "text" },
              links = { schemes = { "Shop", "https" }, hosts = { "*.example.com" }, fallback = "shop://home", order = { "url", "custom.u" } },
              topics = { "APPPUSH%{recipient}", "news" },
              limits = { fuel = 1000, memory_bytes = 4000000, milliseconds = 5 },
              dedupe = { window = "28d", content_window = 5 },
              guards = { expired = false, link = "warn", empty = true, account = "off" },
            }
            """,
            "lib/tabs.lua": "return { 'home', 'chat' }",
        ]).manifest
        #expect(manifest.title == "Chat" && manifest.timezone == "Asia/Seoul" && manifest.tabs == ["home", "chat"])
        #expect(!manifest.unknownChannelIsOn && manifest.onError == .suppress)
        let channels = try #require(manifest.channels).sorted { $0.code < $1.code }
        #expect(channels.map(\.code) == ["chat", "promo"])
        #expect(!channels[0].isOnByDefault && channels[0].isCritical && channels[0].title == "Chat")
        #expect(channels[1].isOnByDefault && !channels[1].isCritical && channels[1].title == nil)
        #expect(manifest.fields != .none)
        #expect(manifest.links == Manifest.Links(schemes: ["shop", "https"], hosts: ["*.example.com"], fallback: "shop://home"))
        #expect(manifest.linkOrder == ["url", "custom.u"])
        #expect(manifest.topics.map(\.text) == ["APPPUSH%{recipient}", "news"])
        #expect(manifest.limits.fuel == 1000 && manifest.limits.memoryBytes == 4_000_000 && manifest.limits.milliseconds == 5)
        #expect(manifest.dedupe.windowMilliseconds == 28 * 86_400_000 && manifest.dedupe.contentWindowMilliseconds == 5000)
        #expect(manifest.guards == [.expired: .off, .link: .warn, .empty: .on, .account: .off])
    }

    @Test("An app with nothing but api has no rules and no channels; empty channels are channels")
    func minimal() throws {
        let bare = try load([:])
        #expect(bare.rules.isEmpty && bare.manifest.channels == nil && bare.app == "chat")
        #expect(try load(["app.lua": "return { api = 1, channels = {} }"]).manifest.channels == [])
    }

    @Test("An app may lower the operator's limits, never raise them")
    func limits() {
        var app = LimitOverrides()
        app.fuel = 10
        app.memoryBytes = Int.max
        app.milliseconds = 1_000_000
        let operators = ScriptLimits()
        let lowered = operators.lowered(by: app)
        #expect(lowered.callFuel == 10 && lowered.memory == operators.memory && lowered.callMilliseconds == operators.callMilliseconds)
    }

    @Test("The hash changes with every file of the app and with shared modules that are used, not with others")
    func hash() throws {
        let files = [
            "a.lua": "local t = require 'shared.text'", "_shared/lib/text.lua": "return require 'shared.deep'",
            "_shared/lib/deep.lua": "return 1", "_shared/lib/other.lua": "return 2",
        ]
        let base = try load(files)
        #expect(base.hash.count == 12)
        #expect(base.files.map(\.path) == ["_shared/lib/deep.lua", "_shared/lib/text.lua", "a.lua", "app.lua"])
        func changed(_ path: String, _ text: String) throws -> String {
            var changed = files
            changed[path] = text
            return try load(changed).hash
        }
        #expect(try changed("_shared/lib/other.lua", "return 3") == base.hash)
        #expect(try changed("notes.txt", "x") == base.hash)
        #expect(try changed("_shared/lib/deep.lua", "return 2") != base.hash)
        #expect(try changed("a.lua", "local t = require 'shared.text' ") != base.hash)
        #expect(try changed("b.lua", "") != base.hash)
        #expect(try changed("lib/room.lua", "return 1") != base.hash)
    }
}
