// The parts of a request, found without reading it: the same ones that reading finds, or none.
import JSONDocument
import Testing

@testable import RuleHosting

struct RequestOutlineTests {
    private func parts(_ text: String) -> [String]? {
        let body = Array(text.utf8)
        guard let parts = RequestOutline.of(body).parts else { return nil }
        return [parts.message, parts.device, parts.event].map { part in
            part.map { String(decoding: body[Int($0.start)..<Int($0.start + $0.count)], as: UTF8.self) } ?? "-"
        }
    }

    @Test("A request as most are has its app and its parts, in any order")
    func usual() {
        let text = #" {"event":"present", "app":"chat","device":{"a":"}"},"message" : {"b":["\""]} } "#
        #expect(parts(text) == [#"{"b":["\""]}"#, #"{"a":"}"}"#, #""present""#])
        #expect(RequestOutline.of(Array(text.utf8)).app == "chat")
        #expect(parts(#"{"message":1}"#) == ["1", "-", "-"])
    }

    @Test(
        "What is there twice, null, somebody else's, or written in escapes is left to who reads the whole",
        arguments: [
            (#"{"app":"a","message":{},"message":{}}"#, "a"), (#"{"app":"a","message":null}"#, "a"),
            (#"{"app":"a","now":"x","message":{}}"#, "a"),
            (#"{"app":"a","message":{},"device":null}"#, "a"), (#"{"app":"a"}"#, "a"), (#"{"app":"a","app":"b","message":{}}"#, nil),
            (#"{"app":"\u0061","message":{}}"#, nil), (#"{"app":1,"message":{}}"#, nil), (#"{"\u0061pp":"b","app":"a","message":{}}"#, nil),
            (#"{"message":{}"#, nil), (#"[]"#, nil), ("", nil),
        ])
    func unusual(_ text: String, _ app: String?) {
        let outline = RequestOutline.of(Array(text.utf8))
        #expect(outline.app == app)
        // An app that is there twice has parts all the same: whose they are is not for them to say.
        if text != #"{"app":"a","app":"b","message":{}}"# { #expect(outline.parts == nil) }
    }
}
