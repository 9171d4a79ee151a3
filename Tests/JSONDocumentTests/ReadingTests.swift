// Reading: what a document says of a text, and how it behaves when it is used again and again.
import JSONDocument
import Testing

@Suite struct ReadingTests {
    @Test("A message is read: keys, numbers and texts are where they were written")
    func readsMessage() throws {
        let document = JSONDocument(vocabulary: JSONVocabulary(["aps", "badge", "a longer word of the vocabulary"]))
        try document.read(
            #"{"aps":{"badge":3,"alert":"a\u00e9\ud83d\ude00"},"a longer word of the vocabulary":1,"#
                + #""a longer word if the vocabulary":2,"n":[1.5,-0]}"#)
        let root = try #require(document.root)
        #expect(root.children.map(\.keyID) == [1, 3, 0, 0])
        let aps = try #require(root["aps"])
        #expect(aps.member(2)?.integer == 3)
        #expect(aps["alert"]?.text?.string == "aé😀")
        #expect(root["n"]?[0]?.double == 1.5)
        #expect(root["n"]?[1]?.literal?.string == "-0")
        #expect(root["n"]?[2] == nil)
        #expect(root["n"]?[-1] == nil)
        #expect(root["absent"] == nil)
        #expect(aps["badge"]?["x"] == nil)
    }

    @Test("Every element of a list is found by its place, whether or not lists stand in it")
    func indexes() throws {
        for text in ["[0,1,2,\"3\",null]", "[0,[1,[1]],{\"a\":[2]},3,4]", "[[],[],[]]", "[]"] {
            let document = JSONDocument()
            try document.read(text)
            let root = try #require(document.root)
            for (place, child) in root.children.enumerated() { #expect(root[place]?.isSame(as: child) == true, "\(text) \(place)") }
            #expect(root[root.count] == nil)
        }
    }

    @Test("A value knows where its source stands, byte order mark and white space counted")
    func knowsSource() throws {
        let text = "\u{FEFF} {\"a\" : [ 1.50 , \"x\\n\" ] , \"b\":{ } }"
        let document = JSONDocument()
        try document.read(text)
        let root = try #require(document.root)
        let source = Array(document.source.bytes)
        func cut(_ value: JSONValue?) throws -> String {
            let value = try #require(value)
            return String(decoding: source[value.offset..<value.offset + value.sourceLength], as: UTF8.self)
        }
        #expect(source == Array(text.utf8))
        #expect(try cut(root) == String(text.dropFirst(2)))
        #expect(try cut(root["a"]) == "[ 1.50 , \"x\\n\" ]")
        #expect(try cut(root["a"]?[0]) == "1.50")
        #expect(try cut(root["a"]?[1]) == "\"x\\n\"")
        #expect(try cut(root["b"]) == "{ }")
    }

    @Test("Of equal keys the last one counts, whatever the number of members", arguments: [2, 31, 32, 33, 34, 100, 3000])
    func lastDuplicateCounts(_ members: Int) throws {
        // Every key twice, the second time backwards, so that the earlier ones lie at every distance.
        var text = "{"
        for index in 0..<members { text += "\"key-number-\(index)\":\(index)," }
        for index in (0..<members).reversed() { text += "\"key-number-\(index)\":\(-index)," }
        text = text.dropLast() + "}"
        let document = JSONDocument()
        try document.read(text, limit: 1_000_000)
        let root = try #require(document.root)
        #expect(root.count == members)
        #expect(document.hasShadowedMembers)
        #expect(root.children.map { $0.integer ?? 1 } == (0..<members).reversed().map { Int64(-$0) })
        #expect(Array(root.childrenWithShadowed).count == 2 * members)
    }

    @Test("A document nested as deep as allowed is read, one deeper is refused where it goes too deep")
    func countsDepth() throws {
        let document = JSONDocument()
        func nested(_ depth: Int) -> [UInt8] {
            [UInt8](repeating: UInt8(ascii: "["), count: depth) + [UInt8](repeating: UInt8(ascii: "]"), count: depth)
        }
        try document.read(nested(64))
        #expect(document.root?.count == 1)
        let fault = try #require(throws: JSONFault.self) { try document.read(nested(65)) }
        #expect(fault == JSONFault(code: .depth, offset: 64, line: 1, column: 65))
        let objects = String(repeating: #"{"a":"#, count: 65)
        #expect(try #require(throws: JSONFault.self) { try document.read(objects) }.offset == 320)
        let flat = try #require(throws: JSONFault.self) { try document.read("[]", depth: 0) }
        #expect(flat.code == .depth)
        try document.read("1", depth: 0)
    }

    @Test("A hundred thousand brackets are refused, or read where somebody allows them, without a deep stack")
    func survivesDeepNesting() throws {
        let document = JSONDocument()
        let open = [UInt8](repeating: UInt8(ascii: "["), count: 100_000)
        let close = [UInt8](repeating: UInt8(ascii: "]"), count: 100_000)
        #expect(try #require(throws: JSONFault.self) { try document.read(open, limit: 1_000_000) }.code == .depth)
        let unfinished = try #require(throws: JSONFault.self) {
            try document.read(open, limit: 1_000_000, depth: 200_000)
        }
        #expect(unfinished.code == .unfinished)
        try document.read(open + close, limit: 1_000_000, depth: 200_000)
        #expect(try written(try #require(document.root)) == open + close)
        let builder = JSONBuilder()
        builder.copy(try #require(document.root))
        #expect(try written(try #require(builder.finish())) == open + close)
    }

    @Test("A text is refused beyond its limit and read at it")
    func keepsLimit() throws {
        let document = JSONDocument()
        try document.read(#""abcd""#, limit: 6)
        let fault = try #require(throws: JSONFault.self) { try document.read(#""abcde""#, limit: 6) }
        #expect(fault.code == .tooLarge)
        #expect(fault.offset == 6)
        #expect(try #require(throws: JSONFault.self) { try document.read("1", limit: 0) }.code == .tooLarge)
        #expect(try #require(throws: JSONFault.self) { try document.read("1", limit: -1) }.code == .tooLarge)
    }

    @Test("A document that is read again forgets everything of the text before")
    func isReused() throws {
        let document = JSONDocument()
        try document.read(#"{"a":"\ud800","a":1}"#)
        #expect(document.hasShadowedMembers && document.hasReplacedSurrogates)
        try document.read(#"["\u0041",{"b":[]}]"#)
        #expect(!document.hasShadowedMembers && !document.hasReplacedSurrogates)
        #expect(document.root?[0]?.text?.string == "A")
        #expect(throws: JSONFault.self) { try document.read("[1") }
        #expect(document.root == nil)
        try document.read(realMessage)
        #expect(document.root?["message"]?["data"]?["chat_id"]?.text == "room-8812")
    }

    @Test("Digits beyond any number's size are kept, and valued as the nearest double")
    func keepsLongLiterals() throws {
        let document = JSONDocument()
        let digits = "0." + String(repeating: "3", count: 5_000)
        try document.read(digits)
        #expect(document.root?.literal?.string == digits)
        #expect(document.root?.double == 1.0 / 3.0)
        let huge = String(repeating: "9", count: 5_000)
        try document.read(huge)
        #expect(document.root?.overflows == true)
        #expect(document.root?.double == .infinity)
    }

    @Test("Every code has its own sentence and hint")
    func faultsSpeak() {
        let faults = JSONFault.Code.allCases.map { JSONFault(code: $0, offset: 0, line: 1, column: 1) }
        #expect(Set(faults.map(\.message)).count == faults.count)
        #expect(Set(faults.map(\.hint)).count == faults.count)
    }
}
