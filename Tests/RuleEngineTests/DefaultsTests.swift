// What a message does when no rule says anything.
import PushMessage
import Testing

@testable import RuleEngine

@Suite struct DefaultsTests {
    @Test(
        "Without rules a message is shown where events display, and nowhere else",
        arguments: EventName.allCases)
    func display(event: EventName) throws {
        let answer = try Scene(event: "\"\(event.rawValue)\"").answer()
        if [.send, .enrich, .present, .due].contains(event) {
            #expect(
                answer.decision.display == Display(action: .show, options: [.banner, .list, .sound], reason: nil, rule: nil, until: nil))
        } else {
            #expect(answer.decision.display == nil)
        }
        #expect(answer.decision.fetchResult == (event == .receive ? .noData : nil))
        #expect(answer.decision.route == nil)
        #expect(answer.decision.content == Content())
    }

    @Test("Sound and badge are options only when the message has them")
    func options() throws {
        let answer = try Scene(message: #"{"message_id":"m","aps":{"alert":"Hello","badge":4}}"#).answer()
        #expect(answer.decision.display?.options == [.banner, .list, .badge])
        #expect(answer.decision.badge == Badge(value: 4, change: 4, cause: .message, rule: nil))
        #expect(answer.effects.first == .setBadge(4))
        #expect(answer.state.one.seen.messages.map(\.id) == ["m"])
        #expect(answer.state.one.seen.messages.map(\.hasCountedBadge) == [true])
    }

    @Test("What a rule adds is an option too")
    func addedByRule() throws {
        let answer = try Scene(
            rules: #"rule "A" { on = "present", decide = { badge = "+1", sound = "bell" } }"#,
            message: #"{"message_id":"m","aps":{"alert":"Hello"}}"#
        ).answer()
        #expect(answer.decision.display?.options == .all)
    }

    @Test("A rule that matches makes received data new")
    func fetchResult() throws {
        let matched = try Scene(rules: #"rule "A" { on = "receive", decide = {} }"#, event: #""receive""#).answer()
        #expect(matched.decision.fetchResult == .newData)
        let unmatched = try Scene(
            rules: #"rule "A" { on = "receive", tab = "x", decide = {} }"#, event: #""receive""#
        ).answer()
        #expect(unmatched.decision.fetchResult == .noData)
        let said = try Scene(
            rules: #"rule "A" { on = "receive", decide = { fetch_result = "failed" } }"#, event: #""receive""#
        ).answer()
        #expect(said.decision.fetchResult == .failed)
    }

    @Test("A device that names no recipient is warned about")
    func nobody() throws {
        let answer = try Scene(device: "{}").answer()
        #expect(answer.decision.recipient == nil)
        #expect(answer.decision.warnings.map(\.code) == [.noRecipient])
    }
}
