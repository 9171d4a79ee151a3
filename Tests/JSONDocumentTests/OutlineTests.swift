// Members found without reading: of every text that holds JSON they are where the reader finds them, of any other text nothing is
// touched that is not there.
import JSONDocument
import Testing

@Suite struct OutlineTests {
    /// As text; nil: no outline.
    private func members(_ text: [UInt8]) -> [[String]]? {
        // A copy that ends where the text does, so that a sanitizer sees a step too far.
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, text.count))
        defer { copy.deallocate() }
        _ = copy.initialize(from: text)
        var found: [[String]] = []
        let isWhole = JSONOutline.members(of: JSONText(start: UnsafePointer(copy.baseAddress), count: text.count)) { member in
            found.append([member.key.string, member.value.string])
            return true
        }
        return isWhole ? found : nil
    }

    private func read(_ text: [UInt8]) -> [[String]]? {
        let document = JSONDocument()
        do throws(JSONFault) { try document.read(text) } catch { return nil }
        guard let root = document.root, root.isObject else { return nil }
        return root.children.map { [$0.key.string, String(decoding: text[$0.offset..<$0.offset + $0.sourceLength], as: UTF8.self)] }
    }

    @Test(
        "Members are found wherever brackets, quotes and escapes stand in their values",
        arguments: [
            #"{}"#, #" { } "#, #"{"a":1}"#, #"{"a" : [ ] , "b":{}}"#, #"{"a":"}","b":"\"","c":"\\","d":"\\\"{"}"#,
            #"{"a":-1.5e3,"b":null,"c":true}"#,
            #"{"a":["]","[",{"x":"}{"}],"é":"ü"}"#, #"{"a":{"b":"\\"},"c":["\\\\\"]"]}"#,
        ])
    func small(_ text: String) throws {
        #expect(try #require(members(Array(text.utf8))) == #require(read(Array(text.utf8))))
    }

    @Test("Members are found wherever a quote, a bracket or an escape falls in a block of bytes")
    func blocks() throws {
        for inside in [#""}""#, #""\"""#, #""\\""#, "[]", "{}", #"{"k":"]"}"#, #"["\\\"}"]"#] {
            for before in 0..<140 {
                let start = #"{"a":[""# + String(repeating: "x", count: before)
                let text = Array((start + "\"," + inside + #"],"b":{"c":"# + inside + "}}").utf8)
                #expect(try #require(members(text), "\(before) \(inside)") == #require(read(text)), "\(before) \(inside)")
            }
        }
    }

    @Test("A real message wrapped into a request is found as it stands there")
    func realOne() throws {
        let text = Array(#"{"app":"chat","message":"#.utf8) + realMessage + Array(#" ,"device":{"recipient":"u-1"}}"#.utf8)
        #expect(try #require(members(text)) == #require(read(text)))
    }

    @Test("Of a text that was cut anywhere there is no outline")
    func everyTruncation() throws {
        let text = Array(#"{"message":"#.utf8) + realMessage + Array("}".utf8)
        let length = try #require(text.lastIndex(of: UInt8(ascii: "}"))) + 1
        for length in 0..<length { #expect(members(Array(text[..<length])) == nil, "cut at \(length)") }
    }

    @Test("With any one byte changed into one that means something there is no outline, or the one that the reader finds")
    func everyMutation() {
        let text = Array((#"{"a":[{"b":"\\"},"\"]"],"c":"# + "\"" + String(repeating: "{", count: 70) + #"","d":-1}"#).utf8)
        var compared = 0
        for place in text.indices {
            for byte in Array("\"\\{}[]:, a1".utf8) + [0x00, 0x80, 0xff] where byte != text[place] {
                var damaged = text
                damaged[place] = byte
                let found = members(damaged)
                // A key with an escape is found as it is written.
                guard let whole = read(damaged), found?.contains(where: { $0[0].contains("\\") }) != true else { continue }
                compared += 1
                #expect(found.map(lastOfEach) == whole)
            }
        }
        #expect(compared > 200)
    }

    /// Of members with the same key the last one counts.
    private func lastOfEach(_ members: [[String]]) -> [[String]] {
        members.indices.filter { place in !members[(place + 1)...].contains { $0[0] == members[place][0] } }.map { members[$0] }
    }

    @Test("There is no outline of what is no object, nor of more than eight members")
    func others() {
        for text in ["", " ", "[]", "1", "{", "{}x", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{\"a\":1}{", "{,}"] {
            #expect(members(Array(text.utf8)) == nil, "\(text)")
        }
        let eight = (1...8).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
        #expect(members(Array("{\(eight)}".utf8))?.count == 8)
        #expect(members(Array("{\(eight),\"k9\":9}".utf8)) == nil)
    }
}
