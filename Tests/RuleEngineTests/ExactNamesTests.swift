// Two spellings of one letter are two names: recipients, messages, keys, switches, caps and topics.
import PushMessage
import Testing

@testable import RuleEngine

@Suite struct ExactNamesTests {
    /// Equal to Swift, different in every byte that a server compares.
    private static let spellings = [#"caf\u00e9"#, #"cafe\u0301"#]

    private func states(_ rules: String, _ messages: [String], recipients: [String] = ["u-1", "u-1"]) throws -> [Scene.Answer] {
        var scene = Scene(rules: rules)
        var answers: [Scene.Answer] = []
        for (message, recipient) in zip(messages, recipients) {
            scene.message = message
            scene.device = #"{"recipient":"\#(recipient)","state":"foreground"}"#
            answers.append(try scene.answer())
            scene.state = answers.last?.state ?? scene.state
        }
        return answers
    }

    private func messages(_ body: (String) -> String) -> [String] { ExactNamesTests.spellings.map(body) }

    @Test("Names are equal, hashed and ordered by their bytes")
    func names() {
        let (one, two) = ("caf\u{e9}", "cafe\u{301}")
        #expect(one == two && !one.isExactly(two) && ExactText(one) != ExactText(two) && ExactText(two) < ExactText(one))
        #expect(Set([ExactText(one), ExactText(two), ExactText(one)]).count == 2)
        #expect("".isExactly("") && "a".isExactly("a") && !"a".isExactly("b") && !"a".isExactly("ab"))
        var table: ExactTable = [one: 1, two: 2]
        #expect(table[one] == 1 && table[two] == 2 && table.inOrder.map(\.value) == [2, 1])
        table[one] = nil
        table["x", default: 0] += 3
        #expect(table[two] == 2 && table[one] == nil && table["x"] == 3 && table.count == 2)
    }

    @Test("Two recipients remember each for itself")
    func recipients() throws {
        let answers = try states(
            #"rule "R" { on = "present", decide = function() state.incr("n") return { badge = "+1" } end }"#, [Scene.alert, Scene.alert],
            recipients: ExactNamesTests.spellings)
        #expect(answers.map(\.decision.isDuplicate) == [false, false])
        #expect(answers.map { $0.decision.badge?.value } == [1, 1])
        #expect(answers.last?.state.recipients.count == 2)
    }

    @Test("Two ids are two messages")
    func ids() throws {
        let answers = try states("", messages { #"{"message_id":"\#($0)","aps":{"alert":"x"}}"# })
        #expect(answers.map(\.decision.isDuplicate) == [false, false])
    }

    @Test("Two ids wait each for itself")
    func waiting() throws {
        let answers = try states(
            #"rule "R" { on = "present", decide = defer("1h", "later") }"#, messages { #"{"message_id":"\#($0)","aps":{"alert":"x"}}"# })
        #expect(answers.last?.state.one.deferred.count == 2)
    }

    @Test("Two keys of the state, two switches and two caps are two")
    func keys() throws {
        let rules = #"""
            rule "R" { on = "present", cap = { 1, key = function(msg) return msg.data.k end }, decide = function(msg)
              state.set(msg.data.k, #msg.data.k)
              state.app.set(msg.data.k, 1)
              settings.set(msg.data.k, #msg.data.k == 5)
              return { labels = { n = tostring(#state.keys()) } }
            end }
            """#
        let spellings = ExactNamesTests.spellings
        let answers = try states(
            rules,
            [
                #"{"message_id":"1","aps":{"alert":"x"},"k":"\#(spellings[0])"}"#,
                #"{"message_id":"2","aps":{"alert":"x"},"k":"\#(spellings[1])"}"#,
            ])
        #expect(answers.map { $0.decision.display?.action } == [.show, .show])
        #expect(answers.last?.decision.labels.first?.value == "2")
        let state = try #require(answers.last?.state)
        #expect(state.shared.count == 2 && state.one.caps.count == 2)
        #expect(state.one.channels["caf\u{e9}"] == true && state.one.channels["cafe\u{301}"] == false)
    }

    @Test("Two topics are two")
    func topics() throws {
        let (one, two) = ("caf\u{e9}", "cafe\u{301}")
        #expect(!(try TopicCondition(parsing: "'\(one)' in topics").holds(for: [ExactText(two)])))
        #expect(try TopicCondition(parsing: "'\(one)' in topics || '\(two)' in topics").topics.count == 2)
        var list = TopicList([one, two, one])
        #expect(list.topics.count == 2)
        list.remove(one)
        #expect(list.topics.count == 1 && list.contains(two) && !list.contains(one))
        list.insert(one)
        #expect(list.topics.map(\.utf8.count) == [two.utf8.count, one.utf8.count])
        // What the device says now is another topic than the one of before.
        var scene = Scene(message: nil, device: #"{"recipient":"u-1","topics":["cafe\u0301"]}"#, event: #""resume""#)
        scene.state.one.confirmedTopics = [one]
        #expect(try scene.answer().state.one.confirmedTopics?.first?.utf8.count == two.utf8.count)
    }

    @Test("The link that is always allowed is that one")
    func fallback() throws {
        let policy = LinkPolicy(Manifest.Links(schemes: ["shop"], hosts: nil, fallback: "caf\u{e9}://x"))
        #expect(policy.verdict(on: "caf\u{e9}://x") == .allowed)
        #expect(policy.verdict(on: "cafe\u{301}://x") != .allowed)
    }
}
