// Text forms: the writer's commas and escapes, decimals, paths.
import JSONDocument
import Testing

@Suite struct WritingTests {
    @Test("Commas and colons come by themselves")
    func separates() {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("a")
        writer.beginArray()
        writer.endArray()
        writer.key("b")
        writer.beginArray()
        writer.integer(-1)
        writer.integer(Int64.min)
        writer.decimal(2)
        writer.bool(true)
        writer.null()
        writer.beginObject()
        writer.endObject()
        writer.string("x")
        writer.raw("[1]")
        writer.endArray()
        writer.key(String("c"))
        writer.integer(0)
        writer.endObject()
        #expect(
            String(decoding: writer.bytes, as: UTF8.self)
                == #"{"a":[],"b":[-1,-9223372036854775808,2.0,true,null,{},"x",[1]],"c":0}"#)
        writer.reset()
        writer.null()
        #expect(String(decoding: writer.bytes, as: UTF8.self) == "null")
    }

    @Test("Members of all kinds are keys with their values, and what is nothing is left out")
    func members() {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("text", "a \"b\"")
        writer.member("none", nil as String?)
        writer.member("number", -7)
        writer.member("flag", true)
        writer.member("json", json: Array("[1]".utf8))
        writer.member("nothing", json: nil)
        writer.member("counts", [("one", 1), ("two", 2)])
        writer.member("empty", [(String, Int)]())
        writer.endObject()
        #expect(
            String(decoding: writer.bytes, as: UTF8.self)
                == #"{"text":"a \"b\"","number":-7,"flag":true,"json":[1],"counts":{"one":1,"two":2},"empty":{}}"#)
    }

    @Test("Quotes, backslashes and controls are escaped, everything else stays as it is")
    func escapes() {
        var writer = JSONWriter()
        writer.string("\"\\/\u{8}\u{C}\n\r\t\u{0}\u{1F}\u{7F}é한😀\u{2028}" as String)
        #expect(
            String(decoding: writer.bytes, as: UTF8.self)
                == #""\"\\/\b\f\n\r\t\u0000\u001f"# + "\u{7F}é한😀\u{2028}\"")
        writer.reset()
        writer.string("plain text of more than sixteen bytes\n" as StaticString)
        #expect(String(decoding: writer.bytes, as: UTF8.self) == #""plain text of more than sixteen bytes\n""#)
    }

    @Test(
        "A decimal's text is the shortest that reads back as the same double",
        arguments: [
            (0.0, "0.0"), (-0.0, "-0.0"), (1, "1.0"), (-1.5, "-1.5"), (0.1, "0.1"), (0.0001, "0.0001"), (0.00001, "1e-05"),
            (1e15, "1000000000000000.0"), (1e16, "1e+16"), (123456789012345680, "1.2345678901234568e+17"), (1e22, "1e+22"),
            (1e300, "1e+300"), (1.7976931348623157e308, "1.7976931348623157e+308"), (Double.leastNonzeroMagnitude, "5e-324"),
            (2.2250738585072014e-308, "2.2250738585072014e-308"), (0.3, "0.3"), (2.0 / 3.0, "0.6666666666666666"),
            (9007199254740992, "9007199254740992.0"), (5.684341886080802e-14, "5.684341886080802e-14"), (.infinity, "null"),
            (-.infinity, "null"), (.nan, "null"),
        ])
    func decimals(_ value: Double, _ text: String) {
        #expect(DecimalText(value).string == text)
    }

    @Test("Decimals of every size read back exactly and are no longer than Swift's own text")
    func decimalsRoundTrip() throws {
        var randomness = Randomness(seed: 5)
        let document = JSONDocument()
        for _ in 0..<20_000 {
            let value = randomness.decimal()
            let text = DecimalText(value).string
            try document.read(text)
            #expect(document.root?.double?.bitPattern == value.bitPattern, "\(value)")
            func digits(_ text: String) -> Int {
                let mantissa = text.prefix { $0 != "e" }
                return (mantissa.hasSuffix(".0") ? mantissa.dropLast(2) : mantissa).count { $0.isNumber }
            }
            #expect(digits(text) <= digits("\(value)"), "\(value)")
        }
    }

    @Test("Powers of two read back exactly")
    func powersOfTwo() throws {
        let document = JSONDocument()
        for exponent in -1074...1023 {
            let value = Double(sign: .plus, exponent: exponent, significand: 1)
            try document.read(DecimalText(value).string)
            #expect(document.root?.double == value)
        }
    }

    @Test("A quote anywhere in a text of any length is escaped", arguments: 0...40)
    func quoteAtEveryPlace(_ count: Int) {
        for special in ["\"", "\\", "\u{1f}", "é"] {
            for place in 0...count {
                var text = String(repeating: "x", count: count)
                text.insert(contentsOf: special, at: text.index(text.startIndex, offsetBy: place))
                var writer = JSONWriter(reserving: 1)
                writer.string(text)
                let escaped = ["\"": "\\\"", "\\": "\\\\", "\u{1f}": "\\u001f", "é": "é"][special] ?? ""
                let expected =
                    "\"" + String(repeating: "x", count: place) + escaped + String(repeating: "x", count: count - place) + "\""
                #expect(String(decoding: writer.bytes, as: UTF8.self) == expected)
            }
        }
    }

    @Test("Long texts full of escapes have room", arguments: [0, 1, 255, 256, 257, 5_000])
    func longEscapes(_ count: Int) throws {
        for character in ["\u{1}", "\"", "x"] {
            let text = String(repeating: character, count: count)
            var writer = JSONWriter(reserving: 1)
            writer.string(text)
            let document = JSONDocument()
            try document.read(writer.bytes)
            #expect(document.root?.text?.string == text)
        }
    }

    @Test("Minified text is what the writer makes of the value, and white space inside texts stays")
    func minifies() throws {
        let document = JSONDocument()
        let builder = JSONBuilder()
        for one in ConformanceCase.accepted where one.shadowed == nil && !one.isEscaped && !one.isReplaced {
            try document.read(one.bytes)
            let root = try #require(document.root)
            let source = Array(document.source.bytes)[root.offset..<root.offset + root.sourceLength]
            var writer = JSONWriter()
            writer.beginArray()
            writer.minified(builder.keep(Array(source)))
            writer.minified("[ \"a \\\" b\" , { } ]")
            writer.endArray()
            var expected = JSONWriter()
            expected.beginArray()
            expected.value(root)
            expected.raw(#"["a \" b",{}]"#)
            expected.endArray()
            #expect(writer.bytes == expected.bytes, "\(one.name)")
        }
    }

    @Test("A text is escaped at every place of a long line", arguments: 0..<40)
    func escapesAnywhere(_ place: Int) throws {
        for byte in ["\"", "\\", "\u{1F}", "é"] {
            let text = String(repeating: "x", count: place) + byte + String(repeating: "y", count: 39 - place)
            var writer = JSONWriter()
            writer.string(text)
            let document = JSONDocument()
            try document.read(writer.bytes)
            #expect(document.root?.text?.string == text)
        }
    }

    @Test("A path is written with dots where a name is plain and in brackets where it is not")
    func paths() {
        #expect(JSONPath.root.text == "")
        #expect(
            JSONPath([.key("message"), .key("data"), .index(0), .key("odd key")]).text
                == #"message.data[0]["odd key"]"#)
        #expect(JSONPath([.key("apns-priority"), .key("gcm.message_id")]).text == #"apns-priority["gcm.message_id"]"#)
        #expect(JSONPath([.key("a\"b\n"), .key("c")]).text == #"["a\"b\n"].c"#)
        #expect(JSONPath([.index(3), .key("")]).text == #"[3][""]"#)
        #expect(JSONPath.root.appending("제목").appending(1).text == #"["제목"][1]"#)
    }

    @Test("Texts compare by their bytes, whatever they are made from")
    func texts() throws {
        let document = JSONDocument()
        try document.read(#"["ab","\u0061b","",  "é"]"#)
        let root = try #require(document.root)
        let first = try #require(root[0]?.text)
        let second = try #require(root[1]?.text)
        #expect(first == second)
        #expect(first == "ab")
        #expect(first == String("ab"))
        #expect(first != String("aé"))
        #expect(first != "abc")
        #expect(root[2]?.text?.isEmpty == true)
        #expect(root[2]?.text == JSONText.empty)
        #expect(JSONText(start: nil, count: 0) == JSONText.empty)
        #expect(root[3]?.text?.count == 2)
    }
}
