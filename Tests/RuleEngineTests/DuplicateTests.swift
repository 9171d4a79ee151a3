// Second copies: what is remembered of messages, for how long, and that whatever comes in whatever order counts once.
import JSONDocument
import PushMessage
import Testing

@testable import RuleEngine

@Suite struct DuplicateTests {
    @Test("In whatever order events and copies come, one message counts on the badge once", arguments: 1...8)
    func anyOrder(seed: UInt64) throws {
        var scene = Scene(
            rules: """
                rule "Count" { on = { "send", "enrich", "present", "receive", "due", "open" }, decide = show { badge = "+1" } }
                rule "Busy" { on = "present", tab = "busy", decide = suppress "busy" }
                """)
        let evaluator = try Evaluator(scene.load())
        var dice = Dice(seed: seed)
        var counted: Set<String> = []
        for _ in 0..<300 {
            scene.now = Instant(milliseconds: scene.now.milliseconds + dice.below(3_600_000))
            let id = "m-\(dice.below(12))"
            scene.message = #"{"message_id":"\#(id)","aps":{"alert":"\#(id)"}}"#
            scene.event = "\"\(["send", "enrich", "present", "receive", "due", "open", "resume"][Int(dice.below(7))])\""
            scene.device = #"{"recipient":"u-1","state":"foreground","screen":{"tab":"\#(dice.below(2) == 0 ? "busy" : "home")"}}"#
            let before = scene.state.one.badge ?? 0
            let answer = try scene.answer(from: evaluator)
            scene.state = answer.state
            if let badge = answer.decision.badge {
                #expect(badge.value == before + 1 && badge.reason == "+1: shown")
                #expect(counted.insert(id).inserted, "\(id) counts twice")
            }
            #expect(scene.state.one.badge ?? 0 == counted.count)
            if answer.decision.isDuplicate { #expect(answer.state == scene.state) }
        }
        #expect(counted.count == 12)
    }

    @Test("A long id is remembered by a digest: its message is found by it alone, and stays what it is", arguments: [255, 257, 60_000])
    func longID(length: Int) throws {
        let id = String(repeating: "x", count: length)
        var scene = Scene(rules: #"rule "R" { on = "present", decide = function(msg) return { labels = { size = "" .. #msg.id } } end }"#)
        scene.message = #"{"message_id":"\#(id)","aps":{"alert":"one"}}"#
        let first = try scene.answer()
        #expect(first.decision.messageID == id && first.decision.labels.first?.value == "\(length)")
        let kept = try #require(first.state.one.seen.messages.first)
        #expect(length > KeptID.longest ? kept.id.hasPrefix("sha256:") && kept.id.utf8.count == 71 : kept.id == id)
        // Of other content, so that nothing else can tell.
        scene.message = #"{"message_id":"\#(id)","aps":{"alert":"two"}}"#
        scene.state = first.state
        #expect(try scene.answer().decision.isDuplicate)
        scene.message = #"{"message_id":"\#(id)y","aps":{"alert":"two"}}"#
        #expect(try !scene.answer().decision.isDuplicate)
    }

    @Test("A second copy has no effects at all, and rules are not asked", arguments: ["send", "enrich", "present", "receive", "open"])
    func nothingHappens(event: String) throws {
        var scene = Scene(
            rules:
                #"rule "R" { on = "\#(event)", decide = function() state.incr("n") return { inbox = 1, topics = { subscribe = { "x" } } } end }"#,
            event: "\"\(event)\"")
        let first = try scene.answer()
        scene.state = first.state
        let second = try scene.answer()
        #expect(!first.decision.isDuplicate && second.decision.isDuplicate)
        #expect(second.effects.isEmpty && second.state == first.state)
        #expect(second.json.contains(#""recipient":"u-1","duplicate":true"#))
    }

    @Test("Put to sleep, the guard lets copies through, and one message still counts once")
    func asleep() throws {
        var scene = Scene(
            rules: #"rule "R" { on = "present", cap = { 1 }, decide = show { badge = "+1" } }"#, app: Scene.forgetful)
        for round in 0..<3 {
            let answer = try scene.answer()
            #expect(answer.decision.display?.action == .show && !answer.decision.isDuplicate)
            #expect(answer.decision.badge?.value == (round == 0 ? 1 : nil))
            scene.state = answer.state
        }
        #expect(scene.state.one.caps["R"]?.instants.count == 1)
    }

    // MARK: the table

    private func mark(_ id: String, at milliseconds: Int64, content: ContentDigest = .unknown, window: Int64 = 1_000) -> SeenMark {
        var message = SeenMessage(id: id, first: Instant(milliseconds: milliseconds))
        message.content = content
        message.events = SeenEvents(.send)
        return SeenMark(record: nil, message: message, window: window)
    }

    private func find(_ seen: SeenMessages, _ id: String, at milliseconds: Int64) -> SeenMessage? {
        let question = SeenMessages.Question(
            id: id, isIDGenerated: false, event: SeenEvents(.send), now: Instant(milliseconds: milliseconds), window: 1_000,
            contentWindow: 5)
        return seen.find(question) { .unknown }
    }

    @Test("Old messages go as new ones come, and every one within the window stays known")
    func pruning() {
        var seen = SeenMessages()
        for number in 0..<Int64(5_000) {
            seen.apply(mark("m-\(number)", at: number * 10))
            #expect(seen.count <= 101)
            if number % 97 == 0 {
                for back in 0...min(number, 100) { #expect(find(seen, "m-\(number - back)", at: number * 10) != nil) }
                if number > 100 { #expect(find(seen, "m-\(number - 101)", at: number * 10) == nil) }
            }
        }
    }

    @Test("A table that has been written and read is the same table, whatever has left it before")
    func sameAfterReading() {
        var seen = SeenMessages()
        for number in 0..<Int64(500) { seen.apply(mark("m-\(number)", at: number * 10)) }
        var again = SeenMessages(seen.messages)
        #expect(seen == again)
        for number in 500..<Int64(900) {
            seen.apply(mark("m-\(number)", at: number * 10))
            again.apply(mark("m-\(number)", at: number * 10))
        }
        #expect(seen == again && seen.count == 101)
    }

    @Test("An id that comes back after its window is new, and the old record's leaving does not take it along")
    func comesBack() {
        var seen = SeenMessages()
        seen.apply(mark("a", at: 0))
        #expect(find(seen, "a", at: 1_000) != nil && find(seen, "a", at: 1_001) == nil)
        seen.apply(mark("a", at: 2_000))
        #expect(seen.count == 1)
        #expect(find(seen, "a", at: 3_000)?.first == Instant(milliseconds: 2_000))
    }

    @Test("A digest is the text of a generated id, and reads back")
    func digest() throws {
        let reader = MessageReader()
        let bytes = Array(#"{"aps":{"alert":"Hello"}}"#.utf8)
        let message = try reader.read(bytes)
        #expect(message.contentDigest.text == message.id.string)
        #expect(ContentDigest(message.id.string) == message.contentDigest)
        for bad in [
            "", "hash:", "hash:00112233445566778899AABBCCDDEEFF", "hash:00112233445566778899aabbccddeef",
            "hask:00112233445566778899aabbccddeeff",
        ] {
            #expect(ContentDigest(bad) == nil)
        }
    }
}
