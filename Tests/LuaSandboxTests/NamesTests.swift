// Every name that the Lua we link offers is one that rules have, or one that stands in docs/sandbox.md with the reason why
// they have not. A newer Lua with one more name fails here until somebody has thought about it.
import CLua
import CLuaGuard
import Foundation
import JSONDocument
import LuaSandbox
import Testing

@Suite struct Names {
    private static let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/sandbox.md").standardized

    /// Names in the first column of the table behind a heading, with their reasons.
    private static func table(_ heading: String) throws -> [String: String] {
        let text = try String(contentsOf: page, encoding: .utf8)
        let part = text.components(separatedBy: "\n## ").first { $0.hasPrefix(heading) } ?? ""
        var names: [String: String] = [:]
        for line in part.split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            for name in cells[0].split(separator: ",") { names[name.trimmingCharacters(in: CharacterSet(charactersIn: "` "))] = cells[1] }
        }
        return names
    }

    /// "string.format", "string:__add" for what the metatable of texts has, "io:read" for that of files.
    private static func offered() throws -> Set<String> {
        let state = try #require(unsafe luaL_newstate())
        defer { unsafe lua_close(state) }
        unsafe luaL_openlibs(state)
        var names: Set<String> = []
        func keys(_ take: (String, CInt) -> Void) {
            unsafe lua_pushnil(state)
            while unsafe lua_next(state, -2) != 0 {
                if unsafe lua_type(state, -2) == LUA_TSTRING, let name = unsafe lua_tolstring(state, -2, nil) {
                    take(unsafe String(cString: name), unsafe lua_type(state, -1))
                }
                unsafe lua_settop(state, -2)
            }
        }
        unsafe lua_rawgeti(state, -1_001_000, 2)  // LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS: macros that Swift does not see
        keys { name, type in
            guard type == LUA_TTABLE, name != "_G" else { return _ = names.insert(name) }
            unsafe lua_getfield(state, -3, name)
            keys { inner, _ in names.insert("\(name).\(inner)") }
            unsafe lua_settop(state, -2)
        }
        unsafe lua_pushstring(state, "")
        #expect(unsafe lua_getmetatable(state, -1) != 0)
        keys { name, _ in names.insert("string:\(name)") }
        return names
    }

    @Test("Each name of the linked Lua is given to rules, or refused with a reason; none is refused that does not exist")
    func offeredNames() throws {
        let offered = try Self.offered()
        #expect(offered.count > 140)
        let (given, refused) = (Set(Walls.allowed), try Self.table("Names of Lua that are not there"))
        for name in offered.subtracting(given).subtracting(refused.keys).sorted() {
            Issue.record("\(name) is new: give it to rules in environment.c, or refuse it in docs/sandbox.md, with a reason")
        }
        for name in Set(refused.keys).subtracting(offered).sorted() {
            Issue.record("docs/sandbox.md refuses \(name), which Lua does not have")
        }
        #expect(Set(refused.keys).isDisjoint(with: given))
        #expect(refused.values.allSatisfy { $0.count > 10 })
    }

    @Test("A refused name is nil to rules, whichever way they ask")
    func refused() throws {
        for name in try Self.table("Names of Lua that are not there").keys where !name.contains(":") {
            let path = name.split(separator: ".").map(String.init)
            let asked = path.count == 1 ? "_ENV[\"\(path[0])\"]" : "(_ENV[\"\(path[0])\"] or {})[\"\(path[1])\"]"
            #expect(try Loaded(decide: "return { there = \(asked) ~= nil }").decide().text == #"{"there":false}"#, "\(name)")
        }
    }

    @Test("Texts have the functions of `string` as methods and nothing else: no metatable, no operator by name")
    func methods() throws {
        let names = try Self.offered().filter { $0.hasPrefix("string.") || $0.hasPrefix("string:") }.map { String($0.dropFirst(7)) }
        #expect(names.count > 20)
        for name in Set(names).union(["__metatable", "__gc", "__close", "__call", "__name", "__index", "__newindex"]).sorted() {
            let isGiven = Walls.allowed.contains("string.\(name)")
            let answer = try Loaded(
                decide: "local s = 'x' return { there = s['\(name)'] ~= nil, same = s['\(name)'] == string['\(name)'] }"
            ).decide()
            #expect(answer.text == "{\"same\":true,\"there\":\(isGiven)}", "\(name)")
        }
    }
}
