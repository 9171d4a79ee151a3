// The message as it goes out: on `send`, asked for, and only when it is sent.
import PushMessage
import Testing

@testable import RuleEngine

@Suite struct PayloadTests {
    private func payload(_ rules: String, event: String = #""send""#, asked: Bool = true) throws -> String? {
        try Scene(
            rules: rules, message: #"{"aps":{"alert":{"title":"Old","body":"Hello"},"badge":1},"k":12345678901234567890}"#,
            event: event, options: EvaluationOptions(emitsPayload: asked)
        ).answer().decision.payload.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("Without a rule the bytes are as they came")
    func untouched() throws {
        #expect(
            try payload("") == #"{"aps":{"alert":{"title":"Old","body":"Hello"},"badge":1},"k":12345678901234567890}"#)
    }

    @Test("What rules replaced stands in the payload, everything else is as it was")
    func changed() throws {
        #expect(
            try payload(#"rule "R" { on = "send", decide = { title = "New", badge = "+2" } }"#)
                == #"{"aps":{"alert":{"title":"New","body":"Hello"},"badge":2},"k":12345678901234567890}"#)
    }

    @Test("What is not sent has no payload", arguments: [#"suppress "s""#, #"defer("1h", "d")"#])
    func notSent(decide: String) throws {
        #expect(try payload(#"rule "R" { on = "send", decide = \#(decide) }"#) == nil)
    }

    @Test("Nobody asked, or another event: no payload")
    func notAsked() throws {
        #expect(try payload("", asked: false) == nil)
        #expect(try payload("", event: #""present""#) == nil)
    }
}
