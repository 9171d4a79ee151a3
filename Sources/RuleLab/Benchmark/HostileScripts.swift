// A few of the things that hostile rules do, so that the program can attack itself anywhere. The whole collection is in
// Tests/Cases/attacks and can be used in their place.
import RuleEngine

enum HostileScripts {
    static let all: [SourceFile] = [
        ("endless", "while true do end"),
        ("caught", "while true do pcall(error, 'again') end"),
        ("recursion", "local function f() return 1 + f() end f()"),
        ("pattern", "return (('a'):rep(200)):find(('a-'):rep(30) .. 'b')"),
        ("doubling", "local s = 'x' while true do s = s .. s end"),
        ("growing", "local t = {} for i = 1, 1e9 do t[i] = { i } end"),
        ("sorting", "local t = {} for i = 1, 20000 do t[i] = (i * 7919) % 20011 end while true do table.sort(t) end"),
        ("writing", "while true do string.format('%99.99f', 2 ^ 1000) end"),
    ].map { SourceFile(path: "\($0.0).lua", bytes: Array($0.1.utf8)) }
}
