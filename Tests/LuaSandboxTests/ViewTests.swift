// msg, device and event behave as tables do, are read-only, and end with their message.
import JSONDocument
import LuaSandbox
import Testing

@Suite struct Views {
    /// A message, and the same as Lua text.
    static let message =
        #"{"list":[1,"two",3.5,true],"data":{"a":"b","deep":{"x":[{"y":"z"}]},"n":7,"none":null},"id":"m-1","empty":{},"nothing":[]}"#
    static let table =
        #"{ list = { 1, "two", 3.5, true }, data = { a = "b", deep = { x = { { y = "z" } } }, n = 7 }, id = "m-1", empty = {}, nothing = {} }"#

    @Test(
        "An expression on a view gives what it gives on a table",
        arguments: [
            "type(v)", "type(v.data)", "type(v.list[1])", "#v", "#v.list", "#v.data", "#v.empty", "#v.nothing", "v.id",
            "v.list[1]", "v.list[2]",
            "v.list[3]", "v.list[4]", "v.list[5]", "v.list[0]", "v.list['1']", "v.list[1.0]", "v.list[1.5]", "v.list[-1]",
            "v.data.a", "v.data.n",
            "v.data.none", "v.data[1]", "v['data']['a']", "v.data.deep.x[1].y", "v.nosuch", "v.data == v.data",
            "v.data ~= v.list", "v == v.data",
            "v.data.n + 1", "v.data.n // 2", "v.data.a .. 'c'", "v.data.a:upper()", "next(v.list)", "next(v.empty)",
            "next(v.nothing)",
            "next(v.list, 1)", "next(v.list, 4)", "select('#', table.unpack(v.list))", "(table.unpack(v.list, 2, 3))",
            "table.concat(v.list, '-', 1, 3)", "math.type(v.data.n)", "math.type(v.list[3])", "rawequal",
            "v.data.deep.x[1].y == 'z'",
            "json.encode(v.list)", "json.encode(v.data)", "tostring(v.data.n)", "not v.data", "v.list and 1",
            "pcall(function() return v.nosuch.x end)", "pcall(function() return v.data() end)",
            "pcall(function() return v.data + 1 end)",
            "pcall(function() return v.data .. 'x' end)", "pcall(function() return v.data < v.list end)",
            "pcall(function() return -v.data end)",
            "pcall(function() return table.concat(v.data.deep.x) end)", "pcall(next, v.data, 'nokey')", "pcall(ipairs, v.id)",
            "({ [v.data] = 1 })[v.data]", "select(2, pcall(table.unpack, v.list, 1, 1e8))",
        ])
    func expression(_ text: String) throws {
        #expect(try value(of: text, view: true) == value(of: text, view: false))
    }

    @Test(
        "A loop over a view gives what it gives on a table",
        arguments: [
            "for k, x in pairs(v.list) do put(k, x) end", "for i, x in ipairs(v.list) do put(i, x) end",
            "for i = 1, #v.list do put(i, v.list[i]) end", "for k, x in next, v.list do put(k, x) end",
            "for k, x in pairs(v.data) do if type(x) ~= 'table' then put(k, x) end end", "for k in pairs(v.empty) do put(k) end",
            "for k, x in pairs(v.data.deep.x[1]) do put(k, x) end", "local k, x = next(v.data) put(k, x)",
        ])
    func loop(_ text: String) throws {
        #expect(try value(of: text, view: true, isLoop: true) == value(of: text, view: false, isLoop: true))
    }

    private func value(of text: String, view: Bool, isLoop: Bool = false) throws -> String {
        let bind = view ? "local v = msg" : "local v = \(Views.table)"
        let body =
            isLoop
            ? "local out = {} local function put(...) for i = 1, select('#', ...) do out[#out + 1] = tostring((select(i, ...))) end end \(text) return { r = table.concat(out, ' ') }"
            : "local function f() return \(text) end local r = table.pack(f()) for i = 1, r.n do r[i] = tostring(r[i]) end return { r = table.concat(r, ' ') }"
        let loaded = try Loaded(decide: "\(bind) \(body)")
        let answer = try loaded.decide(message: Views.message)
        guard case .json(let text) = answer else { return answer.text }
        // A view is named by its path, a table only by its kind.
        return text.replacing("(field 'data')", with: "").replacing(#/table: [a-z.]+/#, with: "table")
    }

    @Test("pairs goes over a view in the order of its document") func order() throws {
        let loaded = try Loaded(decide: "local k = {} for key in pairs(msg.data) do k[#k + 1] = key end return { k = k }")
        #expect(try loaded.decide(message: #"{"data":{"z":1,"a":2,"m":null,"b":{"x":1}}}"#).text == #"{"k":["z","a","b"]}"#)
    }

    @Test("Of two members with one key only the last one exists") func shadowed() throws {
        let loaded = try Loaded(
            decide: "local k = {} for key, v in pairs(msg.data) do k[#k + 1] = key .. v end return { k = k, a = msg.data.a }")
        #expect(try loaded.decide(message: #"{"data":{"a":1,"b":2,"a":3}}"#).text == #"{"a":3,"k":["b2","a3"]}"#)
    }

    @Test("An integer beyond 64 bits is text, null is nil") func numbers() throws {
        let loaded = try Loaded(decide: "return { big = msg.data.big, isnil = msg.data.none == nil, f = msg.data.f }")
        #expect(
            try loaded.decide(message: #"{"data":{"big":18446744073709551616,"none":null,"f":1.0}}"#).text
                == #"{"big":"18446744073709551616","f":1.0,"isnil":true}"#)
    }

    @Test(
        "Writing to a view is refused, by whatever way",
        arguments: [
            "msg.id = 'x'", "msg.data.a = 1", "device.state = 'background'", "table.insert(msg.list, 1)", "table.sort(msg.list)",
            "table.remove(msg.list)", "table.move({1}, 1, 1, 1, msg.list)", "msg.list[1] = nil",
        ])
    func readOnly(_ statement: String) throws {
        let loaded = try Loaded(decide: "\(statement) return { display = 'show' }")
        let answer = try loaded.decide(message: Views.message)
        #expect(answer.text.contains("read-only"), "\(answer.text)")
    }

    @Test("A view that is kept raises at the next message and never shows it") func kept() throws {
        let source = """
            local kept = {}
            local function keep(v) kept = v end
            rule "r" { decide = function(msg) if kept.id then return { id = kept.id } end keep(msg) return { display = "show" } end }
            """
        let loaded = try Loaded(source)
        #expect(try loaded.decide(message: #"{"id":"first"}"#).text.contains("'kept' of the file was changed"))
        #expect(try loaded.decide(message: #"{"id":"second"}"#).text.contains("'kept' of the file was changed"))
    }

    @Test("A view does not outlive its evaluation in an iterator either") func keptIterator() throws {
        let loaded = try Loaded("local it = ('a b c'):gmatch('%a') rule 'r' { decide = function() return { x = it() } end }")
        #expect(try loaded.decide().text.contains("began in an earlier evaluation"))
    }

    @Test("A view can be returned and given to the host: it is copied") func copied() throws {
        let loaded = try Loaded(decide: "state.set('k', msg.data) return { data = msg.data, back = state.get('k') }")
        #expect(
            try loaded.decide(message: #"{"data":{"a":[1,{"b":null,"c":2}]}}"#).text
                == #"{"back":{"a":[1,{"c":2}]},"data":{"a":[1,{"c":2}]}}"#)
    }

    @Test("An unknown field of msg is nil and noted with its place; below the top everything goes") func unknown() throws {
        let loaded = try Loaded(
            decide: "local a = msg.titel\n local b = msg.data.whatever, device.sate\n return { x = tostring(a) }")
        try loaded.begin()
        guard case .value = loaded.call() else { throw Unexpected() }
        let usage = loaded.machine.end()
        #expect(
            usage.unknownFields.map { "\($0.view).\($0.field) \($0.file):\($0.line)" } == [
                "msg.titel rules.lua:1", "device.sate rules.lua:2",
            ])
    }

    @Test("A table of a fixed shape tells unknown fields too, one of the same name elsewhere does not") func unknownBelow() throws {
        let loaded = try Loaded(
            decide: "local s = device.screen\n return { a = tostring(s.tabb), b = s.tab, c = tostring(msg.data.screen.tabb) }")
        try loaded.begin(message: #"{"data":{"screen":{"x":1}}}"#)
        guard case .value = loaded.call() else { throw Unexpected() }
        #expect(loaded.machine.end().unknownFields.map { "\($0.view).\($0.field):\($0.line)" } == ["device.screen.tabb:2"])
    }

    @Test("Names that nothing has are noted while a file is loaded, once a line, and not afterwards") func undefined() throws {
        let loaded = try Loaded(
            "local a, b = cart, cart\nlocal c = print or pairs rule 'r' { decide = function() return { x = later } end }")
        #expect(loaded.machine.undefinedNames.map { "\($0.name):\($0.line)" } == ["cart:1", "print:2"])
        #expect(loaded.machine.undefinedNames.map { $0.advice != nil } == [false, true])
        #expect(try loaded.decide().text == "{}" || loaded.decide().text == "[]")
        #expect(loaded.machine.undefinedNames.count == 2)
    }

    @Test(
        "is_showing: the app in front, that tab, and the item on top of it",
        arguments: [
            ("device:is_showing('chat')", true), ("device:is_showing('chat', 'room-1')", true),
            ("device:is_showing('chat', 'list')", false),
            ("device:is_showing('home')", false), ("device:is_showing('chat', nil)", false),
            ("device.is_showing(device, 'chat')", true),
            ("device:is_showing('chat', msg.data.chat_id)", true), ("device:is_showing('chat', msg.data.nosuch)", false),
        ])
    func isShowing(_ expression: String, _ expected: Bool) throws {
        let loaded = try Loaded(decide: "return { r = \(expression) }")
        #expect(try loaded.decide().text == #"{"r":\#(expected)}"#)
    }

    @Test("is_showing is false in the background, and compares numbers as text") func isShowingElsewhere() throws {
        let loaded = try Loaded(decide: "return { r = device:is_showing('chat', 7), s = device:is_showing('chat', '7') }")
        try loaded.device.read(#"{"state":"inactive","screen":{"tab":"chat","path":["7"]}}"#)
        #expect(try loaded.decide().text == #"{"r":true,"s":true}"#)
        try loaded.device.read(#"{"state":"background","screen":{"tab":"chat","path":["7"]}}"#)
        #expect(try loaded.decide().text == #"{"r":false,"s":false}"#)
    }
}
