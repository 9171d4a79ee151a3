// Nothing that a decision, an effect, a state or a limit holds may be forgotten on its way to another process. A new property
// is found here by itself: its name is not in the list, or a value in which everything is set leaves it empty, or it does
// not come back.
import JSONDocument
import PushMessage
import Testing

@testable import LuaSandbox
@testable import RuleEngine

struct CrossingCompletenessTests {
    /// Stored properties by type. Whoever adds one writes and reads it in RuleEngine/Crossing, sets it in the values below, and
    /// names it here; `microseconds` alone does not cross: the asking side measures it.
    private static let known: [String: String] = [
        "Decision":
            "app ruleset event messageID recipient isDuplicate display content badge route topics tokenAction fetchResult inbox deferred "
            + "labels payload warnings errors trace usage",
        "Display": "action options reason detail rule until",
        "Content": "title subtitle body sound category thread interruptionLevel relevance attachments",
        "Attachment": "url type kind bytes budgetSeconds",
        "Badge": "value change cause rule",
        "Route": "url tab path mode account isPending reason rule",
        "TopicOperation": "kind topic",
        "RuleError": "code rule file line message hint",
        "Warning": "code path message hint",
        "Usage": "fuel memoryBytes microseconds strains",
        "Strain": "limit used allowed rule file line",
        "Trace": "rules guards notes log",
        "RuleLine": "rule file line outcome because set lost branches lines linesLeftOut",
        "RanLine": "call file line source times values valuesLeftOut",
        "Value": "path json",
        "GuardLine": "guard effect",
        "AppState": "shared recipients",
        "RecipientState":
            "values channels appPush timezone badge wantedTopics confirmedTopics inbox pendingRoutes seen caps deferred tokens",
        "StoredValue": "json expiresAt",
        "StoredTokens": "apns fcm waiting",
        "SeenMessage": "id isIDGenerated content first events hasCountedBadge caps openRoute",
        "SeenMark": "record recordFirst message window",
        "CapCount": "instants until",
        "DeferredMessage": "id event message format device until attempt rule ruleset",
        "LoadLimits": "files bytes rules script",
        "ScriptLimits":
            "memory block string source loadFuel callFuel loadMilliseconds callMilliseconds valueBytes valueNodes valueDepth "
            + "definitionBytes definitionNodes definitionDepth rules caughtErrors",
        "RuleFault": "code file line column message hint",
        "EvaluationOptions": "tracesRules tracesLines payload measuresMemory",
        "EvaluationRequest": "message device event now state options",
        "Evaluation": "decision effects",
        "RuleWarning": "code file line column message hint",
    ]

    @Test("A decision with everything comes back with everything")
    func decision() throws {
        var look = Look()
        var whole = Sample.decision
        whole.deferred = [Sample.decision]
        look.at(whole)
        var writer = CrossingWriter()
        writer.write(whole)
        let back = try writer.bytes.withUnsafeBytes { bytes in
            var reader = CrossingReader(bytes)
            let decision = try reader.decision()
            try reader.finish()
            return decision
        }
        look.compare(with: back)
        look.finish(Self.known, empty: ["deferred.0.deferred", "usage.microseconds", "deferred.0.usage.microseconds"])
    }

    @Test("A recipient's state with everything comes back with everything")
    func state() throws {
        var look = Look()
        look.at(Sample.recipient)
        var writer = CrossingWriter()
        writer.write(Sample.recipient, seen: Sample.recipient.seen.messages)
        let back = try writer.bytes.withUnsafeBytes { bytes in
            var reader = CrossingReader(bytes)
            let recipient = try reader.recipientState()
            try reader.finish()
            return recipient
        }
        #expect(back == Sample.recipient)
        look.compare(with: back)
        look.finish(Self.known)
        look.names(of: AppState(), Self.known)
    }

    /// No effect can be added without a number here, and a value of it below.
    private func number(of effect: Effect) -> Int {
        switch effect {
        case .setValue: 0
        case .deleteValue: 1
        case .setChannel: 2
        case .resetChannels: 3
        case .setAppPush: 4
        case .setBadge: 5
        case .sawMessage: 6
        case .countForCap: 7
        case .setTopics: 8
        case .setTokens: 9
        case .keepDeferred: 10
        case .dropDeferred: 11
        case .keepInInbox: 12
        case .takeInbox: 13
        case .keepPendingRoute: 14
        case .takePendingRoutes: 15
        }
    }
    private static let kinds = 16

    @Test("All effects come back with everything")
    func effects() throws {
        #expect(Set(Sample.effects.map(number)) == Set(0..<Self.kinds))
        var look = Look()
        look.at(Sample.effects)
        var writer = CrossingWriter()
        writer.write(Sample.effects)
        let back = try writer.bytes.withUnsafeBytes { bytes in
            var reader = CrossingReader(bytes)
            let effects = try reader.effects()
            try reader.finish()
            return effects
        }
        #expect(back == Sample.effects)
        look.compare(with: back)
        look.finish(Self.known)
        // What is read is what is written: no number beyond the last is an effect.
        for kind in UInt8(Self.kinds)...255 {
            let bytes = [1, 0, 0, 0, kind] + [UInt8](repeating: 0, count: 64)
            #expect(throws: CrossingFault("an effect")) {
                try bytes.withUnsafeBytes { bytes in
                    var reader = CrossingReader(bytes)
                    _ = try reader.effects()
                }
            }
        }
    }

    @Test("All limits come back")
    func limits() throws {
        var limits = LoadLimits()
        (limits.files, limits.bytes, limits.rules) = (101, 102, 103)
        (limits.script.memory, limits.script.block, limits.script.string, limits.script.source) = (104, 105, 106, 107)
        (limits.script.loadFuel, limits.script.callFuel) = (108, 109)
        (limits.script.loadMilliseconds, limits.script.callMilliseconds) = (110, 111)
        (limits.script.valueBytes, limits.script.valueNodes, limits.script.valueDepth) = (112, 113, 114)
        (limits.script.definitionBytes, limits.script.definitionNodes, limits.script.definitionDepth) = (115, 116, 117)
        (limits.script.rules, limits.script.caughtErrors) = (118, 119)
        // None is left at what it is by itself.
        let (mine, usual) = (Look.leaves(of: limits), Look.leaves(of: LoadLimits()))
        #expect(mine.count == 19 && usual.count == mine.count)
        for (one, other) in zip(mine, usual) { #expect(one != other, "not set in this test") }
        var look = Look()
        look.at(limits)
        let bytes = AppCrossing.bytes(app: "app", files: [SourceFile(path: "app.lua", bytes: [65])], limits: limits)
        let back = try bytes.withUnsafeBytes { try AppCrossing.read($0) }
        #expect(back.app == "app" && back.files.map(\.path) == ["app.lua"] && back.files.map(\.bytes) == [[65]])
        #expect(back.limits == limits)
        look.compare(with: back.limits)
        look.finish(Self.known)
    }

    @Test("Faults come back with everything")
    func faults() throws {
        let fault = RuleFault(code: .luaSyntax, file: "rules.lua", line: 1, column: 2, message: "m", hint: "h")
        var look = Look()
        look.at(fault)
        let back = try AppCrossing.bytes(of: [fault]).withUnsafeBytes { try AppCrossing.faults($0) }
        look.compare(with: back[0])
        look.finish(Self.known)
        look.names(of: RuleWarning(code: .neverActs, file: "f", line: 1, column: 1, message: "m", hint: nil), Self.known)
    }

    @Test("A question comes back with everything: message, device, event, time and options")
    func question() throws {
        var scene = Scene(rules: #"rule "A" { on = "due", decide = suppress "no" }"#)
        scene.device = """
            {"recipient":"u-1","state":"foreground","permission":"provisional","push":true,"os":{"name":"android","version":"15"},\
            "app_version":"2.0","channels":{"news":false},"screen":{"tab":"chat","path":["r-1"]},"badge":4,"topics":["a"],\
            "locale":"ko-KR","timezone":"Asia/Seoul","accounts":["a-1"],"tap":true,"action":"reply","odd":1}
            """
        scene.options = EvaluationOptions(tracesRules: true, tracesLines: true, payload: .shown, measuresMemory: true)
        let evaluator = Evaluator(try scene.load())
        try scene.asked(evaluator) { request in
            let look = Look()
            look.names(of: request, Self.known)
            look.names(of: request.options, Self.known)
            look.names(of: evaluator.evaluate(request), Self.known)
            let question = Question(request, windows: DedupeWindows())
            let reader = QuestionReader(evaluator.ruleset.manifest)
            try question.bytes.withUnsafeBytes { bytes in
                let back = try reader.read(bytes)
                #expect(Look.leaves(of: back.options) == Look.leaves(of: request.options))
                #expect(back.now == request.now && back.event.name == request.event.name)
                #expect(Look.leaves(of: back.device) == Look.leaves(of: request.device))
                #expect(Look.leaves(of: back.device).count > 20)
                let (there, here) = (try #require(back.message), try #require(request.message))
                #expect(Look.text(there.view) == Look.text(here.view) && there.format == here.format && there.id == here.id)
            }
        }
    }
}

/// Everything that stands in a value, by its path.
private struct Look {
    private var leaves: [String] = []
    private var empty: [String] = []
    private var types: [String: [String]] = [:]

    mutating func at(_ value: Any) { walk(value, "") }

    static func leaves(of value: Any) -> [String] {
        var look = Look()
        look.at(value)
        return look.leaves
    }

    static func text(_ value: JSONValue) -> String {
        var writer = JSONWriter(reserving: 256)
        writer.value(value)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    func compare(with other: Any) {
        let theirs = Look.leaves(of: other)
        #expect(leaves == theirs, "not all came back")
        #expect(leaves.count > 3)
    }

    /// - Parameter allowed: paths that are empty because nothing may be there.
    func finish(_ known: [String: String], empty allowed: Set<String> = []) {
        #expect(Set(empty).subtracting(allowed) == [], "these are not set: whether they come back is not seen")
        for (type, names) in types { #expect(names.joined(separator: " ") == known[type], "\(type)") }
    }

    func names(of value: Any, _ known: [String: String]) {
        let mirror = Mirror(reflecting: value)
        let type = Look.name(of: value)
        #expect(mirror.children.compactMap(\.label).joined(separator: " ") == known[type], "\(type)")
    }

    private static func name(of value: Any) -> String { String(describing: type(of: value)) }

    private mutating func leaf(_ text: String, _ path: String, isEmpty: Bool) {
        leaves.append("\(path) = \(text)")
        if isEmpty { empty.append(path) }
    }

    private mutating func walk(_ value: Any, _ path: String) {
        let inner = { (name: String) in path.isEmpty ? name : "\(path).\(name)" }
        switch value {
        case let text as String: return leaf(text, path, isEmpty: text.isEmpty)
        case let flag as Bool: return leaf("\(flag)", path, isEmpty: !flag)
        case let number as any BinaryInteger: return leaf("\(number)", path, isEmpty: "\(number)" == "0")
        case let number as Double: return leaf("\(number)", path, isEmpty: number == 0)
        case let bytes as [UInt8]: return leaf("\(bytes)", path, isEmpty: bytes.isEmpty)
        case let text as JSONText: return leaf(text.string, path, isEmpty: false)
        case let json as JSONValue: return leaf(Look.text(json), path, isEmpty: false)
        case let seen as SeenMessages: return walk(seen.messages, path)
        case let waiting as DeferredMessages: return walk(Array(waiting), path)
        default: break
        }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional:
            if let some = mirror.children.first { walk(some.value, path) } else { leaf("nil", path, isEmpty: true) }
        case .collection, .set, .dictionary:
            if mirror.children.isEmpty { leaf("[]", path, isEmpty: true) }
            // Tables have no order; the values here have one entry each.
            for (place, child) in mirror.children.enumerated() { walk(child.value, inner("\(place)")) }
        case .enum:
            leaf("\(value)", path, isEmpty: false)
            for child in mirror.children { walk(child.value, inner(child.label ?? "")) }
        case .class: break
        default:
            let type = Look.name(of: value)
            let names = mirror.children.compactMap(\.label)
            if mirror.displayStyle == .struct, !Look.isUnlisted(type) { types[type] = names }
            if mirror.children.isEmpty { leaf("\(value)", path, isEmpty: false) }
            for (place, child) in mirror.children.enumerated() { walk(child.value, inner(child.label ?? "\(place)")) }
        }
    }

    /// Values of one part, which cross as that, and what is read from the device's text again.
    private static let unlisted = [
        "ExactTable", "ExactText", "Instant", "ContentDigest", "DisplayOptions", "SeenEvents", "Device", "DeviceKeys", "Zone",
        "RuleBranches",
    ]

    private static func isUnlisted(_ type: String) -> Bool { unlisted.contains { type == $0 || type.hasPrefix("\($0)<") } }
}

private enum Sample {
    static let instant = Instant(milliseconds: 1_700_000_000_123)
    static let until = Until.at(instant, local: "2026-01-02 08:00", zone: "Asia/Seoul")

    static var seen: SeenMessage {
        var message = SeenMessage(id: "m-1", first: instant, events: SeenEvents(.present))
        message.isIDGenerated = true
        message.content = ContentDigest(words: 7, 8)
        message.hasCountedBadge = true
        message.caps = ["cap"]
        message.openRoute = Array("{}".utf8)
        return message
    }

    static let waiting = DeferredMessage(
        id: "d-1", event: .present, message: Array("{}".utf8), format: .apns, device: Array("{}".utf8), until: until, attempt: 2,
        rule: "R", ruleset: "abc")

    static var tokens: StoredTokens {
        var tokens = StoredTokens()
        (tokens.apns, tokens.fcm, tokens.waiting) = ("a", "f", "w")
        return tokens
    }

    static var recipient: RecipientState {
        var state = RecipientState()
        state.values["k"] = StoredValue(json: Array("1".utf8), expiresAt: instant)
        state.channels["news"] = true
        state.appPush = true
        state.timezone = "Asia/Seoul"
        state.badge = 3
        state.wantedTopics = ["a"]
        state.confirmedTopics = ["b"]
        state.inbox = [Array("{}".utf8)]
        state.pendingRoutes = [Array("{}".utf8)]
        state.seen = SeenMessages([seen])
        var count = CapCount()
        count.instants = [instant]
        count.until = instant
        state.caps["cap"] = count
        state.deferred = DeferredMessages([waiting])
        state.tokens = tokens
        return state
    }

    static let effects: [Effect] = [
        .setValue(scope: .app, key: "k", value: StoredValue(json: Array("1".utf8), expiresAt: instant)),
        .deleteValue(scope: .app, key: "k"), .setChannel(code: "c", on: true), .resetChannels, .setAppPush(true), .setBadge(4),
        .sawMessage(SeenMark(record: "r", recordFirst: instant, message: seen, window: 5)),
        .countForCap(key: "cap", at: instant, limit: 2, span: 6), .setTopics(wanted: ["a"], confirmed: ["b"]), .setTokens(tokens),
        .keepDeferred(waiting), .dropDeferred(id: "d"), .keepInInbox(Array("{}".utf8)), .takeInbox,
        .keepPendingRoute(Array("{}".utf8)), .takePendingRoutes,
    ]

    static var decision: Decision {
        var decision = Decision(app: "app", ruleset: "0123456789ab", event: .present)
        decision.messageID = "m-1"
        decision.recipient = "u-1"
        decision.isDuplicate = true
        decision.display = Display(action: .show, options: .alert, reason: "r", detail: "d", rule: "R", until: until)
        (decision.content.title, decision.content.subtitle, decision.content.body) = ("t", "s", "b")
        (decision.content.sound, decision.content.category, decision.content.thread) = ("so", "c", "th")
        (decision.content.interruptionLevel, decision.content.relevance) = ("active", 0.5)
        decision.content.attachments = [Content.Attachment(url: "u", type: "t", kind: .png, bytes: 9, budgetSeconds: 10)]
        decision.badge = Badge(value: 1, change: 2, cause: .shown(wanted: 3), rule: "R")
        var route = Route()
        (route.url, route.tab, route.path, route.mode) = ("u", "t", ["p"], .push)
        (route.account, route.isPending, route.reason, route.rule) = ("a", true, "why", "R")
        decision.route = route
        decision.topics = [TopicOperation(kind: .subscribe, topic: "t")]
        decision.tokenAction = .register
        decision.fetchResult = .newData
        decision.inbox = Array("{}".utf8)
        decision.labels = [(name: "n", value: "v")]
        decision.payload = Array("{}".utf8)
        decision.warnings = [Warning(code: WarningCode.allCases[0], path: "p", message: "m", hint: "h")]
        decision.errors = [RuleError(code: "c", rule: "R", file: "f", line: 4, message: "m", hint: "h")]
        var trace = Trace()
        trace.rules = [
            Trace.RuleLine(
                rule: "R", file: "f", line: 5, outcome: .matched, because: "b", set: [(field: "f", json: Array("1".utf8))],
                lost: [(field: "f", winner: "w")], branches: RuleBranches(.decided),
                lines: [
                    Trace.RanLine(
                        call: .when, file: "f", line: 6, source: "s", times: 7,
                        values: [Trace.RanLine.Value(path: "p", json: Array("1".utf8))], valuesLeftOut: 8)
                ], linesLeftOut: 9)
        ]
        trace.guards = [Trace.GuardLine(guard: GuardName.allCases[0], effect: "e")]
        (trace.notes, trace.log) = (["n"], ["l"])
        decision.trace = trace
        (decision.usage.fuel, decision.usage.memoryBytes) = (11, 12)
        decision.usage.strains = [Strain(limit: .memory, used: 5, allowed: 6, rule: "R", file: "f", line: 7)]
        return decision
    }
}
