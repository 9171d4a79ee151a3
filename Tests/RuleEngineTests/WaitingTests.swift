// What happens to messages that are held back when there are several of them, and to those that nobody can hold.
import PushMessage
import Testing

@testable import RuleEngine

@Suite struct WaitingTests {
    private static let later = #"rule "L" { on = "send", decide = defer("1h", "later") }"#
    private static let untilResume = #"rule "L" { on = "send", decide = { display = "defer", badge = "+1" } }"#

    private func alert(_ id: Int, _ body: String = "x") -> String { #"{"message_id":"m-\#(id)","aps":{"alert":"\#(body)"}}"# }

    /// Messages at `send`, a minute apart.
    private func held(_ messages: [String], rules: String) throws -> (scene: Scene, answers: [Scene.Answer]) {
        var scene = Scene(rules: rules, event: #""send""#)
        let evaluator = try Evaluator(scene.load())
        var answers: [Scene.Answer] = []
        for message in messages {
            scene.message = message
            let answer = try scene.answer(from: evaluator)
            scene.state = answer.state
            answers.append(answer)
            scene.now = Instant(milliseconds: scene.now.milliseconds + 60_000)
        }
        return (scene, answers)
    }

    @Test("Each message that waited counts on from the one before", arguments: [3, nil])
    func badge(onIcon: Int?) throws {
        var (scene, _) = try held((1...3).map { alert($0) }, rules: WaitingTests.untilResume)
        scene.rules += #" rule "R" { on = "resume", decide = function(_, device) return { labels = { n = tostring(device.badge) } } end }"#
        scene.rules += #" rule "D" { on = "due", decide = function(_, device) return { labels = { n = tostring(device.badge) } } end }"#
        if onIcon == nil { scene.state.one.badge = 3 }
        scene.device = #"{"recipient":"u-1","state":"foreground"\#(onIcon.map { #","badge":\#($0)"# } ?? "")}"#
        (scene.message, scene.event) = (nil, #""resume""#)
        let answer = try scene.answer()
        let decisions = answer.decision.deferred
        #expect(decisions.map { $0.badge?.value } == [4, 5, 6] && decisions.map { $0.badge?.change } == [1, 1, 1])
        #expect(answer.state.one.badge == 6)
        #expect(answer.decision.labels.first?.value == (onIcon == nil ? "nil" : "6"))
        #expect(decisions.map { $0.labels.first?.value } == (onIcon == nil ? ["nil", "nil", "nil"] : ["3", "4", "5"]))
    }

    @Test("Messages without an id and with the same text count each for itself when they are due")
    func sameText() throws {
        let rules = #"""
            rule "L" { on = "send", when = function(_, _, event) return event.name ~= "due" end, decide = defer("1h", "later") }
            rule "C" { on = "due", cap = { 1, per = "day" }, decide = { badge = "+1" } }
            """#
        var (scene, _) = try held([#"{"aps":{"alert":"x"}}"#, #"{"aps":{"alert":"x"}}"#], rules: rules)
        let waiting = scene.state.one.deferred
        #expect(waiting.count == 2 && scene.state.one.seen.count == 2)
        #expect(waiting.map(\.first) == scene.state.one.seen.messages.map(\.first))
        scene.message = nil
        scene.now = Instant(milliseconds: scene.now.milliseconds + 3_600_000)
        var actions: [Display.Action?] = []
        for kept in waiting {
            scene.event = #"{"name":"due","deferred_id":"\#(kept.id)"}"#
            let answer = try scene.answer()
            scene.state = answer.state
            actions.append(answer.decision.display?.action)
        }
        #expect(actions == [.show, .suppress])
        #expect(scene.state.one.badge == 1 && scene.state.one.deferred.isEmpty)
    }

    @Test("A message waits once, also when one of its copies has lost its id")
    func lostID() throws {
        let rules = #"rule "L" { on = { "send", "enrich" }, decide = defer("1h", "later") }"#
        for order in [[#""message_id":"m-1","#, ""], ["", #""message_id":"m-1","#]] {
            var scene = Scene(rules: rules)
            for (event, id) in zip(["send", "enrich"], order) {
                scene.event = "\"\(event)\""
                scene.message = #"{\#(id)"aps":{"alert":"x"}}"#
                scene.state = try scene.answer().state
                scene.now = Instant(milliseconds: scene.now.milliseconds + 1_000)
            }
            #expect(scene.state.one.deferred.map(\.event) == [.enrich])
        }
    }

    @Test("A message that is not waiting is not due", arguments: [alertWithID, #"{"aps":{"alert":"x"}}"#])
    func notWaiting(message: String) throws {
        let rules = #"rule "D" { on = "due", decide = function() state.incr("n") return { badge = "+1", display = "show" } end }"#
        var scene = Scene(rules: rules, message: message, event: #""due""#)
        scene.holdsWhatIsDue = false
        let answer = try scene.answer()
        #expect(answer.decision.warnings.map(\.code) == [.notDeferred])
        #expect(answer.decision.display == nil && answer.decision.badge == nil && answer.effects.isEmpty && answer.state == AppState())
    }
    private static let alertWithID = #"{"message_id":"m-9","aps":{"alert":"x"}}"#

    @Test("What is known of the phone now and then may be more than one device can say")
    func largePhone() throws {
        var scene = Scene(rules: WaitingTests.later, event: #""send""#)
        let (then, now) = (String(repeating: "a", count: 60_000), String(repeating: "b", count: 60_000))
        scene.device = #"{"recipient":"u-1","accounts":["\#(then)"],"locale":"ko-KR"}"#
        scene.state = try scene.answer().state
        scene.rules +=
            #" rule "D" { on = "due", decide = function(_, d) return { labels = { n = d.locale .. #d.accounts[1] .. #d.topics[1] } } end }"#
        scene.device = #"{"recipient":"u-1","topics":["\#(now)"]}"#
        (scene.message, scene.event) = (nil, #"{"name":"due","deferred_id":"m-1"}"#)
        let decision = try scene.answer().decision
        #expect(decision.display?.action == .show && decision.warnings.isEmpty)
        #expect(decision.labels.first?.value == "ko-KR6000060000")
    }

    @Test("A phone that somebody has spoilt in the state is no reason to lose the message", arguments: ["no json", "[]", #"{"topics":1}"#])
    func spoiltPhone(device: String) throws {
        var scene = Scene(rules: WaitingTests.later, event: #""send""#)
        scene.state = try scene.answer().state
        var kept = try #require(scene.state.one.deferred.first)
        kept.device = Array(device.utf8)
        scene.state.one.deferred = [kept]
        (scene.message, scene.event) = (nil, #"{"name":"due","deferred_id":"m-1"}"#)
        #expect(try scene.answer().decision.display?.action == .show)
    }

    @Test("Beyond a thousand messages one more is shown, with a word about it")
    func full() throws {
        let (scene, answers) = try held((1...1_002).map { alert($0) }, rules: WaitingTests.later)
        #expect(scene.state.one.deferred.count == DeferredMessages.most)
        #expect(answers[999].decision.display?.action == .defer && answers[999].decision.warnings.isEmpty)
        let last = try #require(answers.last).decision
        #expect(last.display?.action == .show && last.display?.options == [.banner, .list] && last.display?.rule == nil)
        #expect(last.display?.reason?.contains("too many messages") == true && last.warnings.map(\.code) == [.deferredFull])
        // One that waits already has its place.
        var again = scene
        (again.message, again.event) = (alert(7), #""send""#)
        again.app = Scene.forgetful
        #expect(try again.answer().decision.display?.action == .defer)
    }

    @Test("Beyond a MiB of messages one more is shown, and quietly where the permission is provisional")
    func fullOfBytes() throws {
        let body = String(repeating: "x", count: 60_000)
        var (scene, answers) = try held((1...18).map { alert($0, body) }, rules: WaitingTests.later)
        #expect(answers.map { $0.decision.display?.action == .defer } == Array(repeating: true, count: 17) + [false])
        scene.message = alert(99, body)
        scene.device = #"{"recipient":"u-1","permission":"provisional"}"#
        #expect(try scene.answer().decision.display?.options == .list)
    }

    @Test("A carrier whose hours have not begun is shown when no more can be held back")
    func fullBeforeItsHours() throws {
        var (scene, _) = try held((1...1_000).map { alert($0) }, rules: WaitingTests.later)
        scene.message =
            #"{"google.c.cm.lt_start":"2026-03-01 09:00:00","google.c.cm.lt_end":"2026-03-02 09:00:00","gcm.notification.title":"Spring","gcm.message_id":"c"}"#
        scene.event = #""receive""#
        #expect(try scene.answer().decision.display?.action == .show)
    }

    @Test("Messages that are held back keep their order and are found by their ids")
    func table() {
        func message(_ id: String) -> DeferredMessage {
            DeferredMessage(id: id, event: .send, message: Array("{}".utf8), format: nil, device: [], until: .resume)
        }
        let hash = "hash:00000000000000000000000000000000"
        let (first, second) = (Instant(milliseconds: 1_000), Instant(milliseconds: 2_000))
        var waiting = DeferredMessages(
            ["a", "b", DeferredMessage.id(hash, first: first), "c", DeferredMessage.id(hash, first: second)].map(message))
        #expect(waiting.newest(withoutID: hash)?.first == second && waiting.oldest(withoutID: hash)?.first == first)
        waiting.drop(DeferredMessage.id(hash, first: second))
        #expect(waiting.newest(withoutID: hash)?.first == first)
        waiting.drop("b")
        waiting.drop("nobody")
        var changed = message("a")
        changed.attempt = 4
        waiting.keep(changed)
        waiting.keep(message("d"))
        #expect(waiting.map(\.id) == ["a", DeferredMessage.id(hash, first: first), "c", "d"])
        #expect(waiting.message("a")?.attempt == 4 && waiting.message("d") != nil && waiting.message("b") == nil)
        waiting.drop(DeferredMessage.id(hash, first: first))
        #expect(waiting.newest(withoutID: hash) == nil && waiting.oldest(withoutID: hash) == nil && waiting.count == 3)
    }
}
