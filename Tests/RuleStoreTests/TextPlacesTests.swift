// Places that are counted once for a whole text, held against those that are counted each from its beginning.
import JSONDocument
import Testing

@testable import RuleStore

struct TextPlacesTests {
    private static let texts = [
        "", "a", "\n", "\r\n\r\n", "[\r\n  {\"name\": \"한국어 🚆 é\"},\n\n  {\"b\": 1}\r\n]",
        String(repeating: "{\"a\": \"ü\"},", count: 200), String(repeating: "한\r\n", count: 300), String(repeating: "\n", count: 1_000),
    ]

    @Test("The place of any byte is the one that is counted from the beginning", arguments: texts)
    func same(text: String) {
        let bytes = Array(text.utf8)
        let places = TextPlaces(bytes)
        for offset in -1...bytes.count + 2 { #expect(places.place(of: offset) == TextPlace(of: offset, in: bytes)) }
    }

    @Test("The place of a key is where its quote stands")
    func keys() throws {
        let text = Array(("{" + (0..<100).map { "\n  \"kéy \\\" \($0)\" : \($0)" }.joined(separator: ",") + "}").utf8)
        let document = JSONDocument()
        try document.read(text)
        let places = TextPlaces(text)
        let members = try #require(document.root).children.map { $0 }
        #expect(members.count == 100)
        for member in members { #expect(places.place(ofKey: member) == TextPlace(ofKey: member, in: text)) }
    }

    @Test("What is counted for one place is the same wherever it stands")
    func work() {
        let places = TextPlaces([UInt8](repeating: 0x61, count: 1 << 20))
        for offset in [0, 1 << 10, 1 << 19, 1 << 20] { #expect(places.counted(for: offset).count < TextPlaces.stretch) }
    }
}
