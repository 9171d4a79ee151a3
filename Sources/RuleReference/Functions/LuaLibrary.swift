// The harmless parts of Lua's library, which behave as Lua's manual says (chapter 6) but for what the summary or
// docs/sandbox.md names. In the order of the machine's allow-list.

enum LuaLibrary {
    private static let s = Parameter("s", .text)
    private static let pattern = Parameter("pattern", .text)
    private static let from = Parameter("from", .anyInteger, optional: true)
    private static let to = Parameter("to", .anyInteger, optional: true)
    private static let list = Parameter("list", .list(.anything))
    private static let x = Parameter("x", .anyNumber)

    static let string: [Function] = [
        .own(
            "string.byte", [s, from, to], .anyInteger, does: "the bytes of a text from a place to a place, as numbers",
            .value("string.byte(\"A\")", gives: "65")),
        .own(
            "string.char", [Parameter("byte", .integer(0...255), repeats: true)], .text, does: "a text of these bytes",
            .value("string.char(72, 105)", gives: "\"Hi\"")),
        .own(
            "string.find", [s, pattern, from, Parameter("plain", .truth, optional: true)], ValueType.anyInteger.orNothing,
            ValueType.anyInteger.orNothing, does: "where a pattern first fits, from and to; nil where it does not",
            details: ["With `plain` true the pattern is a text like any other."],
            .value("(string.find(\"order 17\", \"%d+\"))", gives: "7")),
        .own(
            "string.format", [Parameter("form", .text), Parameter("…", .anything, optional: true, repeats: true)], .text,
            does: "values put into a text: %s a value, %d a whole number, %.2f a number with two decimals, %q a quoted text",
            details: ["There is no %p."], .value("string.format(\"%d of %s\", 3, \"ten\")", gives: "\"3 of ten\"")),
        .own(
            "string.gmatch", [s, pattern, from], .function([], .anything), does: "goes over all places where a pattern fits",
            .rules(
                """
                rule "Words: count them" {
                  on     = "present",
                  decide = function(msg)
                    local count = 0
                    for _ in (msg.body or ""):gmatch("%S+") do count = count + 1 end
                    return { labels = { words = tostring(count) } }
                  end,
                }
                """, gives: #"{"labels": {"words": "3"}}"#, Example.Scene())),
        .own(
            "string.gsub",
            [
                s, pattern, Parameter("replacement", .either([.text, .map(.anything, by: "what was found"), .function([], .anything)])),
                Parameter("most", .anyInteger, optional: true),
            ], .text, .anyInteger, does: "a text in which what fits a pattern is replaced, and how often that was",
            .value("(string.gsub(\"a-b-c\", \"-\", \" \"))", gives: "\"a b c\"")),
        .own(
            "string.len", [s], .anyInteger, does: "how many bytes a text has; utf8.len counts characters",
            .value("string.len(\"né\")", gives: "3")),
        .own(
            "string.lower", [s], .text, does: "the text with A to Z in small letters; others stay as they are",
            .value("string.lower(\"ABC\")", gives: "\"abc\"")),
        .own(
            "string.match", [s, pattern, from], ValueType.text.orNothing,
            does: "what a pattern finds, or what it captures in ( ); nil for nothing",
            .value("string.match(\"room-8812\", \"room%-(%d+)\")", gives: "\"8812\"")),
        .own(
            "string.rep", [s, Parameter("n", .anyInteger), Parameter("separator", .text, optional: true)], .text,
            does: "a text n times, with a separator between",
            .value("string.rep(\"ab\", 3, \"-\")", gives: "\"ab-ab-ab\"")),
        .own("string.reverse", [s], .text, does: "the bytes of a text in reverse", .value("string.reverse(\"abc\")", gives: "\"cba\"")),
        .own(
            "string.sub", [s, Parameter("from", .anyInteger), to], .text,
            does: "a part of a text by bytes; from the end with negative places. text.truncate cuts by characters",
            .value("string.sub(\"room-8812\", 6)", gives: "\"8812\"")),
        .own(
            "string.upper", [s], .text, does: "the text with a to z in capitals; others stay as they are",
            .value("string.upper(\"abc\")", gives: "\"ABC\"")),
    ]

    static let table: [Function] = [
        .own(
            "table.concat", [list, Parameter("separator", .text, optional: true), from, to], .text,
            does: "the texts and numbers of a list as one text", .value("table.concat({ \"a\", \"b\" }, \", \")", gives: "\"a, b\"")),
        .own(
            "table.insert", [list, Parameter("place", .anyInteger, optional: true), Parameter("value", .anything)], .nothing,
            does: "puts a value at the end of a list, or at a place: table.insert(list, value), table.insert(list, place, value)",
            .rules(
                """
                rule "Path: the room above the list" {
                  on     = "open",
                  decide = function(msg)
                    local path = { "list" }
                    table.insert(path, msg.data.room)
                    return { route = { tab = "chat", path = path } }
                  end,
                }
                """, gives: #"{"route": {"tab": "chat", "path": ["list", "r-1"]}}"#,
                Example.Scene("open", #"{"message_id": "m-1", "aps": {"alert": "hi"}, "room": "r-1"}"#))),
        .own(
            "table.move",
            [
                list, Parameter("from", .anyInteger), Parameter("to", .anyInteger), Parameter("place", .anyInteger),
                Parameter("target", .list(.anything), optional: true),
            ], .list(.anything), does: "copies a part of a list to a place, of another list if one is given",
            .value("table.move({ 1, 2, 3 }, 2, 3, 1, {})", gives: "[2, 3]")),
        .own(
            "table.pack", [Parameter("…", .anything, repeats: true)], .list(.anything),
            does: "a list of the arguments, with their number as n",
            .value("table.pack(\"a\", \"b\").n", gives: "2")),
        .own(
            "table.remove", [list, Parameter("place", .anyInteger, optional: true)], .anything,
            does: "takes the last value out of a list, or the one at a place, and gives it", .value("table.remove({ 1, 2, 3 })", gives: "3")
        ),
        .own(
            "table.sort",
            [list, Parameter("before", .function([Parameter("a", .anything), Parameter("b", .anything)], .truth), optional: true)],
            .nothing, does: "sorts a list in place; equal ones stay in their order",
            .rules(
                """
                rule "Names: sorted" {
                  on     = "present",
                  decide = function(msg)
                    local names = { table.unpack(msg.data.names or {}) }
                    table.sort(names)
                    return { labels = { names = table.concat(names, " ") } }
                  end,
                }
                """, gives: #"{"labels": {"names": "ann bob"}}"#,
                Example.Scene("present", #"{"message_id": "m-1", "aps": {"alert": "hi"}, "names": ["bob", "ann"]}"#))),
        .own(
            "table.unpack", [list, from, to], .anything, does: "the values of a list, one after the other; at most 8,000",
            .value("math.max(table.unpack({ 3, 9, 4 }))", gives: "9")),
    ]

    static let math: [Function] = [
        .own("math.abs", [x], .anyNumber, does: "a number without its sign", .value("math.abs(-3)", gives: "3")),
        .own("math.acos", [x], .anyNumber, does: "the angle of a cosine", .value("math.acos(1) == 0", gives: "true")),
        .own("math.asin", [x], .anyNumber, does: "the angle of a sine", .value("math.asin(0) == 0", gives: "true")),
        .own(
            "math.atan", [Parameter("y", .anyNumber), Parameter("x", .anyNumber, optional: true)], .anyNumber,
            does: "the angle of a tangent, y / x", .value("math.atan(0) == 0", gives: "true")),
        .own("math.ceil", [x], .anyInteger, does: "the next whole number upwards", .value("math.ceil(2.1)", gives: "3")),
        .own("math.cos", [x], .anyNumber, does: "the cosine of an angle", .value("math.cos(0) == 1", gives: "true")),
        .own("math.exp", [x], .anyNumber, does: "e to the power of a number", .value("math.exp(0) == 1", gives: "true")),
        .own("math.floor", [x], .anyInteger, does: "the next whole number downwards", .value("math.floor(2.9)", gives: "2")),
        .own(
            "math.fmod", [x, Parameter("y", .anyNumber)], .anyNumber, does: "the rest of a division that rounds towards 0",
            .value("math.fmod(-7, 3)", gives: "-1")),
        .constant("math.huge", .anyNumber, "a number above all others", .value("math.huge > 1e308", gives: "true")),
        .own(
            "math.log", [x, Parameter("base", .anyNumber, optional: true)], .anyNumber, does: "the logarithm, to the base of e without one",
            .value("math.log(8, 2) == 3", gives: "true")),
        .own(
            "math.max", [x, Parameter("…", .anyNumber, optional: true, repeats: true)], .anyNumber, does: "the largest of the numbers",
            .value("math.max(3, 9, 4)", gives: "9")),
        .constant(
            "math.maxinteger", .anyInteger, "the largest whole number", .value("math.maxinteger", gives: "9223372036854775807")),
        .own(
            "math.min", [x, Parameter("…", .anyNumber, optional: true, repeats: true)], .anyNumber, does: "the smallest of the numbers",
            .value("math.min(3, 9, 4)", gives: "3")),
        .constant(
            "math.mininteger", .anyInteger, "the smallest whole number", .value("math.mininteger < 0", gives: "true")),
        .own(
            "math.modf", [x], .anyNumber, .anyNumber, does: "the whole part of a number, and the rest",
            .value("(math.modf(2.5)) == 2", gives: "true")),
        .constant("math.pi", .anyNumber, "the number pi", .value("math.floor(math.pi * 100)", gives: "314")),
        .own(
            "math.random", [Parameter("m", .anyInteger, optional: true), Parameter("n", .anyInteger, optional: true)], .anyNumber,
            does: "a number from 0 to 1, from 1 to m, or from m to n",
            details: [
                "It begins anew for each message from a seed that the host gives, so that the same message gives the same number. For a part of all people use `bucket` or the key `rollout`."
            ], .value("math.random(1, 6) <= 6", gives: "true")),
        .own("math.sin", [x], .anyNumber, does: "the sine of an angle", .value("math.sin(0) == 0", gives: "true")),
        .own("math.sqrt", [x], .anyNumber, does: "the square root", .value("math.sqrt(9) == 3", gives: "true")),
        .own("math.tan", [x], .anyNumber, does: "the tangent of an angle", .value("math.tan(0) == 0", gives: "true")),
        .own(
            "math.tointeger", [Parameter("value", .anything)], ValueType.anyInteger.orNothing,
            does: "a number as a whole one; nil when it has a fraction",
            .value("math.tointeger(3.0)", gives: "3")),
        .own(
            "math.type", [Parameter("value", .anything)], ValueType.words(["integer", "float"]).orNothing,
            does: "\"integer\" for a whole number, \"float\" for another, nil for what is no number",
            .value("math.type(3)", gives: "\"integer\"")),
        .own(
            "math.ult", [Parameter("m", .anyInteger), Parameter("n", .anyInteger)], .truth,
            does: "whether m is below n, both read without a sign", .value("math.ult(1, -1)", gives: "true")),
    ]

    static let utf8: [Function] = [
        .own(
            "utf8.char", [Parameter("code", .anyInteger, repeats: true)], .text, does: "a text of these characters",
            .value("utf8.char(233)", gives: "\"é\"")),
        .constant(
            "utf8.charpattern", .text, "a pattern that fits one character",
            .value("(\"né\"):match(\"n(\" .. utf8.charpattern .. \")\")", gives: "\"é\"")),
        .own(
            "utf8.codepoint", [s, from, to, Parameter("lax", .truth, optional: true)], .anyInteger,
            does: "the numbers of the characters between two bytes", .value("utf8.codepoint(\"é\")", gives: "233")),
        .own(
            "utf8.codes", [s, Parameter("lax", .truth, optional: true)], .function([], .anyInteger),
            does: "goes over the characters of a text: for place, code in utf8.codes(s) do … end",
            .rules(
                """
                rule "Characters: count them" {
                  on     = "present",
                  decide = function(msg)
                    local count = 0
                    for _ in utf8.codes(msg.title or "") do count = count + 1 end
                    return { labels = { characters = tostring(count) } }
                  end,
                }
                """, gives: #"{"labels": {"characters": "4"}}"#, Example.Scene())),
        .own(
            "utf8.len", [s, from, to, Parameter("lax", .truth, optional: true)], ValueType.anyInteger.orNothing,
            ValueType.anyInteger.orNothing, does: "how many characters a text has; nil and a place where it is not UTF-8",
            .value("utf8.len(\"né\")", gives: "2")),
        .own(
            "utf8.offset", [s, Parameter("n", .anyInteger), from], ValueType.anyInteger.orNothing,
            does: "at which byte the n-th character begins",
            .value("utf8.offset(\"né!\", 3)", gives: "4")),
    ]

    static let json: [Function] = [
        .own(
            "json.decode", [Parameter("text", .text)], .anything, ValueType.text.orNothing,
            does: "the value of a JSON text; nil and a message when it is none",
            details: ["null becomes nil. At most 64 KiB, 10,000 values and 64 levels."],
            .value(
                "json.decode(msg.data.extra).room", gives: "\"r-1\"",
                Example.Scene("present", #"{"aps": {"alert": "hi"}, "extra": "{\"room\":\"r-1\"}"}"#))),
        .own(
            "json.encode", [Parameter("value", .anything)], .text, does: "a value as JSON text",
            .value("json.encode({ 1, 2 })", gives: "\"[1,2]\"")),
    ]
}
