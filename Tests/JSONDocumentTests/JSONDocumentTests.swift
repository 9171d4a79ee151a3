// Reading: what a document says of a text.
import JSONDocument
import Testing

@Suite struct ReadingTests {
    @Test("A message is read: keys, numbers and texts are where they were written")
    func readsMessage() throws {
        let vocabulary = JSONVocabulary(["aps", "badge"])
        let document = JSONDocument(vocabulary: vocabulary)
        try document.read(#"{"aps": {"badge": 3, "alert": "a\u00e9\ud83d\ude00"}, "n": [1.5, -0, 18446744073709551616]}"#)
        let root = try #require(document.root)
        #expect(root.count == 2)
        let aps = try #require(root["aps"])
        #expect(aps.keyID == 1)
        #expect(aps.member(2)?.integer == 3)
        #expect(aps["alert"]?.text?.string == "aé😀")
        #expect(root["n"]?[0]?.double == 1.5)
        #expect(root["n"]?[1]?.integer == 0)
        #expect(root["n"]?[1]?.literal?.string == "-0")
        #expect(root["n"]?[2]?.literal?.string == "18446744073709551616")
        #expect(root["n"]?[2]?.overflows == true)
    }

    @Test("A value is written back as it was read")
    func writesBack() throws {
        let text = #"{"a":[1,2.50,"x\n\u0001\"",{}],"b":{"c":null,"d":true},"e":[]}"#
        let document = JSONDocument()
        try document.read(text)
        var writer = JSONWriter()
        writer.value(try #require(document.root))
        #expect(String(decoding: writer.bytes, as: UTF8.self) == text)
    }
}
