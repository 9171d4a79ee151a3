// The layout of JSON that people write: only white space changes, and laying out twice is laying out once.
import JSONDocument
import Testing

@testable import RuleStore

struct JSONLayoutTests {
    private func laidOut(_ text: String) -> String { String(decoding: JSONLayout.document(Array(text.utf8)), as: UTF8.self) }

    @Test("What fits stays on its line, the outermost members and the cases of a list do not")
    func shape() {
        #expect(laidOut(#"{"a":1,"b":{"c":[1,2,{"d":null}]}}"#) == "{\n  \"a\": 1,\n  \"b\": {\"c\": [1, 2, {\"d\": null}]}\n}\n")
        #expect(
            laidOut(#"[{"name":"n","expect":{}},{"name":"m"}]"#)
                == "[\n  {\n    \"name\": \"n\",\n    \"expect\": {}\n  },\n  {\n    \"name\": \"m\"\n  }\n]\n")
        #expect(laidOut(" [ ] ") == "[]\n")
        #expect(laidOut("{}") == "{}\n")
        #expect(laidOut("[1, 2]") == "[1, 2]\n")
        #expect(laidOut("\"a\"") == "\"a\"\n")
    }

    @Test("A line that would be too long is broken from outside to inside, and a comma behind it is counted", arguments: [0, 1, 2])
    func width(_ more: Int) {
        // {"k": {"v": "xxx…"}, of 100 columns with its comma.
        let text = String(repeating: "x", count: 100 - 2 - #""k": {"v": ""},"#.count + more)
        let lines = laidOut(#"{"k":{"v":""# + text + #""},"z":0}"#).split(separator: "\n")
        #expect(lines.count == (more == 0 ? 4 : 6))
        if more == 0 { #expect(lines[1].count == 100) }
    }

    @Test("Columns are characters, not bytes")
    func characters() {
        let text = String(repeating: "é", count: 100 - 2 - #""k": {"v": ""},"#.count)
        #expect(laidOut(#"{"k":{"v":""# + text + #""},"z":0}"#).split(separator: "\n").count == 4)
    }

    @Test(
        "Numbers, texts, the order of keys and keys that stand twice stay to the byte",
        arguments: [
            #"{"b":1.50e+007,"a":-0,"big":123456789012345678901234567890}"#, #"{"t":"é\u00e9\/\ud83d\ude00 \" , : { [ \\"}"#,
            #"{"a":1,"a":2}"#, #"[[[[[[]]]]],{},""]"#, #"{"":"","x":[" a ","b"]}"#,
        ])
    func bytes(_ text: String) {
        #expect(String(decoding: JSONLayout.line(Array(laidOut(text).utf8)), as: UTF8.self) == text)
    }

    @Test("Laying out what is laid out changes nothing", arguments: 1...40)
    func again(_ seed: Int) {
        var numbers = Numbers(state: UInt64(seed))
        let text = value(&numbers, depth: 0)
        let once = laidOut(text)
        #expect(laidOut(once) == once)
        #expect(String(decoding: JSONLayout.line(Array(once.utf8)), as: UTF8.self) == text)
        for line in once.split(separator: "\n") where line.count > JSONLayout.columns {
            // Only what cannot be broken: one member with a plain value.
            #expect(!line.dropFirst(2).contains("{\"") || line.hasSuffix("{"), "\(line)")
        }
    }

    private struct Numbers {
        var state: UInt64
        mutating func next(_ below: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % below
        }
    }

    /// Compact JSON.
    private func value(_ numbers: inout Numbers, depth: Int) -> String {
        switch numbers.next(depth > 4 ? 3 : 6) {
        case 0: return "\(numbers.next(1_000_000))"
        case 1: return "\"" + String(repeating: "wörd ", count: numbers.next(6)) + "\""
        case 2: return ["null", "true", "false", "-1.5e3"][numbers.next(4)]
        case 3: return "[" + (0..<numbers.next(6)).map { _ in value(&numbers, depth: depth + 1) }.joined(separator: ",") + "]"
        default: return "{" + (0..<numbers.next(6)).map { "\"k\($0)\":\(value(&numbers, depth: depth + 1))" }.joined(separator: ",") + "}"
        }
    }

    @Test("A byte order mark and line ends of Windows go")
    func marks() {
        #expect(laidOut("\u{FEFF}{\"a\": 1,\r\n\"b\": 2}\r\n") == "{\n  \"a\": 1,\n  \"b\": 2\n}\n")
    }
}
