// Every code of a warning that reading a message can give: a fixture that produces it, and a line in docs/warnings.md
// whose example does.
import Foundation
import JSONDocument
import PushMessage
import Testing

@Suite("Lint")
struct LintCaseTests {
    /// Codes that are given while rules run; the engine's tests produce them.
    static let runTime: Set<WarningCode> = [
        .unknownField, .unknownDeviceKey, .unknownEventKey, .unknownTimezone, .noRecipient, .linkNotAllowed, .attachmentType,
        .attachmentUnreachable,
        .attachmentTimeout, .attachmentTooLarge, .stringMissing, .pluralFormMissing, .unknownLocale, .guardWarning,
        .accountMismatch, .deferralNotKept, .deferredAgain, .deferredFull, .inboxFull, .topicsFull, .eventNotAnswered, .notDeferred,
        .rulesetPinned,
    ]
    static let lintCodes = WarningCode.allCases.filter { !runTime.contains($0) }

    @Test("each code has a fixture that produces it, at its place, with a sentence", arguments: lintCodes)
    func fixture(_ code: WarningCode) throws {
        let folder = PayloadCase.folder.deletingLastPathComponent().appending(path: "lint")
        let file = try Tree(parsing: Array(Data(contentsOf: folder.appending(path: code.rawValue + ".json"))))
        #expect(file["code"]?.string == code.rawValue)
        let map = try FieldMap(case: file["fields"])
        let message = try MessageReader(fields: map).read(PayloadCase.input(of: file))
        let found = message.lint.filter { $0.code == code }
        #expect(found.map(\.path) == [try #require(file["path"]?.string)])
        #expect(found.allSatisfy { $0.message.hasSuffix(".") && $0.hint?.isEmpty == false })
        #expect(message.lint.count == 1, "one fault, one warning: \(message.lint)")
    }

    @Test("the page of warnings names each code once", arguments: WarningCode.allCases)
    func documented(_ code: WarningCode) throws {
        #expect(try page().filter { $0.code == code.rawValue }.count == 1)
    }

    @Test("each example on the page of warnings has the warning it stands beside")
    func examples() throws {
        for row in try page() {
            guard let example = row.example else { continue }
            let message = try MessageReader().read(Array(example.utf8))
            #expect(message.lint.map(\.code.rawValue) == [row.code], "\(example)")
        }
    }

    /// The rows of the tables: code, and the example where there is one.
    private func page() throws -> [(code: String, example: String?)] {
        let url = PayloadCase.folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "docs/warnings.md")
        return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").compactMap { line in
            guard line.hasPrefix("| `"), let end = line.dropFirst(3).firstIndex(of: "`") else { return nil }
            let code = String(line.dropFirst(3)[..<end])
            guard line.hasSuffix("}` |"), let start = line.range(of: "| `{") else { return (code, nil) }
            return (code, String(line[line.index(start.lowerBound, offsetBy: 3)...].dropLast(3)))
        }
    }

    @Test("lint stands in the order of the message, what concerns the whole text first, the size last")
    func order() throws {
        let long = String(repeating: "x", count: 4096)
        let text = #"{"aps":{"alert":{"body":7},"badge":"1","bagde":2,"badge":"2"},"url":"nowhere","k":"\#(long)"}"#
        let message = try MessageReader().read(Array(text.utf8))
        #expect(
            message.lint.map { "\($0.code.rawValue) \($0.path)" } == [
                "duplicate_key aps.badge", "empty_alert aps.alert", "wrong_type aps.alert.body", "misspelt_key aps.bagde",
                "badge_text aps.badge", "invalid_link url", "size_over_limit ",
            ])
    }

    @Test("a message with thousands of faults is described in 200 warnings, the last of them its size")
    func flood() throws {
        let keys = (0..<5000).map { "\"k\($0)\":1" }.joined(separator: ",")
        let message = try MessageReader().read(Array("{\"aps\":{\(keys)}}".utf8))
        #expect(message.lint.count == 200 && message.lint.last?.code == .sizeOverLimit)
    }

    @Test(
        "a slip gets the word that was meant",
        arguments: [
            (#"{"aps":{"events":"update"}}"#, "aps.events", "event"),
            (#"{"aps":{"alert":{"tilte":"x","body":"b"}}}"#, "aps.alert.tilte", "title"),
            (#"{"aps":{"alert":"b","interruption-level":"time-senstive"}}"#, "aps.interruption-level", "time-sensitive"),
            (#"{"aps":{"alert":"b","content_available":1}}"#, "aps.content_available", "content-available"),
            (#"{"to":"t","notification":{"body":"b"},"contentAvailable":true}"#, "contentAvailable", "content_available"),
            (#"{"Aps":{"alert":"b"}}"#, "Aps", "aps"),
            (#"{"message":{"token":"t","notification":{"body":"b"},"andriod":{}}}"#, "message.andriod", "android"),
        ])
    func slips(_ text: String, _ path: String, _ meant: String) throws {
        let message = try MessageReader().read(Array(text.utf8))
        let warning = try #require(message.lint.first { $0.path == path })
        #expect(warning.hint == "did you mean `\(meant)`?")
    }

    @Test(
        "a key in the wrong block is sent home",
        arguments: [
            (#"{"aps":{"alert":"b","priority":"high"}}"#, "aps.priority", "apns-priority"),
            (#"{"to":"t","notification":{"body":"b"},"apns":{}}"#, "apns", "FCM v1"),
            (#"{"to":"t","notification":{"body":"b","mutable-content":1}}"#, "notification.mutable-content", "mutable_content"),
            (#"{"aps":{"alert":"b"},"content-available":1}"#, "content-available", "aps.content-available"),
            (
                #"{"message":{"token":"t","notification":{"body":"b"},"data":{"content_available":"1"}}}"#,
                "message.data.content_available", "apns.payload.aps.content-available"
            ),
            (#"{"message":{"token":"t","notification":{"body":"b","sound":"x"}}}"#, "message.notification.sound", "apns.payload.aps.sound"),
        ])
    func homes(_ text: String, _ path: String, _ home: String) throws {
        let message = try MessageReader().read(Array(text.utf8))
        let warning = try #require(message.lint.first { $0.path == path })
        #expect(warning.code == .misplacedKey)
        #expect(warning.hint?.contains(home) == true)
        #expect(!message.contentAvailable && !message.mutableContent)
    }

    @Test("the sender's own keys are never lint, whatever they are called")
    func customKeys() throws {
        let message = try MessageReader().read(
            Array(#"{"aps":{"alert":"b"},"alrt":1,"badge":{},"title":[],"priority":null,"Message":"x"}"#.utf8))
        #expect(message.lint.isEmpty)
    }
}
