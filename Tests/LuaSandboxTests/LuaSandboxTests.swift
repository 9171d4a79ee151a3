// One rule from its text to its decision, and what a script may and may not do on the way.
import JSONDocument
import LuaSandbox
import Testing

@Suite struct Evaluation {
    @Test("A rule's function reads the message and returns its decision") func decides() throws {
        let loaded = try Loaded(decide: "return { display = 'suppress', reason = msg.data.chat_id .. ' is open' }")
        #expect(try loaded.decide().text == #"{"display":"suppress","reason":"room-1 is open"}"#)
        #expect(loaded.machine.declarations.map(\.name) == ["r"])
    }
}
