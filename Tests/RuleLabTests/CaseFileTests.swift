// Cases as they are written.
import PushMessage
import Testing

@testable import RuleLab

struct CaseFileTests {
    private func file(_ text: String) throws(CaseFault) -> CaseFile {
        try CaseFile(path: "cases/a.json", source: Array(text.utf8)) { name throws(CaseFault) in
            guard name == "messages/m.json" else { throw CaseFault(code: .caseFileMissing, message: "there is no file \"\(name)\"") }
            return Array(#"{"aps": {}}"#.utf8)
        }
    }

    private func fault(_ text: String) throws -> CaseFault {
        let read: CaseFile
        do throws(CaseFault) {
            read = try file(text)
        } catch {
            return error
        }
        let broken = read.entries.compactMap { if case .broken(_, _, let fault) = $0 { fault } else { nil } }
        return try #require(broken.first)
    }

    @Test("A step has what the step before had, but for state and expectations")
    func inheriting() throws {
        let one = try #require(
            try file(
                #"""
                [{"name": "n", "note": "w", "proves": ["on"], "message": {"a": 1.0 }, "device": {"state": "foreground"}, "event": "present",
                  "now": "2026-02-01T00:00:00Z", "state": {"badge": 1}, "expect": {"badge": null},
                  "then": [{"expect_state": {}}, {"message": null, "event": null, "device": {}, "expect": []}]}]
                """#
            ).cases.first)
        #expect(one.name == "n" && one.note == "w" && one.proves == ["on"] && one.line == 1)
        #expect(one.steps.count == 3)
        // The text of the message is the text in the case, to the byte.
        #expect(one.steps[1].message.map { String(decoding: $0, as: UTF8.self) } == #"{"a": 1.0 }"#)
        #expect(one.steps[1].event != nil && one.steps[1].state == nil && one.steps[1].expect == nil)
        #expect(one.steps[1].now == Instant("2026-02-01T00:00:00Z"))
        #expect(one.steps[2].message == nil && one.steps[2].event == nil && one.steps[2].line == 3)
        #expect(String(decoding: one.steps[2].device, as: UTF8.self) == "{}")
    }

    @Test("Without now it is noon of 2026-01-01")
    func now() throws {
        let one = try #require(try file(#"[{"name": "n", "message": "messages/m.json", "expect": []}]"#).cases.first)
        #expect(one.steps[0].now == Instant("2026-01-01T12:00:00Z"))
        #expect(one.steps[0].message.map { String(decoding: $0, as: UTF8.self) } == #"{"aps": {}}"#)
    }

    @Test("A broken case keeps its place in the list, and the others are read")
    func broken() throws {
        let read = try file(#"[{"name": "a", "expect": []}, {"name": "b", "expct": 1}, {"expect": []}, 5, {"name": "c", "expect": []}]"#)
        let entries = read.entries.map { entry in
            switch entry {
            case .readable(let one): one.name
            case .broken(let name, let place, let fault): "\(place) \(name ?? "-") at \(fault.column)"
            }
        }
        #expect(entries == ["a", "2 b at 45", "3 - at 58", "4 - at 74", "c"])
        #expect(read.cases.map(\.name) == ["a", "c"])
    }

    @Test(
        "A slip in a case is told with its place",
        arguments: [
            (#"{"name": "n"}"#, "1:1", "a list of objects"),
            ("[\n  {\"nam\": \"n\", \"expect\": {}}]", "2:4", "a case has no key `nam`"),
            (#"[{"expect": {}}]"#, "1:2", "no `name`"),
            (#"[{"name": "n"}]"#, "1:2", "expects nothing"),
            (#"[{"name": "n", "expect": {"displya": {}}}]"#, "1:27", "a decision has no key `displya`"),
            (#"[{"name": "n", "expect": [{"badge": {"valeu": 1}}]}]"#, "1:38", "`badge` has no key `valeu`"),
            (#"[{"name": "n", "expect": 5}]"#, "1:26", "must be an object"),
            (#"[{"name": "n", "expect": {}, "now": "today"}]"#, "1:37", "not an instant"),
            (#"[{"name": "n", "expect": {}, "message": "messages/x.json"}]"#, "1:41", "messages/x.json"),
            (#"[{"name": "n", "expect": {}, "message": 5}]"#, "1:41", "`message` must be"),
            (#"[{"name": "n", "expect": [], "then": [{"proves": []}]}]"#, "1:40", "a step has no key `proves`"),
            (#"[{"name": "n", "event": "open", "expect": [{}]}]"#, "1:43", "one decision, not a list"),
            (#"[{"name": "n", "expect": {}}]"#, "1:26", "a list of decisions"),
            (#"[{"name": "n", "event": "open", "expect": {}, "then": [{"expect": []}]}]"#, "1:67", "one decision, not a list"),
            (#"[{"name": "n", "proves": ["on", "chanel"], "expect": []}]"#, "1:33", "`proves` = \"chanel\""),
            ("[{]", "1:3", ""),
        ])
    func slips(text: String, place: String, message: String) throws {
        let fault = try fault(text)
        #expect("\(fault.line):\(fault.column)" == place)
        #expect(fault.message.contains(message) || message.isEmpty)
    }
}
