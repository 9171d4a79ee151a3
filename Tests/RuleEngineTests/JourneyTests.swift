// All events of one message, each on the state that the one before left.
import PushMessage
import Testing

@testable import RuleEngine

@Suite struct JourneyTests {
    private static let counting = #"rule "R" { on = { "send", "enrich", "receive", "present", "open" }, decide = { badge = "+1" } }"#

    private func journey(_ message: String, _ state: String, tap: Bool = false, rules: String = counting) throws -> [Decision] {
        try Scene(rules: rules, message: message, device: #"{"recipient":"u-1","state":"\#(state)","tap":\#(tap)}"#).journey()
    }

    private static let alert = #"{"message_id":"m","aps":{"alert":"Hello"}}"#
    private static let both = #"{"message_id":"m","aps":{"alert":"Hello","content-available":1}}"#
    private static let mutable = #"{"message_id":"m","aps":{"alert":"Hello","mutable-content":1}}"#
    private static let silent = #"{"message_id":"m","aps":{"content-available":1}}"#

    @Test(
        "Each message causes its events in order",
        arguments: [
            (alert, "foreground", false, [EventName.present]), (alert, "background", false, [.send]),
            (alert, "background", true, [.send, .open]), (alert, "terminated", true, [.send, .open, .resume]),
            (both, "background", false, [.send, .receive]), (both, "force_quit", false, [.send]),
            (mutable, "background", false, [.enrich]), (silent, "foreground", false, [.receive]),
            (silent, "force_quit", false, []), (#"{"k":"v"}"#, "foreground", false, []),
        ])
    func events(message: String, state: String, tap: Bool, expected: [EventName]) throws {
        #expect(try journey(message, state, tap: tap).map(\.event) == expected)
    }

    @Test("The badge of a message is counted at its first event only")
    func countedOnce() throws {
        let decisions = try journey(JourneyTests.both, "background", tap: true)
        #expect(decisions.map(\.event) == [.send, .receive, .open])
        #expect(decisions.map { $0.badge?.value } == [1, nil, nil])
    }

    @Test("A tap that starts the app leads there when its screens are ready")
    func coldStart() throws {
        let decisions = try journey(
            JourneyTests.alert, "terminated", tap: true, rules: #"rule "R" { on = "open", decide = route { tab = "chat" } }"#)
        #expect(decisions.map { $0.route?.tab } == [nil, "chat", "chat"])
        #expect(decisions.map { $0.route?.isPending } == [nil, true, false])
    }
}
