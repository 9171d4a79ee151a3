// Messages that were cut or damaged on their way: each is refused or read, none harms the reader.
import JSONDocument
import Testing

@Suite struct DamageTests {
    @Test("A real message cut at any byte is refused as unfinished, at its end")
    func everyTruncation() throws {
        let document = JSONDocument()
        try #require(realMessage.count > 1_000)
        try document.read(realMessage)
        for length in 1..<(document.root?.sourceLength ?? 0) {
            let fault = try #require(throws: JSONFault.self) { try document.read(Array(realMessage[..<length])) }
            #expect(fault.code == .unfinished)
            #expect(fault.offset == length)
        }
    }

    @Test("A message of every kind of token, cut at any byte, is refused")
    func everyTruncationOfTokens() throws {
        let text = Array(#"{"a\u00e9":["\ud83d\ude00한",-12.5e-3,true,false,null],"b":{"c":[]}}"#.utf8)
        let document = JSONDocument()
        try document.read(text)
        for length in 1..<text.count {
            let fault = try #require(throws: JSONFault.self) { try document.read(Array(text[..<length])) }
            #expect(fault.code == .unfinished, "cut at \(length)")
            #expect(fault.offset == length)
        }
    }

    @Test("With any one byte changed to any other, a message is refused inside its text or read the same twice")
    func everyMutation() throws {
        let text = Array(#"{"aé":["\ud83d\n",-1.5e3,0],"b":{"c":null}}"#.utf8)
        let document = JSONDocument()
        var accepted = 0
        for place in text.indices {
            for byte in UInt8.min...UInt8.max where byte != text[place] {
                var damaged = text
                damaged[place] = byte
                do throws(JSONFault) {
                    try document.read(damaged)
                } catch {
                    #expect(error.offset <= damaged.count)
                    #expect(error.offset >= place || error.code != .trailing)
                    continue
                }
                accepted += 1
                let first = try written(try #require(document.root))
                try document.read(first)
                #expect(try written(try #require(document.root)) == first)
            }
        }
        // Most bytes of a key or a text may be another letter.
        #expect(accepted > 500)
    }

    @Test("With any one byte gone or doubled, a message is refused or read")
    func everyDeletionAndDoubling() throws {
        let document = JSONDocument()
        for place in realMessage.indices {
            for changed in [
                Array(realMessage[..<place] + realMessage[(place + 1)...]),
                Array(realMessage[...place] + realMessage[place...]),
            ] {
                do throws(JSONFault) {
                    try document.read(changed)
                    #expect(document.root?.isObject == true)
                } catch {
                    #expect(error.offset <= changed.count)
                    #expect(document.root == nil)
                }
            }
        }
    }
}
