// Rules that nobody wrote: a seed gives an app of a few rules that loop, build and sort tables, work on texts, catch errors,
// keep state and log. Every rule says at its beginning and at its end that it was there.

struct GeneratedRules {
    private var random: SeededNumbers
    private var depth = 0
    private var loops = 0
    /// One text for each rule, in the order in which they run.
    private(set) var rules: [String] = []

    init(seed: UInt64) {
        random = SeededNumbers(seed: seed)
        for number in 1...(2 + random.below(3)) { rules.append(rule(number)) }
    }

    /// The first so many rules.
    func text(of count: Int) -> String { rules.prefix(count).joined(separator: "\n") }

    private mutating func rule(_ number: Int) -> String {
        let name = "r\(number)"
        var body = """
            local n, m, s, t, u, w = \(random.below(9) + 1), \(random.below(9) + 1), "abc", msg.title or "", { 3, 1, 2 }, { x = 1, y = "z" }
            state.set("\(name)", "begun")
            """
        for _ in 0..<(2 + random.below(5)) { body += "\n" + statement() }
        body += "\nstate.set(\"\(name)\", \"ended\") log(\"\(name) ends\")"
        let when =
            random.below(3) == 0
            ? "when = function(msg) local n, m, s, t, u, w = 1, 2, \"w\", \"t\", { 1 }, {} \(statement()) return true end,\n" : ""
        return """
            rule "\(name)" { on = "present", \(when)decide = function(msg, device, event)
            \(body)
            return { labels = { \(name) = tostring(n):sub(1, 20) .. #u }, \(number == 1 ? "title = \"t\" .. #s," : "") }
            end }
            """
    }

    private mutating func statement() -> String {
        depth += 1
        defer { depth -= 1 }
        switch random.below(depth > 3 ? 15 : 22) {
        case 0: return "n = (n * \(random.below(9) + 2) + m) % 1000"
        case 1: return "m = m + #u * \(random.below(4))"
        case 2: return "s = (s .. n):sub(-\(random.below(30) + 1))"
        case 3: return "t = (t .. s):upper():reverse():sub(1, \(random.below(200) + 5))"
        case 4: return "for word in (s .. \" \" .. t):gmatch(\"%w+\") do u[#u + 1] = #word end"
        case 5: return "s = s:gsub(\"[a-c]\", function(c) return c:byte() % 10 end):gsub(\"%d\", { [\"1\"] = \"a\" })"
        case 6: return "table.sort(u, function(a, b) return a > b end) u = { table.unpack(u, 1, 20) }"
        case 7: return "for k, v in pairs(w) do t = (t .. k .. tostring(v)):sub(-100) end"
        case 8: return "w[\"k\" .. n % 7] = (w[\"k\" .. n % 7] == nil) and { n, m } or nil"
        case 9: return "state.set(\"v\" .. n % 3, { n = n, s = s, list = { 1, 2, m } })"
        case 10: return "n = n + (state.incr(\"count\", m % 5) or 0) % 10"
        case 11: return "log(t .. n)"
        case 12:
            return
                "t = json.encode(json.decode('{\"a\":[' .. n .. ',2.5,\"x\"]}')) .. string.format(\"%5.2f|%-4s|%q\", m / 3, s:sub(1, 3), s:sub(1, 5))"
        case 13: return "m = m + math.random(1, 10) + math.floor(n / 2)"
        case 14: return "pcall(state.set, \"bad\", print or function() end) pcall(error, { n })"
        case 15: return "if n % 2 == 0 then \(statement()) else \(statement()) end"
        case 16: return loop("for i = 1, \(random.below(40) + 1) do n = n + i", "end")
        case 17:
            return
                "local ok, why = pcall(function() \(statement()) if n % 3 == 0 then error(\"thrown \" .. n, 0) end \(statement()) end) if not ok then t = tostring(why):sub(1, 60) end"
        case 18:
            return "local function f(x) n = (n + x) % 997 if x > 0 then return f(x - 1) end return n end m = f(\(random.below(30))) % 50"
        case 19: return loop("local i = 0 while i < \(random.below(30) + 2) do i = i + 1", "if i == 25 then break end end")
        case 20:
            return
                "do local made = {} for i = 1, \(random.below(20) + 1) do made[i] = function() return i + n end end for _, g in ipairs(made) do m = (m + g()) % 500 end end"
        default: return "table.insert(u, 1, m) table.remove(u) t = table.concat(u, \",\"):sub(1, 300) \(statement())"
        }
    }

    /// Loops in loops are few, so that a rule stays within a message's fuel.
    private mutating func loop(_ head: String, _ foot: String) -> String {
        guard loops < 2 else { return "n = n + 1" }
        loops += 1
        defer { loops -= 1 }
        return "\(head) \(statement()) \(foot)"
    }
}

/// The same numbers on every run.
struct SeededNumbers {
    private var state: UInt64

    init(seed: UInt64) { state = (seed &+ 1) &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func below(_ bound: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int((state &* 0x2545_F491_4F6C_DD1D) >> 33) % bound
    }
}
