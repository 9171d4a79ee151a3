// State as a file: what is written reads back, faults name their place, and nobody meets half a file.
import Foundation
import PushMessage
import RuleEngine
import Testing

@testable import RuleStore

struct StateFileTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rulehost-\(UUID().uuidString)").path
    private var path: String { "\(folder)/state.json" }

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private func parse(_ text: String) throws(StoreFault) -> AppState { try StateFile.parse(Array(text.utf8), path: "state.json") }

    private func fault(_ text: String) throws -> StoreFault {
        try #require(throws: StoreFault.self) { try parse(text) }
    }

    private var full: AppState {
        var state = AppState()
        state.shared = [
            "a": StoredValue(json: Array("1".utf8)),
            "b": StoredValue(json: Array(#"{"x":[1.0,"é"]}"#.utf8), expiresAt: Instant(milliseconds: 1000)),
        ]
        var recipient = RecipientState()
        recipient.values = ["odd \"key\"": StoredValue(json: Array("18446744073709551616".utf8))]
        recipient.channels = ["promo": false, "app_push": true]
        recipient.appPush = false
        recipient.badge = 7
        recipient.wantedTopics = ["a", "b"]
        recipient.confirmedTopics = []
        recipient.inbox = [Array("null".utf8), Array("[1]".utf8)]
        recipient.pendingRoutes = [Array(#"{"tab":"chat"}"#.utf8)]
        var seen = SeenMessage(id: "m-1", first: Instant(milliseconds: 1_767_268_800_000))
        seen.content = ContentDigest("hash:00112233445566778899aabbccddeeff") ?? .unknown
        seen.events = [SeenEvents(.present), SeenEvents(.receive, ofCarrier: true)]
        seen.hasCountedBadge = true
        seen.caps = ["Offers"]
        seen.openRoute = Array(#"{"tab":"chat"}"#.utf8)
        var copy = SeenMessage(id: "hash:00112233445566778899aabbccddeeff", first: Instant(milliseconds: 1_767_268_800_001))
        copy.isIDGenerated = true
        recipient.seen = SeenMessages([seen, copy])
        var count = CapCount()
        count.instants = [Instant(milliseconds: 0), Instant(milliseconds: 5)]
        count.until = Instant(milliseconds: 86_400_005)
        recipient.caps = ["Offers": count]
        recipient.deferred = [
            DeferredMessage(
                id: "m-1", event: .present, message: Array(#"{"aps":{"alert":"x"},"n":1.50}"#.utf8), format: .apns,
                device: Array(#"{"recipient":"u-1"}"#.utf8),
                until: .at(Instant(milliseconds: 1_767_268_800_000), local: "2026-01-01 13:00", zone: "Europe/Berlin"), attempt: 3,
                rule: "Offers: never at night", ruleset: "0123456789ab"),
            DeferredMessage(
                id: "m-2", event: .receive, message: Array("{}".utf8), format: nil, device: Array("{}".utf8), until: .resume),
        ]
        recipient.tokens.apns = "0123456789abcdef"
        recipient.tokens.waiting = "fedcba9876543210"
        state.recipients = ["u-1": recipient, "": RecipientState()]
        return state
    }

    @Test("Everything that is remembered reads back from its file")
    func roundTrip() throws {
        try StateFile.write(full, to: path)
        #expect(try StateFile.read(path) == full)
    }

    @Test("Two spellings of one letter are two recipients, in the order of their bytes")
    func spellings() throws {
        var state = AppState()
        for (badge, id) in ["caf\u{e9}", "cafe\u{301}"].enumerated() {
            state.recipients[id, default: RecipientState()].badge = badge
            state.recipients[id]?.channels = ["caf\u{e9}": true, "cafe\u{301}": false]
            state.recipients[id]?.values = ["caf\u{e9}": StoredValue(json: [49]), "cafe\u{301}": StoredValue(json: [50])]
        }
        try StateFile.write(state, to: path)
        let read = try StateFile.read(path)
        #expect(read == state && read.recipients.count == 2)
        #expect(read.recipients.inOrder.map(\.value.badge) == [1, 0])
        let seen =
            #"{"recipients":{"u-1":{"seen":[{"id":"caf\u00e9","first":"2026-01-01T12:00:00Z"},{"id":"cafe\u0301","first":"2026-01-01T12:00:00Z"}]}}}"#
        #expect(try parse(seen).recipients["u-1"]?.seen.count == 2)
    }

    @Test("The same state is the same bytes, and they end with a line break")
    func bytes() {
        #expect(StateWriter.file(full) == StateWriter.file(full))
        #expect(StateWriter.file(full).last == UInt8(ascii: "\n"))
        #expect(String(decoding: StateWriter.file(AppState()), as: UTF8.self) == "{\n  \"recipients\": {}\n}\n")
    }

    @Test("A file that is not there is a fault, or empty where it may be missing")
    func missing() throws {
        let fault = try #require(throws: StoreFault.self) { try StateFile.read(path) }
        #expect(fault.code == .stateUnreadable && fault.path == path)
        #expect(try StateFile.read(path, mayBeMissing: true) == AppState())
        #expect(throws: StoreFault.self) { try StateFile.read(folder, mayBeMissing: true) }
    }

    @Test("A file that is written takes the place of the old one and leaves nothing beside it")
    func replacing() throws {
        try Data("{}".utf8).write(to: URL(fileURLWithPath: path))
        #expect(chmod(path, 0o640) == 0)
        try StateFile.write(full, to: path)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["state.json"])
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o640)
    }

    @Test("A link stays a link: the file behind it is what changes")
    func link() throws {
        try Data("{}".utf8).write(to: URL(fileURLWithPath: "\(folder)/real.json"))
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "real.json")
        try StateFile.write(full, to: path)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == "real.json")
        #expect(try StateFile.read("\(folder)/real.json") == full)
    }

    @Test("A link to a file that is not there stays a link: the file is made")
    func danglingLink() throws {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "real.json")
        try StateFile.write(full, to: path)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == "real.json")
        #expect(try StateFile.read("\(folder)/real.json") == full)
    }

    @Test("A link that leads in a circle is told")
    func circle() throws {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "state.json")
        #expect(throws: StoreFault.self) { try StateFile.write(full, to: path) }
    }

    @Test("A new file is its owner's alone")
    func newFile() throws {
        try StateFile.write(full, to: path)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test("A message, a phone and a value that are nested as deeply as may be read back from the file")
    func depth() throws {
        let deep = Array((String(repeating: "{\"a\":", count: 63) + "[]" + String(repeating: "}", count: 63)).utf8)
        var recipient = RecipientState()
        recipient.values = ["deep": StoredValue(json: deep)]
        recipient.inbox = [deep]
        recipient.pendingRoutes = [deep]
        recipient.deferred = [DeferredMessage(id: "m-1", event: .send, message: deep, format: nil, device: deep, until: .resume)]
        var seen = SeenMessage(id: "m-1", first: Instant(milliseconds: 0))
        seen.openRoute = deep
        recipient.seen = SeenMessages([seen])
        var state = AppState()
        state.recipients = ["u-1": recipient]
        try StateFile.write(state, to: path)
        #expect(try StateFile.read(path) == state)
    }

    @Test("A state that is too large to be read again is not written, and the old one stays")
    func tooLarge() throws {
        try Data("{}".utf8).write(to: URL(fileURLWithPath: path))
        let size = StateWriter.file(full).count
        let fault = try #require(throws: StoreFault.self) { try StateFile.write(full, to: path, limit: size - 1) }
        #expect(fault.code == .stateNotWritten && fault.message.contains("\(size) bytes"))
        #expect(fault.hint?.contains("people") == false, "one person is not to be divided")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "{}")
        try StateFile.write(full, to: path, limit: size)
        #expect(try StateFile.read(path) == full)
    }

    @Test("Of a state that is too large it is told what takes the room, and of one person no fewer are asked for")
    func largest() throws {
        func hint(_ state: AppState) throws -> String {
            try #require(try #require(throws: StoreFault.self) { try StateFile.write(state, to: path, limit: 100) }.hint)
        }
        var state = AppState()
        state.recipients["u-1", default: RecipientState()].values["k"] = StoredValue(json: Array(repeating: 49, count: 5000))
        #expect(try hint(state).hasSuffix("; most of it is what rules stored for one person, about 5001 bytes"))
        state.recipients["u-2", default: RecipientState()].values["k"] = StoredValue(json: Array(repeating: 49, count: 5000))
        #expect(
            try hint(state).hasSuffix("what rules stored for 2 people, about 10002 bytes; keep the state of fewer people in one file"))
        state.shared["k"] = StoredValue(json: Array(repeating: 49, count: 20_000))
        #expect(try hint(state).hasSuffix("most of it is what rules stored for the app, about 20001 bytes"))
        state.recipients["u-1", default: RecipientState()].seen = SeenMessages(
            (0..<1000).map { SeenMessage(id: "m-\($0)", first: Instant(milliseconds: 0)) })
        #expect(try hint(state).contains("the record of messages that were here, kept for the window of `dedupe` for one person, about "))
    }

    @Test("State that was written with long ids knows the messages still, and is written without them")
    func longIDs() throws {
        let id = String(repeating: "x", count: 60_000)
        let state = try parse(
            #"{"recipients":{"u-1":{"seen":[{"id":"\#(id)","first":"2026-01-01T12:00:00Z","events":["send"]}],"deferred":[{"id":"\#(id)","event":"send","message":{}}]}}}"#
        )
        let one = try #require(state.recipients["u-1"])
        #expect(one.seen.messages.map(\.id) == [KeptID.of(id)] && one.deferred.message(id) != nil)
        #expect(StateWriter.file(state).count < 1000)
    }

    @Test("A folder that is not there cannot be written to")
    func unwritable() throws {
        let fault = try #require(throws: StoreFault.self) { try StateFile.write(full, to: "\(folder)/no/state.json") }
        #expect(fault.code == .stateNotWritten && fault.message.contains("no such file"))
    }

    @Test(
        "A slip in a state file is told with its line and column",
        arguments: [
            ("{\n  \"recipient\": {}\n}", 2, 3, "there is no key \"recipient\""),
            ("{\n  \"recipients\": {\n    \"u-1\": {\"bagde\": 3}}}", 3, 13, "there is no key \"bagde\""),
            ("{\"recipients\": {\"u-1\": {\"badge\": -1}}}", 1, 34, "recipients.u-1.badge: a badge must be"),
            ("{\"recipients\": {\"u-1\": {\"badge\": \"3\"}}}", 1, 34, "whole number"),
            ("{\"recipients\": []}", 1, 16, "an object must stand here"),
            ("{\"recipients\": {\"u-1\": {\"topics\": {\"wanted\": [1]}}}}", 1, 47, "topics.wanted[0]: text must stand here"),
            ("{\"recipients\": {\"u-1\": {\"settings\": {\"promo\": 1}}}}", 1, 47, "true or false"),
            ("{\"recipients\": {\"u-1\": {\"seen\": [{\"id\": \"m\", \"first\": 1}]}}}", 1, 55, "an instant"),
            ("{\"recipients\": {\"u-1\": {\"seen\": [{\"id\": \"m\"}]}}}", 1, 34, "needs `first`"),
            ("{\"recipients\": {\"u-1\": {\"caps\": {\"Offers\": 3}}}}", 1, 44, "an object must stand here"),
            ("{\"app\": {\"a\": null}}", 1, 15, "null is not stored"),
            ("{\"app\": {\"a\": 1}, \"expires\": {\"b\": \"2026-01-01T00:00:00Z\"}}", 1, 36, "no value of that key"),
            (
                "{\"recipients\": {\"u-1\": {}, \"u-2\": {}, \"u-1\": {\"badge\": 3}}}", 1, 46,
                "the key \"u-1\" stands here for the second time"
            ),
            ("{\"recipients\": {\"u-1\": {\"badge\": 1, \"badge\": 1}}}", 1, 46, "the key \"badge\""),
            ("{\"recipients\": {\"u-1\": {\"settings\": {\"channels\": {\"a\": true, \"a\": false}}}}}", 1, 67, "the key \"a\""),
            ("{\"app\": {\"a\": 1, \"a\": 1}}", 1, 23, "the key \"a\""),
            ("{\"app\": {}, \"app\": {}}", 1, 20, "the key \"app\""),
            (
                """
                {"recipients": {"u-1": {"deferred": [{"id": "m", "event": "send", "message": {},
                "device": {"recipient": "u-2"}}]}}}
                """, 2, 25, "is not that of the recipient"
            ),
            ("[]", 1, 1, "an object must stand here"),
            ("{\"app\": {},}", 1, 12, ""),
            ("", 1, 1, ""),
        ])
    func slips(text: String, line: Int, column: Int, message: String) throws {
        let fault = try fault(text)
        #expect(fault.code == .stateInvalid)
        #expect("\(fault.line):\(fault.column)" == "\(line):\(column)")
        #expect(message.isEmpty || fault.message.contains(message))
    }

    @Test("A fault never quotes what is stored")
    func canary() throws {
        for text in [
            #"{"recipients": {"u-1": {"badge": "CANARY"}}}"#, #"{"recipients": {"u-1": {"topics": "CANARY"}}}"#, #"{"app": "CANARY"}"#,
        ] {
            let fault = try fault(text)
            #expect(!fault.message.contains("CANARY") && !(fault.hint ?? "").contains("CANARY"))
        }
    }

    @Test("Lists of plain values stay on a line, everything else gets lines of its own")
    func indented() {
        let compact = #"{"a":[1,2,"x, y: {"],"b":{"c":[{"d":null}],"e":{}},"f":[]}"#
        let text = String(decoding: IndentedJSON.text(of: Array(compact.utf8)), as: UTF8.self)
        #expect(
            text == """
                {
                  "a": [1, 2, "x, y: {"],
                  "b": {
                    "c": [
                      {"d": null}
                    ],
                    "e": {}
                  },
                  "f": []
                }
                """)
    }
}

struct StoreFaultTests {
    @Test("Each code has a page", arguments: StoreFault.Code.allCases)
    func pages(code: StoreFault.Code) throws {
        let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: repository.appendingPathComponent("docs/errors/\(code.rawValue).md"), encoding: .utf8)
        #expect(page.hasPrefix("# \(code.rawValue)\n"))
    }
}
