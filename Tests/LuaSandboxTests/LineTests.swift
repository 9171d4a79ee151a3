// Which lines can run, which have run, what they touched - and that a script cannot tell that somebody looks.
import JSONDocument
@testable import LuaSandbox
import Testing

@Suite struct Lines {
    @Test("Lines that can run are those with work on them, in functions and in the file itself; an end of its own is none")
    func executable() {
        let source = """
            -- a comment
            local few = { "a",

              "b" }
            local function pick(t, ...)
              local a, b = ...

              for _, word in ipairs(t) do
                if word == a
                  or word == b
                then
                  return word
                end
              end
              while a do a = nil end
            end
            rule "x" {
              when = function(msg) return pick(few, msg.a) end,
              decide = function(msg)
                return { reason = "one",
                  title = "two" }
              end,
            }
            local empty = function() end
            """
        let lines = ExecutableLines(of: Array(source.utf8))
        #expect(lines.ofFunctions.sorted() == [6, 8, 9, 10, 12, 15, 18, 20, 21])
        #expect(lines.ofLoad.contains(2) && lines.ofLoad.contains(16) && lines.ofLoad.contains(17) && !lines.ofLoad.contains(9))
        #expect(lines.ofLoad.max() == 24)
    }

    @Test("What is not Lua has no lines, nor has nothing; a mark at the start and any number of lines change nothing")
    func odd() {
        #expect(ExecutableLines(of: Array("return return".utf8)) == ExecutableLines(of: []))
        let one = "local f = function() return 1 end"
        #expect(ExecutableLines(of: [0xEF, 0xBB, 0xBF] + Array(one.utf8)).ofFunctions == [1])
        // Jumps of more than 127 lines, and of more than 127 instructions, are kept in another way.
        let far = "local f = function(a)\n a = 1" + String(repeating: "\n", count: 900) + " a = 2\n"
        let long = (0..<500).map { "a = a + \($0)\n" }.joined()
        let lines = ExecutableLines(of: Array((far + long + "end").utf8))
        #expect(lines.ofFunctions.sorted() == [2, 902] + Array(903...1402))
    }

    private static let counted = """
        local function twice(n) -- 1
          local sum = 0
          for i = 1, 2 do
            sum = sum + n
          end
          return sum
        end
        local four = twice(2)
        local function half(n)
          return n / 2
        end
        rule "r" {
          decide = function(msg, device, event)
            if msg.badge then
              return { badge = twice(msg.badge) }
            end
            return { badge = half(four) }
          end,
        }
        """

    @Test("Lines of functions are counted while a message is decided; what runs in the load is told apart")
    func counts() throws {
        let counts = try LineCounts([("other.lua", []), ("rules.lua", Array(Self.counted.utf8))])
        let loaded = try Loaded(Self.counted, countingInto: counts)
        func hits() -> [Int: Int] {
            var hits: [Int: Int] = [:]
            for line in 1...20 where counts.hits(of: "rules.lua", line: line) > 0 { hits[line] = counts.hits(of: "rules.lua", line: line) }
            return hits
        }
        #expect(hits() == [:])
        #expect((1...20).filter { counts.ranInLoad("rules.lua", line: $0) } == [2, 3, 4, 6])
        #expect(try loaded.decide() == .json(#"{"badge":2.0}"#))
        #expect(hits() == [10: 1, 14: 1, 17: 1])
        #expect(try loaded.decide(message: #"{"badge":3}"#) == .json(#"{"badge":6}"#))
        // The line of the loop begins it, and is come back to after each round.
        #expect(hits() == [2: 1, 3: 3, 4: 2, 6: 1, 10: 1, 14: 2, 15: 1, 17: 1])
        #expect(counts.hits(of: "nosuch.lua", line: 1) == 0 && counts.hits(of: "rules.lua", line: 4_000) == 0)
    }

    private func traced(_ body: String, before: String = "", message: String = #"{"id":"m-1","data":{"chat_id":"room-1","list":[1,2,3]}}"#)
        throws -> TracedCall
    {
        let loaded = try Loaded(decide: "\n\(body)\n", before: before)
        loaded.machine.tracesLines = true
        _ = try loaded.decide(message: message)
        return loaded.machine.tracedCall
    }

    private func words(_ call: TracedCall) -> [String] {
        call.lines.map { line in
            "\(line.line)\(line.times > 1 ? "x\(line.times)" : ""): "
                + line.values.map { "\($0.path)=\($0.json)" }.joined(separator: " ")
                + (line.valuesLeftOut > 0 ? " +\(line.valuesLeftOut)" : "")
        }
    }

    @Test("A traced line tells what it read, what it asked the host, what it wrote, and what came back")
    func trace() throws {
        let call = try traced(
            """
            local d = msg.data
            if d.chat_id == "room-1" and msg.data.list[2] == 2 and msg.title == nil then
              state.set("seen", { n = 1 })
              log("hello")
            end
            local seen = state.get("seen")
            if device:is_showing("chat", d.chat_id) then return { reason = "on screen", list = d.list } end
            return nil
            """)
        #expect(
            words(call) == [
                #"2: msg.data={"chat_id":"room-1","list":[1,2,3]}"#,
                #"3: msg.data.chat_id="room-1" msg.data.list[2]=2 msg.title=null"#,
                #"4: state.set("seen")={"n":1}"#,
                #"5: log="hello""#,
                #"7: state.get("seen")={"n":1}"#,
                #"8: msg.data.chat_id="room-1" device:is_showing("chat", "room-1")=true msg.data.list=[1,2,3] return={"list":[1,2,3],"reason":"on screen"}"#,
            ])
        #expect(call.lines.allSatisfy { $0.file == "rules.lua" } && call.linesLeftOut == 0)
    }

    @Test("A loop over a view tells what it went over")
    func loops() throws {
        let call = try traced(
            """
            for key, value in pairs(msg.data) do local a = value end
            for place, value in ipairs(msg.data.list) do local a = value end
            local first = next(msg.data)
            """)
        #expect(
            words(call) == [
                #"2x3: msg.data.chat_id="room-1" msg.data.list=[1,2,3]"#,
                "3x4: msg.data.list[1]=1 msg.data.list[2]=2 msg.data.list[3]=3", #"4: msg.data.chat_id="room-1""#, "5: return=null",
            ])
    }

    @Test("What a function returns stands at its own line, also when that line calls another function last")
    func returned() throws {
        let before = "local function inner(n)\n return n + 1 end\n"
        #expect(words(try traced("return { n = inner(1) }", before: before)) == [#"4: return={"n":2}"#, "2: "])
        #expect(words(try traced("return nil")) == ["2: return=null"])
    }

    @Test("A loop of ten thousand rounds is a few lines, with counts")
    func loop() throws {
        let call = try traced(
            """
            local n = 0
            for i = 1, 10000 do
              n = n + (msg.data.list[i] or 0)
            end
            return { n = n }
            """)
        #expect(
            words(call) == [
                "2: ", "3x10001: ",
                "4x10000: msg.data.list[1]=1 msg.data.list[2]=2 msg.data.list[3]=3 "
                    + (4...8).map { "msg.data.list[\($0)]=null" }.joined(separator: " ") + " +9992",
                #"6: return={"n":6}"#,
            ])
    }

    @Test("Lines, values and long texts are bounded, and what is cut says so")
    func bounds() throws {
        let many = try traced("local a\n" + (0..<998).map { "a = \($0)" }.joined(separator: "\n"))
        #expect(many.lines.count == 200 && many.linesLeftOut == 800)
        let long = String(repeating: "ä\\\"😀", count: 200)
        let call = try traced(
            "return { a = msg.title, b = msg.body, c = msg.data[\"\(String(repeating: "kä", count: 100))\"] }",
            message:
                #"{"id":"m","title":"\#(long)","body":"x","data":{"a":{"b":{"c":{"d":{"e":1}}}},"z":[\#((0..<300).map(String.init).joined(separator: ","))]}}"#
        )
        let values = try #require(call.lines.first?.values)
        for value in values {
            let document = JSONDocument()
            try document.read(value.json)
            #expect(value.json.utf8.count < 400 && value.path.utf8.count < 240, "\(value)")
        }
        #expect(values[0].json.hasSuffix("…\"") && values[2].path.contains("…"))
        let whole = try traced(
            "return { a = msg.data }",
            message: #"{"id":"m","data":{"a":{"b":{"c":{"d":{"e":1}}}},"z":[\#((0..<300).map(String.init).joined(separator: ","))]}}"#)
        let json = try #require(whole.lines.first?.values.first?.json)
        #expect(json.hasPrefix(#"{"a":{"b":{"c":{"…":"…"}}},"z":[0,1,2,"#) && json.hasSuffix(#","…"]}"#), "\(json)")
    }

    @Test("A machine that is no longer watched keeps nothing, and a call of what is no function of a file has no lines")
    func off() throws {
        let loaded = try Loaded("rule \"r\" { decide = suppress }")
        loaded.machine.tracesLines = true
        _ = try loaded.decide()
        #expect(loaded.machine.tracedCall == TracedCall())
        let other = try Loaded(decide: "return nil")
        other.machine.tracesLines = true
        _ = try other.decide()
        #expect(other.machine.tracedCall.lines.count == 1)
        other.machine.tracesLines = false
        _ = try other.decide()
        #expect(other.machine.tracedCall == TracedCall())
    }

    @Test("Every hostile script ends alike, watched or not, with the same fuel", arguments: Attack.all)
    func unseen(_ attack: Attack) throws {
        var limits = ScriptLimits()
        (limits.loadMilliseconds, limits.callMilliseconds) = (20_000, 10_000)
        func end(watched: Bool) throws -> (String, Int64)? {
            let source = String(decoding: attack.asDecide, as: UTF8.self)
            let counts = watched ? try LineCounts([(attack.name, Array(source.utf8))]) : nil
            let loaded: Loaded
            do { loaded = try Loaded(source, file: attack.name, limits: limits, countingInto: counts) } catch is ScriptFault { return nil }
            loaded.machine.tracesLines = watched
            return (try loaded.decide().text, loaded.machine.usage.fuel)
        }
        let (plain, watched) = (try end(watched: false), try end(watched: true))
        #expect(plain?.0 == watched?.0 && plain?.1 == watched?.1)
    }
}
