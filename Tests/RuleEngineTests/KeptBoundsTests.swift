// What is kept for the app until it comes to the front has an end, and says so.
import PushMessage
import Testing

@testable import RuleEngine

@Suite struct KeptBoundsTests {
    private func filled(_ count: Int, rules: String, event: String, device: String, padding: Int = 0) throws -> (Scene, [Scene.Answer]) {
        var scene = Scene(rules: rules, device: device, event: event)
        let evaluator = try Evaluator(scene.load())
        var answers: [Scene.Answer] = []
        for number in 1...count {
            scene.message =
                #"{"message_id":"m-\#(number)","aps":{"content-available":1},"n":\#(number),"pad":"\#(String(repeating: "x", count: padding))"}"#
            let answer = try scene.answer(from: evaluator)
            scene.state = answer.state
            answers.append(answer)
        }
        return (scene, answers)
    }

    private let keep = #"rule "K" { on = "receive", decide = function(msg) return { inbox = { n = msg.data.n, pad = msg.data.pad } } end }"#
    private let background = #"{"recipient":"u-1","state":"background"}"#

    @Test("The inbox keeps the newest thousand values and says what it drops")
    func inbox() throws {
        let (scene, answers) = try filled(1_002, rules: keep, event: #""receive""#, device: background)
        #expect(scene.state.one.inbox.count == Inbox.most)
        #expect(scene.state.one.inbox.first == Array(#"{"n":3,"pad":""}"#.utf8))
        #expect(answers[999].decision.warnings.isEmpty)
        #expect(answers.suffix(2).allSatisfy { $0.decision.warnings.map(\.code) == [.inboxFull] })
        #expect(answers.last?.decision.warnings.first?.message.contains("the oldest value is dropped") == true)
    }

    @Test("The inbox keeps at most 256 KiB")
    func inboxBytes() throws {
        let (scene, answers) = try filled(12, rules: keep, event: #""receive""#, device: background, padding: 30_000)
        #expect(scene.state.one.inbox.reduce(0) { $0 + $1.count } <= Inbox.mostBytes)
        #expect(scene.state.one.inbox.count == 8 && answers.last?.decision.warnings.map(\.code).contains(.inboxFull) == true)
    }

    @Test(
        "What makes room is no more than what must", arguments: [(0, 1, 0), (999, 1, 0), (1_000, 1, 1), (3, 200_000, 2), (0, 400_000, 0)])
    func room(count: Int, size: Int, lost: Int) {
        let values = Array(repeating: [UInt8](repeating: 48, count: count > 3 ? 1 : 60_000), count: count)
        #expect(Inbox.tooMany(values, with: [UInt8](repeating: 48, count: size)) == lost)
    }

    @Test("Of the routes that wait the newest sixteen are kept")
    func pending() throws {
        let rules = #"rule "R" { on = "open", decide = function(msg) return route { tab = "t", path = { msg.data.n } } end }"#
        let (scene, _) = try filled(20, rules: rules, event: #""open""#, device: #"{"recipient":"u-1","state":"terminated"}"#)
        #expect(scene.state.one.pendingRoutes.count == PendingRoutes.most)
        var resumed = scene
        (resumed.message, resumed.event) = (nil, #""resume""#)
        resumed.options.tracesRules = true
        let answer = try resumed.answer()
        #expect(answer.decision.route?.path == ["20"] && answer.decision.trace?.notes.count == 15)
    }

    @Test("One person has at most a thousand keys of caps that count; a rule that makes one more fails and says so")
    func capKeys() throws {
        let rules = #"rule "C" { on = "present", cap = { 1, per = "1h", key = function(msg) return msg.id end } }"#
        var scene = Scene(rules: rules, device: #"{"recipient":"u-1","state":"foreground"}"#, event: #""present""#)
        let evaluator = try Evaluator(scene.load())
        func answer(_ id: Int) throws -> Scene.Answer {
            scene.message = #"{"message_id":"m-\#(id)","aps":{"alert":"\#(id)"}}"#
            let answer = try scene.answer(from: evaluator)
            scene.state = answer.state
            return answer
        }
        for id in 0..<CapCount.mostKeys { #expect(try answer(id).decision.errors.isEmpty) }
        let refused = try answer(CapCount.mostKeys)
        #expect(refused.decision.errors.map(\.code) == ["bad_value"] && refused.decision.display?.action == .show)
        #expect(refused.decision.errors[0].message.contains("one more than the 1000 that are kept"))
        #expect(scene.state.one.caps.count == CapCount.mostKeys)
        // An hour later they count no more.
        scene.now = Instant(milliseconds: scene.now.milliseconds + 3_600_001)
        #expect(try answer(2_000).decision.errors.isEmpty)
    }

    @Test("The caps of one person keep ten thousand moments; a rule that would keep one more fails and says so")
    func capInstants() throws {
        let rules = (0..<12).map { #"rule "C\#($0)" { on = "present", cap = { 1000, per = "1d" } }"# }.joined(separator: "\n")
        var scene = Scene(rules: rules, device: #"{"recipient":"u-1","state":"foreground"}"#, event: #""present""#)
        for number in 0..<12 {
            var count = CapCount()
            for step in 0..<(number < 10 ? 940 : 270) {
                count.add(Instant(milliseconds: scene.now.milliseconds - Int64(step)), keeping: 1_000, span: 86_400_000)
            }
            scene.state.one.caps["C\(number)"] = count
        }
        // 9,940 are there, and each message adds twelve.
        let evaluator = try Evaluator(scene.load())
        var failed: [Int] = []
        for id in 0..<12 {
            scene.message = #"{"message_id":"m-\#(id)","aps":{"alert":"\#(id)"}}"#
            let answer = try scene.answer(from: evaluator)
            scene.state = answer.state
            failed.append(answer.decision.errors.count)
        }
        let kept = scene.state.one.caps.reduce(0) { $0 + $1.value.instants.count }
        #expect(kept == CapCount.mostOfAll)
        #expect(failed == [0, 0, 0, 0, 0, 12, 12, 12, 12, 12, 12, 12])
        // A cap that is full holds a message back all the same.
        scene.rules = #"rule "C0" { on = "present", cap = { 900, per = "1d" } }"#
        scene.message = #"{"message_id":"m-full","aps":{"alert":"x"}}"#
        let full = try scene.answer()
        #expect(full.decision.errors.isEmpty && full.decision.display?.action == .suppress)
        // A day later they count no more.
        scene.now = Instant(milliseconds: scene.now.milliseconds + 86_400_001)
        scene.message = #"{"message_id":"m-next","aps":{"alert":"x"}}"#
        #expect(try scene.answer(from: evaluator).decision.errors.isEmpty)
    }

    @Test(
        "One person has at most 1,024 keys of state and an app 4,096; those that are there can always be written",
        arguments: ["state", "state.app"])
    func stateKeys(scope: String) throws {
        let rules = """
            rule "K" { on = "present", decide = function(msg)
              local from = tonumber(msg.id)
              for i = from, from + 511 do \(scope).set(string.format("%x", i), 0) end
            end }
            rule "Known" { on = "present", decide = function() \(scope).set("1", 1) return { labels = { known = "written" } } end }
            """
        var scene = Scene(rules: rules, device: #"{"recipient":"u-1","state":"foreground"}"#, event: #""present""#)
        let evaluator = try Evaluator(scene.load())
        let most = scope == "state" ? 1_024 : 4_096
        for step in 0...(most / 512) {
            scene.message = #"{"message_id":"\#(step * 512 + 1)","aps":{"alert":"x"}}"#
            let answer = try scene.answer(from: evaluator)
            scene.state = answer.state
            #expect(answer.decision.errors.isEmpty == (step < most / 512) && answer.decision.labels.isEmpty == false)
            if let error = answer.decision.errors.first {
                #expect(error.message.contains("would be one more than the \(most) keys that are kept"), "\(error)")
            }
        }
        #expect((scope == "state" ? scene.state.one.values : scene.state.shared).count == most)
    }

    @Test("Rules bring one person into two thousand topics, as many as FCM has room for, and say what is left out")
    func mostTopics() throws {
        let rules = """
            rule "T" { on = "present", decide = function(msg)
              local all = {}
              for i = 1, 900 do all[i] = "t-" .. msg.id .. "-" .. i end
              return { topics = { subscribe = all } }
            end }
            """
        var scene = Scene(rules: rules, device: #"{"recipient":"u-1","state":"foreground"}"#, event: #""present""#)
        let evaluator = try Evaluator(scene.load())
        var counts: [Int] = []
        for id in 1...4 {
            scene.message = #"{"message_id":"m-\#(id)","aps":{"alert":"\#(id)"}}"#
            let answer = try scene.answer(from: evaluator)
            scene.state = answer.state
            counts.append(answer.decision.topics.count)
            #expect(answer.decision.warnings.map(\.code) == (id < 3 ? [] : [.topicsFull]))
            if id == 3 { #expect(answer.decision.warnings[0].message.contains("700 are not subscribed to")) }
        }
        #expect(counts == [900, 900, 200, 0] && scene.state.one.wantedTopics?.count == 2_000)
    }

    @Test("A topic is as long as FCM takes it, and no longer", arguments: [(900, true), (901, false)])
    func topicLength(count: Int, isOne: Bool) throws {
        let rules = #"rule "T" { on = "present", decide = function() return { topics = { subscribe = { ("t"):rep(\#(count)) } } } end }"#
        let scene = Scene(rules: rules, device: #"{"recipient":"u-1","state":"foreground"}"#, event: #""present""#)
        let answer = try scene.answer()
        #expect(answer.decision.topics.count == (isOne ? 1 : 0) && answer.decision.errors.isEmpty == isOne)
    }

    @Test("Of what rules add to the messages that were here a quarter of a MiB is kept, the newest; written down and read it is the same")
    func extras() throws {
        var seen = SeenMessages()
        func open(_ number: Int, _ bytes: Int, again: Bool = false) {
            var message = SeenMessage(id: "m-\(number)", first: Instant(milliseconds: Int64(number)), events: SeenEvents(.open))
            message.openRoute = [UInt8](repeating: 48, count: bytes)
            message.caps = ["c"]
            seen.apply(SeenMark(record: again ? message.id : nil, message: message, window: 1_000_000))
        }
        for number in 0..<100 { open(number, 10_000) }
        func rich(_ seen: SeenMessages) -> [String] { seen.messages.filter { $0.openRoute != nil }.map(\.id) }
        let newest = (100 - SeenMessages.mostExtraBytes / 10_001)..<100
        #expect(seen.count == 100 && rich(seen) == newest.map { "m-\($0)" })
        // The oldest is opened now: it is what was opened last, and the others make room.
        open(0, 30_000, again: true)
        #expect(rich(seen) == ["m-0"] + newest.dropFirst(3).map { "m-\($0)" })
        var read = SeenMessages(seen.messages)
        #expect(read == seen)
        var next = SeenMessage(id: "m-100", first: Instant(milliseconds: 100))
        next.openRoute = [UInt8](repeating: 48, count: 40_000)
        let mark = SeenMark(record: nil, message: next, window: 1_000_000)
        seen.apply(mark)
        read.apply(mark)
        #expect(read == seen && rich(seen).last == "m-100" && !rich(seen).contains("m-0"))
        // One alone may be as large as it is.
        next.id = "m-101"
        next.openRoute = [UInt8](repeating: 48, count: SeenMessages.mostExtraBytes + 1)
        seen.apply(SeenMark(record: nil, message: next, window: 1_000_000))
        #expect(rich(seen) == ["m-101"])
        // What is over leaves with all that it had.
        next.id = "m-102"
        (next.openRoute, next.first) = ([49], Instant(milliseconds: 2_000_000))
        seen.apply(SeenMark(record: nil, message: next, window: 1_000_000))
        #expect(seen.count == 1 && rich(seen) == ["m-102"])
        for number in 3_000_000..<3_000_010 { open(number, 20_000) }
        #expect(rich(seen).count == 10)
    }

    @Test("A person leaves and joins thousands of topics, each once")
    func topics() throws {
        let known = (0..<4_000).map { "t-\($0)" }
        var state = AppState()
        (state.one.wantedTopics, state.one.confirmedTopics) = (known, known + known.prefix(10))
        var scene = Scene(message: nil, event: #"{"name":"account","op":"logout","account":"u-1"}"#, state: state)
        let left = try scene.answer()
        #expect(left.decision.topics.map(\.topic) == known && left.state.one.wantedTopics == [])
        (scene.state, scene.event) = (left.state, #""resume""#)
        #expect(try scene.answer().decision.topics.map(\.topic) == known)
    }

    @Test("Thousands of copies of one text are told apart as quickly as others")
    func sameText() throws {
        var seen = SeenMessages()
        let content = try #require(ContentDigest("hash:00000000000000000000000000000001"))
        for number in 0..<20_000 {
            let id = "m-\(number)"
            let question = SeenMessages.Question(
                id: id, isIDGenerated: false, event: SeenEvents(.send), now: Instant(milliseconds: 0), window: 1_000_000,
                contentWindow: 5_000)
            #expect(seen.find(question) { content } == nil)
            var message = SeenMessage(id: id, first: Instant(milliseconds: 0))
            (message.content, message.events) = (content, SeenEvents(.send))
            seen.apply(SeenMark(record: nil, message: message, window: 1_000_000))
        }
        // One without an id is a copy of any, and one with an id of that one.
        var lost = SeenMessage(id: content.text, first: Instant(milliseconds: 0))
        (lost.content, lost.events, lost.isIDGenerated) = (content, SeenEvents(.enrich), true)
        let question = SeenMessages.Question(
            id: lost.id, isIDGenerated: true, event: SeenEvents(.send), now: Instant(milliseconds: 0), window: 1_000_000,
            contentWindow: 5_000)
        #expect(seen.find(question) { content }?.id == "m-19999")
        seen.apply(SeenMark(record: nil, message: lost, window: 1_000_000))
        var other = SeenMessages.Question(
            id: "m-x", isIDGenerated: false, event: SeenEvents(.send), now: Instant(milliseconds: 0), window: 1_000_000,
            contentWindow: 5_000)
        #expect(seen.find(other) { content }?.isIDGenerated == true)
        other.first = Instant(milliseconds: 77)
        #expect(seen.find(other) { content }?.isIDGenerated == true)
    }
}
