// The one other program that is asked: its answer is read, its absence and its misbehaviour are told.
import Foundation
import RuleStore
import Testing

@testable import RuleCheck

struct LuacheckTests {
    @Test("A program that is not there is missing, and keeps nobody from the rest")
    func missing() throws {
        guard case .missing = try Luacheck.run(on: ["syntax"], in: Fixture.folder, program: "no-such-luacheck") else {
            Issue.record("it was there")
            return
        }
    }

    @Test("A program that answers something else is of no use, and that is said", arguments: ["false", "sh"])
    func useless(program: String) throws {
        switch try Luacheck.run(on: ["syntax"], in: Fixture.folder, program: program) {
        case .failed(let why): #expect(!why.isEmpty)
        case .ran(let remarks): #expect(remarks.isEmpty)
        case .missing: Issue.record("\(program) is there")
        }
    }

    @Test("A line is read with its path, whatever stands in it")
    func lines() throws {
        let paths = [(path: "rules/a:1:2: (W1)/x.lua", app: "a", file: "x.lua")]
        let (app, remark) = try #require(
            LuacheckRemark.read("rules/a:1:2: (W1)/x.lua:4:11-14: (W211) unused variable 'a: b'", among: paths))
        #expect(app == "a" && remark == LuacheckRemark(file: "x.lua", line: 4, column: 11, code: "211", message: "unused variable 'a: b'"))
        for line in ["", "rules/b.lua:1:1: (W211) x", "rules/a:1:2: (W1)/x.lua:4", "rules/a:1:2: (W1)/x.lua:4:1: (E011) expected"] {
            #expect(LuacheckRemark.read(Substring(line), among: paths)?.remark.code != "211", "\(line)")
        }
    }

    @Test("A child that writes without end, or does not end, is stopped")
    func bounds() {
        #expect(throws: ChildAnswer.Failure.tooLong) { try ChildAnswer.of(["yes"], limit: 1 << 16) }
        #expect(throws: ChildAnswer.Failure.tooSlow) { try ChildAnswer.of(["sleep", "600"], limit: 10, seconds: 0) }
        #expect(throws: ChildAnswer.Failure.missing) { try ChildAnswer.of(["no-such-program"], limit: 10) }
    }
}
