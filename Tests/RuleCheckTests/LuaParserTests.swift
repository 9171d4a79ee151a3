// The parser reads what the Lua machine reads, and says where things stand.
import Foundation
import LuaSandbox
import Testing

@testable import RuleCheck

struct LuaParserTests {
    private static let files: [URL] = {
        let folders = ["rules", "Tests/Cases", "Benchmarks"].map { Fixture.house.appendingPathComponent($0) }
        return folders.flatMap { folder in
            ((try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []).filter { $0.hasSuffix(".lua") }.sorted()
                .map { folder.appendingPathComponent($0) }
        }
    }()

    @Test("Whatever the Lua machine takes for Lua, the parser reads; of the rest it gives nothing or something, and never fails")
    func sameAsMachine() throws {
        #expect(Self.files.count > 300)
        let machine = try LuaMachine(limits: ScriptLimits(), functions: [])
        var read = 0
        for file in Self.files {
            let bytes = Array(try Data(contentsOf: file))
            let tree = LuaParser.parse(bytes)
            do {
                try machine.check(file: "a.lua", source: bytes)
            } catch {
                continue
            }
            read += 1
            #expect(tree != nil, "\(file.path)")
        }
        #expect(read > 100)
    }

    @Test("A file that was cut off anywhere is read or not, and nothing fails")
    func cuts() throws {
        let bytes = Array(
            """
            local a <const>, b = 0x1F, [==[ x ]==] -- comment
            ::top:: goto top
            for i = 1, #b, 2 do if a ~= i and not (b .. "\\n" == 'c') then break elseif a then a = {1; [2] = 3, x = ...} end end
            function a.b:c(...) return ..., a // 2 ^ -3, a.b["c"]:d "e" {f = 1}(g) end
            repeat local z = a << 1 | b & ~c until z >= 1e3
            """.utf8)
        for length in 0...bytes.count { _ = LuaParser.parse(Array(bytes.prefix(length))) }
        #expect(LuaParser.parse(bytes) != nil)
    }

    @Test("Text that nests without end is not read, and costs nothing")
    func deep() {
        for opened in ["(", "{", "a[", "function() ", "-", "not ", "if a then ", "f(", "do "] {
            let text = "x = " + String(repeating: opened == "-" ? "- " : opened, count: 20_000)
            #expect(LuaParser.parse(Array(text.utf8)) == nil)
            // Two minus signs begin a comment.
            if opened != "-" { #expect(LuaParser.parse(Array(text.dropFirst(4).utf8)) == nil) }
        }
    }

    private func expression(_ text: String) throws -> LuaExpression {
        let body = try #require(LuaParser.parse(Array("return \(text)".utf8)))
        guard case .give(let values, _) = body[0] else { throw CancellationError() }
        return try #require(values.first)
    }

    /// With all its parentheses.
    private func shown(_ expression: LuaExpression) -> String {
        switch expression {
        case .binary(let sign, let left, let right, _): "(\(shown(left)) \(sign) \(shown(right)))"
        case .unary(let sign, let value, _): "(\(sign) \(shown(value)))"
        case .global(let name, _): name
        case .number(let number, _): "\(Int(number))"
        case .index(let object, let key, _): "\(shown(object)).\(key.text ?? "?")"
        case .call(let callee, let arguments, _): "\(shown(callee))(\(arguments.map(shown).joined(separator: ", ")))"
        case .method(let object, let name, let arguments, _): "\(shown(object)):\(name)(\(arguments.map(shown).joined(separator: ", ")))"
        case .text(let text, _): "\"\(text)\""
        case .one(let inner): shown(inner)
        default: "?"
        }
    }

    @Test(
        "Operators bind as in Lua's manual (3.4.8)",
        arguments: [
            ("a or b and c", "(a or (b and c))"), ("a < b == c", "((a < b) == c)"), ("a .. b .. c", "(a .. (b .. c))"),
            ("-a ^ b", "(- (a ^ b))"), ("2 ^ 3 ^ 4", "(2 ^ (3 ^ 4))"), ("not a == b", "((not a) == b)"),
            ("a + b * c - d", "((a + (b * c)) - d)"),
            ("a | b ~ c & d << 1 .. e", "(a | (b ~ (c & (d << (1 .. e)))))"), ("#a.b:c 'x'", "(# a.b:c(\"x\"))"),
            ("a 'b' {} ['c']", "a(\"b\")(?).c"),
        ])
    func priorities(text: String, wanted: String) throws {
        #expect(shown(try expression(text)) == wanted)
    }

    @Test(
        "Escapes of texts are read",
        arguments: [(#""a\tb\"c\\""#, "a\tb\"c\\"), (#"'\65\066'"#, "AB"), ("[[a\\n]]", "a\\n"), (#""a\z   b""#, "ab")])
    func escapes(text: String, wanted: String) throws {
        #expect(try expression(text).text == wanted)
    }

    @Test("A name is the variable that can be seen there, and a global where none is")
    func variables() throws {
        let body = try #require(LuaParser.parse(Array("local a = 1 do local a = 2 x = a end y = a z = b".utf8)))
        let contents = LuaContents(of: body)
        let values = contents.statements.compactMap { statement -> String? in
            guard case .assignment(_, let values, _) = statement, let value = values.first?.followed else { return nil }
            return shown(value)
        }
        #expect(values == ["2", "1", "b"])
    }
}
