// Joining and leaving topics.
import PushMessage
import Testing

@testable import RuleEngine

@Suite struct TopicTests {
    private func answer(_ topics: String, device: String = "", wanted: [String]? = nil, confirmed: [String]? = nil) throws
        -> Scene.Answer
    {
        var state = AppState()
        state.one.wantedTopics = wanted
        state.one.confirmedTopics = confirmed
        return try Scene(
            rules: #"rule "R" { on = "receive", decide = { topics = \#(topics) } }"#,
            device: #"{"recipient":"u-1"\#(device)}"#, event: #""receive""#, state: state
        ).answer()
    }

    private func written(_ answer: Scene.Answer) -> [String] {
        answer.decision.topics.map { ($0.kind == .subscribe ? "+" : "-") + $0.topic }
    }

    @Test("Of two lists the topics to leave come first")
    func order() throws {
        #expect(try written(answer(#"{ subscribe = { "en" }, unsubscribe = { "ku" } }"#)) == ["-ku", "+en"])
    }

    @Test("A list of operations keeps its order")
    func operations() throws {
        let topics = #"{ { op = "subscribe", topic = "a" }, { op = "unsubscribe", topic = "a" }, { op = "subscribe", topic = "a" } }"#
        #expect(try written(answer(topics)) == ["+a", "-a", "+a"])
    }

    @Test("An operation that changes neither what is wanted nor what is confirmed is left out")
    func pruned() throws {
        let both = #"{ subscribe = { "a", "b" }, unsubscribe = { "c", "d" } }"#
        #expect(try written(answer(both, wanted: ["a", "c"], confirmed: ["a", "c"])) == ["-c", "+b"])
        #expect(try written(answer(#"{ subscribe = { "a" } }"#, wanted: ["a"], confirmed: [])) == ["+a"])
        #expect(try written(answer(#"{ subscribe = { "a" } }"#, wanted: [], confirmed: ["a"])) == ["+a"])
        #expect(try written(answer(#"{ subscribe = { "a" } }"#, device: #","topics":["a"]"#, wanted: ["a"], confirmed: [])) == [])
        #expect(try written(answer(#"{ subscribe = { "a" } }"#, device: #","topics":["a"]"#)) == [])
        #expect(try written(answer(#"{ unsubscribe = { "a" } }"#, device: #","topics":[]"#)) == [])
    }

    @Test("What is wanted is remembered")
    func remembered() throws {
        let answer = try answer(#"{ subscribe = { "b" }, unsubscribe = { "a" } }"#, wanted: ["a"], confirmed: ["a"])
        #expect(answer.state.one.wantedTopics == ["b"])
        #expect(answer.state.one.confirmedTopics == ["a"])
    }

    @Test("A topic may hold a percent sign, and text stays text beside a counter")
    func percent() throws {
        let answer = try Scene(
            rules: #"""
                rule "R" { on = "receive", decide = function() state.set("topic", "APPPUSH%u1")
                  return { display = "show", body = "x", badge = "+1", topics = { unsubscribe = { "APPPUSH%u1" } } } end }
                """#, event: #""receive""#
        ).answer()
        #expect(written(answer) == ["-APPPUSH%u1"])
        #expect(answer.state.one.badge == 1)
        #expect(answer.state.one.values["topic"]?.json == Array(#""APPPUSH%u1""#.utf8))
    }
}
