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
