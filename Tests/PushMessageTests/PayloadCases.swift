// Every file of Tests/Cases/payloads: the message is read and the whole answer compared. What a file means is written
// in that folder's README.
import Foundation
import JSONDocument
import PushMessage
import Testing

/// One file of the folder.
struct PayloadCase: Sendable, CustomTestStringConvertible {
    var id: String
    var note: String
    var testDescription: String { "\(id): \(note)" }

    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Cases/payloads")

    static let all: [PayloadCase] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".json") }.sorted().map { name in
            let note = (try? tree(of: name))?["note"]?.string ?? "unreadable"
            return PayloadCase(id: String(name.dropLast(5)), note: note)
        }
    }()

    static func tree(of file: String) throws -> Tree {
        try Tree(parsing: Array(Data(contentsOf: folder.appending(path: file))))
    }

    func tree() throws -> Tree { try Self.tree(of: id + ".json") }

    /// The bytes that are the message.
    func input() throws -> [UInt8] { try Self.input(of: tree()) }

    static func input(of file: Tree) throws -> [UInt8] {
        try #require(file["text"]?.string.map { Array($0.utf8) } ?? file["input"]?.bytes)
    }
}

/// What of a case's device matters to the reader and the journey.
private struct CaseDevice {
    var state = DeviceState.background
    var platform = Platform.ios
    var recipient: String?
    var tapped = false

    init(_ tree: Tree?) throws {
        if let name = tree?["state"]?.string { state = try #require(DeviceState(rawValue: name)) }
        if tree?["os"]?["name"]?.string == "android" { platform = .android }
        if tree?["tap"] == .bool(true) { tapped = true }
        recipient = tree?["recipient"]?.string
    }
}

extension FieldMap {
    /// `{field: [path]}`.
    init(case tree: Tree?) throws {
        self.init(
            try (tree?.keys ?? []).map { field in
                (field, try (tree?[field]?.elements ?? []).map { try FieldPath(parsing: #require($0.string)) })
            })
    }
}

@Suite struct PayloadCaseTests {
    @Test("The folder holds the reported payloads and their neighbours, each under its own name")
    func folderIsComplete() throws {
        #expect(PayloadCase.all.count { $0.id.hasPrefix("p") } == 81)
        #expect(PayloadCase.all.count { $0.id.hasPrefix("n") } >= 60)
        for item in PayloadCase.all {
            #expect(try item.tree()["id"]?.string == item.id)
        }
    }

    @Test("Each payload gets exactly the answer written for it", arguments: PayloadCase.all)
    func answers(item: PayloadCase) throws {
        let file = try item.tree()
        let forced = try file["format"]?.string.map { try #require(MessageFormat(rawValue: $0)) }
        let reader = MessageReader(
            fields: try FieldMap(case: file["fields"]), links: file["links"]?.elements.compactMap(\.string))
        let answer = try answer(of: reader, to: PayloadCase.input(of: file), as: forced, on: CaseDevice(file["device"]))
        let expected = try #require(file["expect"])
        let differences =
            lintApart(answer).differences(from: lintApart(expected)) + lintDifferences(answer, expected)
            + orderFaults(answer)
        #expect(differences.isEmpty, "\(item.id)\n  \(differences.joined(separator: "\n  "))")
    }

    private func answer(
        of reader: MessageReader, to input: [UInt8], as forced: MessageFormat?, on device: CaseDevice
    ) throws -> Tree {
        var recipient = Array((device.recipient ?? "").utf8)
        return try recipient.withUnsafeMutableBufferPointer { name in
            let text = device.recipient.map { _ in JSONText(start: name.baseAddress, count: name.count) }
            let context = RecipientContext(platform: device.platform, recipient: text)
            let message = try input.withUnsafeBytes { try reader.read($0, as: forced, for: context) }
            return try Tree(
                parsing: InspectAnswer.json(
                    for: message, state: device.state, platform: device.platform, tapped: device.tapped))
        }
    }

    /// The answer without its lint, which has no order to compare.
    private func lintApart(_ answer: Tree) -> Tree {
        guard case .object(var top) = answer, let at = top.firstIndex(where: { $0.key == "message" }),
            case .object(let fields) = top[at].value
        else { return answer }
        top[at].value = .object(fields.filter { $0.key != "lint" })
        return .object(top)
    }

    private func lintDifferences(_ answer: Tree, _ expected: Tree) -> [String] {
        guard case .array(let got)? = answer["message"]?["lint"] else { return ["message.lint: not a list"] }
        var left = got
        let name = { (lint: Tree) in "\(lint["code"]?.string ?? "") at \"\(lint["path"]?.string ?? "")\"" }
        var faults: [String] = []
        for one in expected["message"]?["lint"]?.elements ?? [] {
            guard let at = left.firstIndex(where: { name($0) == name(one) }) else {
                faults.append("lint missing: \(name(one))")
                continue
            }
            if let piece = one["hint"]?.string, left[at]["hint"]?.string?.contains(piece) != true {
                faults.append("\(name(one)): hint without \(piece): \(left[at].json)")
            }
            left.remove(at: at)
        }
        faults += left.map { "lint not expected: \(name($0))" }
        for one in got {
            if (one["message"]?.string ?? "").isEmpty { faults.append("lint without a message: \(one.json)") }
            if let hint = one["hint"], hint == .text("") { faults.append("lint with an empty hint: \(one.json)") }
        }
        return faults
    }

    /// Fields of the message out of the documented order, and members of the answer out of theirs.
    private func orderFaults(_ answer: Tree) -> [String] {
        let fields = answer["message"]?.keys ?? []
        let inOrder = MessageField.all.filter(fields.contains)
        return (fields == inOrder ? [] : ["message: order is \(fields), expected \(inOrder)"])
            + (answer.keys == ["message", "sources", "journey", "size"] ? [] : ["order of members: \(answer.keys)"])
    }
}
