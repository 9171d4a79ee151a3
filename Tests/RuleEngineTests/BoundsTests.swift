// Apps, devices, events and scripts that name thousands of things that nobody knows: what is said of them is bounded, and
// what is looked up is paid for.
import JSONDocument
import LuaSandbox
import PushMessage
import Testing

@testable import RuleEngine

@Suite("Bounds of what is told and looked up") struct EngineBoundsTests {
    private func load(_ files: [String: String]) -> LoadOutcome {
        var all = files.map { SourceFile(path: $0.key, bytes: Array($0.value.utf8)) }
        if files["app.lua"] == nil { all.append(SourceFile(path: "app.lua", bytes: Array("return { api = 1 }".utf8))) }
        return RulesetLoader.load(app: "test", files: all)
    }

    private func guesses(_ hints: [String?]) -> Int { hints.count { $0?.contains("did you mean") == true } }

    @Test("Of thousands of unknown keys a hundred are told, twenty with a guess, and the last says how many more there are")
    func unknownKeys() throws {
        let keys = "abcdefghijklmnopqrst".map { "priority\($0) = 1" }.joined(separator: ", ")
        let rules = (0..<60).map { #"rule "R\#($0)" { on = "open", \#(keys), decide = suppress "x" }"# }
        let files = ["a.lua": rules.prefix(30).joined(separator: "\n"), "b.lua": rules.dropFirst(30).joined(separator: "\n")]
        guard case .failed(let faults) = load(files) else { throw Unloadable(faults: ["it loads"]) }
        #expect(faults.count == 100 && guesses(faults.map(\.hint)) == 20, "\(faults.count) \(guesses(faults.map(\.hint)))")
        #expect(faults.last?.hint?.hasSuffix("; 1100 more are not told") == true, "\(faults.last?.hint ?? "")")
    }

    @Test("Of many time zones that there are not twenty are told with the one that was meant")
    func zones() throws {
        let rules = (0..<60).map { #"rule "R\#($0)" { on = "present", quiet = { "22:00", "08:00", zone = "Asia/Seouul" } }"# }
        guard case .failed(let faults) = load(["a.lua": rules.joined(separator: "\n")]) else { throw Unloadable(faults: ["it loads"]) }
        #expect(faults.count == 60 && guesses(faults.map(\.hint)) == 20)
    }

    @Test("Faults that are told by different readers are counted together")
    func manyFaults() throws {
        let rules = (0..<150).map { #"rule "R" { on = "open", decide = suppress "\#($0)" }"# }
        guard case .failed(let faults) = load(["a.lua": rules.joined(separator: "\n")]) else { throw Unloadable(faults: ["it loads"]) }
        #expect(faults.count == 100 && faults.last?.hint?.contains("49 more are not told") == true)
    }

    @Test("Of thousands of tabs that app.lua does not list a hundred are told")
    func unlistedTabs() throws {
        let listed = (0..<990).map { "\"tab-\($0)\"" }.joined(separator: ", ")
        let unlisted = (0..<50).map { "\"tabb-\($0)\"" }.joined(separator: ", ")
        let rules = (0..<10).map { #"rule "R\#($0)" { on = "open", tab = { \#(unlisted) }, decide = { labels = { a = "b" } } }"# }
        guard case .loaded(let app) = load(["app.lua": "return { api = 1, tabs = { \(listed) } }", "a.lua": rules.joined(separator: "\n")])
        else { throw Unloadable(faults: ["it does not load"]) }
        #expect(app.warnings.count == 100 && guesses(app.warnings.map(\.hint)) == 20)
        #expect(app.warnings.last?.hint?.hasSuffix("; 400 more are not told") == true, "\(app.warnings.last?.hint ?? "")")
    }

    @Test("A field has at most sixteen paths in app.lua")
    func paths() throws {
        func outcome(_ count: Int) -> LoadOutcome {
            let paths = (0..<count).map { "\"extra[\($0)].x\"" }.joined(separator: ", ")
            return load(["app.lua": "return {\n  api = 1,\n  fields = { title = { \(paths) } },\n}"])
        }
        guard case .loaded = outcome(16) else { throw Unloadable(faults: ["16 do not load"]) }
        guard case .failed(let faults) = outcome(17) else { throw Unloadable(faults: ["17 load"]) }
        #expect(faults.map(\.code) == [.badValue] && faults[0].line == 3 && faults[0].message.contains("17 paths"), "\(faults)")
        #expect(faults[0].column > 200, "it points at the first that is too many: \(faults[0].column)")
    }

    // MARK: devices and events

    @Test("Of a device's unknown keys a hundred are told")
    func deviceKeys() throws {
        let keys = (0..<300).map { "\"recipien\($0)\":1" }.joined(separator: ",")
        let warnings = try Scene(device: "{\"recipient\":\"u-1\",\(keys)}").answer().decision.warnings
        #expect(warnings.count == 100 && guesses(warnings.map(\.hint)) <= 20)
        #expect(warnings.last?.hint?.hasSuffix("; 200 more are not told") == true)
    }

    @Test("Of an event's unknown keys a hundred are told")
    func eventKeys() throws {
        let keys = (0..<300).map { "\"o\($0)\":1" }.joined(separator: ",")
        let scene = Scene(message: nil, event: "{\"name\":\"account\",\"op\":\"login\",\"account\":\"u-1\",\(keys)}")
        let warnings = try scene.answer().decision.warnings.filter { $0.code == .unknownEventKey }
        #expect(warnings.count == 100 && warnings.last?.hint?.hasSuffix("; 200 more are not told") == true)
    }

    @Test("A locale or a time zone of more than 64 bytes is as if it were not there", arguments: ["locale", "timezone"])
    func longNames(key: String) throws {
        let rules = #"rule "R" { on = "present", decide = function(_, device) return { labels = { v = tostring(device.\#(key)) } } end }"#
        for (count, isThere) in [(64, true), (65, false), (60_000, false)] {
            let name = String(repeating: "x", count: count)
            let answer = try Scene(rules: rules, device: "{\"recipient\":\"u-1\",\"\(key)\":\"\(name)\"}").answer()
            #expect(answer.decision.labels.first?.value == (isThere ? name : "nil"))
            #expect(answer.json.utf8.count < 2_000)
            if !isThere { #expect(answer.decision.warnings.map(\.path) == [key]) }
        }
    }

    // MARK: scripts

    private func app(_ body: String, locale: String = "ko-KR", channels: Int = 0) throws -> Evaluator {
        let listed = (0..<channels).map { "[\"c\($0)\"] = { default = \($0 % 2 == 0) }" }.joined(separator: ", ")
        let outcome = load([
            "app.lua": "return { api = 1, locale = \"en\", channels = { \(listed) } }",
            "lib/strings/en.lua": "return { greeting = \"Hello\" }",
            "a.lua": #"rule "R" { on = "present", decide = function() \#(body) end }"#,
        ])
        guard case .loaded(let app) = outcome else { throw Unloadable(faults: ["\(outcome)"]) }
        return Evaluator(app)
    }

    @Test("Keys that no language has are quoted by their beginning")
    func longKeys() throws {
        var scene = Scene()
        scene.limits.script.callMilliseconds = 20_000
        let body = #"for i = 1, 40 do text.tr(("x"):rep(2000) .. i) text.tr(i .. ("x"):rep(2000)) end return nil"#
        let answer = try scene.answer(from: app(body))
        #expect(answer.decision.errors.isEmpty, "\(answer.decision.errors)")
        #expect(answer.decision.warnings.count == 20 && answer.json.utf8.count < 12_000, "\(answer.json.utf8.count)")
    }

    @Test("A text in a language costs fuel for each language that may be tried, and by the bytes of the locale")
    func languages() throws {
        func fuel(_ locale: String) throws -> Int {
            let scene = Scene(device: "{\"recipient\":\"u-1\",\"locale\":\"\(locale)\"}")
            return try scene.answer(from: app(#"for i = 1, 100 do text.tr("nothing") end return nil"#)).decision.usage.fuel
        }
        let short = try fuel("ko")
        #expect(short >= 100 * 150)
        #expect(try fuel("zh-Hant-HK") - short >= 100 * 50)
        #expect(try fuel(String(repeating: "x", count: 64)) - fuel("xxxx") >= 100 * 30)
    }

    @Test("A switch that is asked for costs by the switches that the device says")
    func switches() throws {
        func fuel(_ count: Int) throws -> Int {
            let said = (0..<count).map { "\"k\($0)\":true" }.joined(separator: ",")
            let scene = Scene(device: "{\"recipient\":\"u-1\",\"channels\":{\(said)}}")
            return try scene.answer(from: app(#"for i = 1, 10 do settings.get("other") end return nil"#)).decision.usage.fuel
        }
        #expect(try fuel(5_000) - fuel(0) >= 10 * 2_500)
    }

    @Test("Each of very many channels has its own default", arguments: [3, 900])
    func channels(count: Int) throws {
        let got = ["c1", "c2", "z"].map { "\($0) = tostring(settings.get(\"\($0)\"))" }.joined(separator: ", ")
        let body = "return { labels = { \(got) } }"
        let answer = try Scene().answer(from: app(body, channels: count))
        #expect(answer.decision.labels.map(\.value) == ["false", "true", "true"], "\(answer.decision.errors)")
    }
}
