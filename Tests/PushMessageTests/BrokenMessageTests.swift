// Whatever comes in, the reader answers: a message or a fault with its place. Broken payloads are made out of the
// real ones, by cutting them short and by putting a value of another type in each place.
import Foundation
import JSONDocument
import PushMessage
import Testing

@Suite("Broken messages")
struct BrokenMessageTests {
    static let samples = CaseFiles.files(in: "payloads").filter { $0.lastPathComponent.hasPrefix("p") }

    @Test("a message cut off anywhere is a fault with a place, never a message", arguments: samples)
    func cut(_ file: URL) throws {
        let document = try CaseFiles.document(file)
        let bytes = try input(of: try #require(document.root))
        let reader = MessageReader()
        let step = max(1, bytes.count / 400)
        for end in stride(from: 0, to: bytes.count, by: step) {
            do throws(MessageFault) {
                _ = try reader.read(Array(bytes[..<end]))
                Issue.record("\(end) bytes of \(file.lastPathComponent) were read as a message")
            } catch {
                #expect(error.offset == end || error.code == "not_utf8" || error.code == "json_empty" || error.code == "json_number")
                #expect((error.line ?? 0) >= 1 && (error.column ?? 0) >= 1 && !error.hint.isEmpty)
            }
        }
    }

    static let others = [
        "null", "true", "0", "-1", "1.5", "1e400", "123456789012345678901234567890", "\"\"", "\"1\"", "\"text\"", "[]",
        "[null,1,\"a\",{}]", "{}", "{\"a\":{\"b\":[1]}}",
    ]

    @Test("any type in any place gives an answer that is JSON and bytes that come back unchanged", arguments: samples)
    func swapped(_ file: URL) throws {
        let document = try CaseFiles.document(file)
        let bytes = try input(of: try #require(document.root))
        let original = JSONDocument()
        try original.read(bytes)
        var places: [JSONValue] = []
        collect(try #require(original.root), into: &places)
        let reader = MessageReader()
        let answers = JSONDocument()
        for place in places.prefix(40) {
            for other in Self.others {
                let swapped =
                    Array(bytes[..<place.offset]) + Array(other.utf8) + Array(bytes[(place.offset + place.sourceLength)...])
                let message: Message
                do throws(MessageFault) {
                    message = try reader.read(swapped)
                } catch {
                    #expect(error.code == "not_an_object")
                    continue
                }
                try answers.read(InspectAnswer.json(for: message), limit: 1 << 20)
                #expect(message.lint.allSatisfy { !$0.message.isEmpty })
                #expect(Payload.write(message) == swapped)
                let changes = ContentChanges(
                    title: "t", subtitle: "s", body: "b", sound: "x", category: "c", thread: "h", badge: 1,
                    attachments: ["https://e.example/a.png"])
                try answers.read(Payload.write(message, applying: changes), limit: 1 << 20)
            }
        }
    }

    private func collect(_ value: JSONValue, into places: inout [JSONValue]) {
        places.append(value)
        for child in value.children { collect(child, into: &places) }
    }

    @Test("every forced format reads every payload", arguments: samples)
    func forced(_ file: URL) throws {
        let document = try CaseFiles.document(file)
        let bytes = try input(of: try #require(document.root))
        let reader = MessageReader()
        for format in MessageFormat.allCases {
            for platform in [Platform.ios, .android] {
                let message = try reader.read(bytes, as: format, for: RecipientContext(platform: platform))
                #expect(message.format == format)
                #expect(Payload.write(message) == bytes)
                #expect(message.view["data"]?.isObject == true && message.view["silent"]?.bool != nil)
            }
        }
    }

    @Test("nothing of a message is left when the next one is read")
    func reuse() throws {
        let used = MessageReader()
        let files = CaseFiles.files(in: "payloads")
        for file in files + files.reversed() {
            let document = try CaseFiles.document(file)
            let bytes = try input(of: try #require(document.root))
            let fresh = try MessageReader().read(bytes)
            let again = try used.read(bytes)
            #expect(InspectAnswer.json(for: again) == InspectAnswer.json(for: fresh))
        }
    }

    @Test("no text, no JSON, no object, too much: each has its code and its place")
    func faults() {
        let cases: [(bytes: [UInt8], code: String, offset: Int, line: Int, column: Int)] = [
            ([], "json_empty", 0, 1, 1),
            (Array(" \n ".utf8), "json_empty", 3, 2, 2),
            (Array("[1]".utf8), "not_an_object", 0, 1, 1),
            (Array("\n  \"text\"".utf8), "not_an_object", 3, 2, 3),
            (Array("{\"a\":\n\"é\" x}".utf8), "json_token", 11, 2, 5),
            (Array("{\"aps\":{}} {}".utf8), "json_trailing", 11, 1, 12),
            ([0x7B, 0x22, 0xFF, 0x22, 0x7D], "not_utf8", 2, 1, 3),
            (Array(String(repeating: "[", count: 100_000).utf8), "too_large", 65_536, 1, 65_537),
            (Array("{\"a\":".utf8) + Array(String(repeating: "[", count: 100).utf8), "json_depth", 68, 1, 69),
        ]
        for (bytes, code, offset, line, column) in cases {
            #expect(throws: MessageFault.self) { try MessageReader().read(bytes) }
            do throws(MessageFault) {
                _ = try MessageReader().read(bytes)
            } catch {
                #expect(error.code == code)
                #expect(error.offset == offset && error.line == line && error.column == column, "\(code): \(error)")
            }
        }
    }
}
