// The message as it goes out and as the phone shows it: on `send` and `enrich`, asked for, and only when it is shown.
import PushMessage
import Testing

@testable import RuleEngine

@Suite struct PayloadTests {
    private static let plain = #"{"aps":{"alert":{"title":"Old","body":"Hello"},"badge":1},"k":12345678901234567890}"#

    private func payload(
        _ rules: String, event: String = #""send""#, asked: PayloadEmission = .shown, message: String = plain,
        device: String = #"{"recipient":"u-1"}"#
    ) throws -> String? {
        try Scene(
            rules: rules, message: message, device: device, event: event, options: EvaluationOptions(payload: asked)
        ).answer().decision.payload.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        "Without a rule the bytes are as they came",
        arguments: [
            plain, #"{"aps":{"alert":"x","sound":"none","badge":-1}}"#, #"{ "aps" : { "content-available":1, "badge":3, "alert":"" } }"#,
            #"{"aps":{"sound":"a"},"android":1}"#,
            #"{"message":{"token":"t","notification":{"body":"b"},"android":{"notification":{"sound":"a","notification_count":2}}}}"#,
        ])
    func untouched(message: String) throws {
        #expect(try payload("", message: message) == message)
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
        #expect(try payload("", asked: .left) == nil)
        #expect(try payload("", event: #""enrich""#, asked: .sent) == nil)
        #expect(try payload("", event: #""present""#) == nil)
    }

    @Test("What the extension makes of a message stands in the payload of enrich")
    func enriched() throws {
        #expect(try payload("", event: #""enrich""#) == Self.plain)
        #expect(
            try payload(#"rule "R" { on = "enrich", decide = { body = "New" } }"#, event: #""enrich""#)
                == #"{"aps":{"alert":{"title":"Old","body":"New"},"badge":1},"k":12345678901234567890}"#)
    }

    static let noisy = #"{"aps":{"alert":"b","sound":"s","badge":1,"interruption-level":"time-sensitive"},"k":1}"#

    struct Options: Sendable {
        let show: String
        let aps: String
    }

    @Test(
        "Options that a rule names decide what is left of the message",
        arguments: [
            Options(show: #"show()"#, aps: #""alert":"b","sound":"s","badge":1,"interruption-level":"time-sensitive""#),
            Options(show: #"show{"banner","list","badge"}"#, aps: #""alert":"b","badge":1,"interruption-level":"time-sensitive""#),
            Options(show: #"show{"banner","list","sound"}"#, aps: #""alert":"b","sound":"s","interruption-level":"time-sensitive""#),
            Options(show: #"show{"banner"}"#, aps: #""alert":"b","interruption-level":"time-sensitive""#),
            Options(show: #"show{"list","sound","badge"}"#, aps: #""alert":"b","sound":"s","badge":1,"interruption-level":"passive""#),
            Options(show: #"show{"list", interruption_level="critical"}"#, aps: #""alert":"b","interruption-level":"passive""#),
            Options(show: #"show{"sound"}"#, aps: #""sound":"s","interruption-level":"time-sensitive""#),
            Options(show: #"show{"badge", title="T"}"#, aps: #""badge":1,"interruption-level":"time-sensitive""#),
            Options(show: #"show{"banner","list", badge="+4"}"#, aps: #""alert":"b","badge":4,"interruption-level":"time-sensitive""#),
            Options(show: #"show{"banner","list", sound="x"}"#, aps: #""alert":"b","interruption-level":"time-sensitive""#),
        ])
    func options(_ options: Options) throws {
        let rules = #"rule "R" { on = "send", decide = \#(options.show) }"#
        #expect(try payload(rules, message: Self.noisy) == #"{"aps":{\#(options.aps)},"k":1}"#)
    }

    @Test("A provisional permission makes the message a quiet one, without a rule")
    func provisional() throws {
        #expect(
            try payload("", message: Self.noisy, device: #"{"recipient":"u-1","permission":"provisional"}"#)
                == #"{"aps":{"alert":"b","interruption-level":"passive"},"k":1}"#)
    }

    @Test("An alert on an old iPhone is banner and list in one")
    func oldPhone() throws {
        let rules = #"rule "R" { on = "send", decide = show{"banner","list","sound","badge"} }"#
        #expect(try payload(rules, message: Self.noisy, device: #"{"recipient":"u-1","os":{"name":"ios","version":"13.0"}}"#) == Self.noisy)
    }
}
