// Reading an event: a name, or an object with a name.
import JSONDocument
import PushMessage
import Testing

@testable import RuleEngine

@Suite struct EventTests {
    private func read(_ text: String) throws -> Event {
        let document = JSONDocument()
        try document.read(text)
        return try Event.read(try #require(document.root))
    }

    @Test("Every event can be named", arguments: EventName.allCases)
    func names(name: EventName) throws {
        #expect(try read("\"\(name.rawValue)\"").name == name)
        #expect(try read("{\"name\":\"\(name.rawValue)\"}").name == name)
        #expect(EventName.allCases[name.place] == name)
        #expect("\(name.name)" == name.rawValue)
    }

    @Test(
        "Anything else is an error with its path",
        arguments: [(#""presnt""#, ""), ("7", ""), ("[]", ""), ("{}", "name"), (#"{"name":7}"#, "name"), (#"{"name":"x"}"#, "name")])
    func wrong(text: String, path: String) {
        let fault = #expect(throws: RequestFault.self) { _ = try read(text) }
        #expect(fault?.path == path)
        #expect(fault?.code == .eventInvalid)
    }
}
