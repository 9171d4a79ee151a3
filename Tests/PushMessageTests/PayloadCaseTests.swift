// Every reported payload and its neighbours: the whole answer of `inspect`, as Tests/Cases/payloads/README.md says.
import Foundation
import JSONDocument
import PushMessage
import Testing

@Suite("Payload cases")
struct PayloadCaseTests {
    @Test("what inspect answers is what was decided from the documentation", arguments: CaseFiles.files(in: "payloads"))
    func answer(_ file: URL) throws {
        let document = try CaseFiles.document(file)
        let root = try #require(document.root)
        let expected = try #require(root["expect"])
        let device = root["device"]

        let reader = MessageReader()
        let recipient = RecipientContext(
            platform: device?["os"]?["name"]?.text?.string == "android" ? .android : .ios, recipient: device?["recipient"]?.text)
        let format = root["format"]?.text.flatMap { MessageFormat(rawValue: $0.string) }
        let message = try reader.read(try input(of: root), as: format, for: recipient)
        let state = device?["state"]?.text.flatMap { DeviceState(rawValue: $0.string) } ?? .background
        let answer = JSONDocument()
        try answer.read(
            InspectAnswer.json(
                for: message, state: state, platform: recipient.platform, tapped: device?["tap"]?.bool ?? false),
            limit: 1 << 20)
        let actual = try #require(answer.root)

        var found: [String] = []
        for part in ["sources", "journey", "size"] { found += differences(actual[part], expected[part], at: part) }
        found += messageDifferences(try #require(actual["message"]), try #require(expected["message"]))
        #expect(found.isEmpty, "\(root["note"]?.text?.string ?? "")\n\(found.joined(separator: "\n"))")
    }

    private func messageDifferences(_ actual: JSONValue, _ expected: JSONValue) -> [String] {
        var found: [String] = []
        let names = expected.children.map { $0.key.string }
        for name in names + actual.children.map({ $0.key.string }).filter({ !names.contains($0) }) where name != "lint" {
            found += differences(actual[name], expected[name], at: "message." + name)
        }
        if found.isEmpty, actual.children.map({ $0.key.string }) != names {
            found.append("message: members in the order \(actual.children.map { $0.key.string })")
        }
        let lint = Set(actual["lint"]?.children.map { "\(jsonText($0["code"]!)) at \(jsonText($0["path"]!))" } ?? [])
        let wanted = Set(expected["lint"]?.children.map { "\(jsonText($0["code"]!)) at \(jsonText($0["path"]!))" } ?? [])
        found += lint.subtracting(wanted).sorted().map { "lint too many: \($0)" }
        found += wanted.subtracting(lint).sorted().map { "lint missing: \($0)" }
        for entry in actual["lint"]?.children.map({ $0 }) ?? [] {
            if entry["message"]?.text?.isEmpty ?? true { found.append("lint without a message: \(jsonText(entry))") }
            if entry["hint"]?.text?.isEmpty == true { found.append("lint with an empty hint: \(jsonText(entry))") }
        }
        return found
    }
}
