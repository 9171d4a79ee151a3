// Inputs that nobody means well with: each gets its documented fault or is read, and nothing crashes or hangs. The
// table is Tests/Cases/hostile/inputs.json; what is made by chance is made from fixed seeds.
import Foundation
import JSONDocument
import PushMessage
import Testing

/// One row of the table.
struct HostileInput: Sendable, CustomTestStringConvertible {
    var name: String
    var limit: Int
    var expected: Tree
    private var pieces: [(bytes: [UInt8], times: Int)] = []

    var testDescription: String { name }
    var bytes: [UInt8] {
        var all: [UInt8] = []
        for piece in pieces {
            if piece.bytes.count == 1 {
                all += [UInt8](repeating: piece.bytes[0], count: piece.times)
            } else {
                for _ in 0..<piece.times { all += piece.bytes }
            }
        }
        return all
    }

    init(row: Tree) throws {
        name = try #require(row["name"]?.string)
        limit = row["limit"]?.integer ?? 65_536
        expected = row
        for piece in row["bytes"]?.elements ?? [] {
            let bytes = try piece["text"]?.string.map { Array($0.utf8) } ?? hexadecimal(#require(piece["hex"]?.string))
            pieces.append((bytes, piece["times"]?.integer ?? 1))
        }
    }

    /// Empty when the table cannot be read; a test of its own requires that it can.
    static let all: [HostileInput] = (try? table()) ?? []

    static func table() throws -> [HostileInput] {
        let file = PayloadCase.folder.deletingLastPathComponent().appending(path: "hostile/inputs.json")
        return try Tree(parsing: Array(Data(contentsOf: file))).elements.map(HostileInput.init(row:))
    }
}

private func hexadecimal(_ text: String) throws -> [UInt8] {
    var digits = Substring(text)
    var bytes: [UInt8] = []
    while !digits.isEmpty {
        bytes.append(try #require(UInt8(digits.prefix(2), radix: 16)))
        digits = digits.dropFirst(2)
    }
    return bytes
}

@Suite struct HostileInputTests {
    @Test("The table of hostile inputs is there and each row has a name of its own")
    func tableIsReadable() throws {
        let names = try HostileInput.table().map(\.name)
        #expect(names.count >= 150)
        #expect(Set(names).count == names.count)
    }

    @Test("Each hostile input is read, or refused with its documented fault", arguments: HostileInput.all)
    func answers(input: HostileInput) throws {
        let expected = input.expected
        do {
            let reader = MessageReader()
            let message = try input.bytes.withUnsafeBytes { try reader.read($0, limit: input.limit) }
            #expect(expected["code"]?.string == nil, "\(input.name): was read")
            if let lint = expected["lint"] {
                let codes = message.lint.map(\.code.rawValue).sorted()
                #expect(codes == lint.elements.compactMap(\.string).sorted(), "\(input.name)")
            }
            let answer = InspectAnswer.json(for: message, state: .background, platform: .ios)
            #expect(try Tree(parsing: answer)["message"]?["format"]?.string == message.format.rawValue)
        } catch let fault as MessageFault {
            #expect(fault.code == expected["code"]?.string, "\(input.name)")
            for (key, value) in [("offset", fault.offset), ("line", fault.line), ("column", fault.column)] {
                if let place = expected[key]?.integer { #expect(value == place, "\(input.name): \(key)") }
            }
            #expect(!fault.message.isEmpty && !fault.hint.isEmpty, "\(input.name)")
        }
    }

    @Test("A message cut off anywhere is unfinished, at the place where it ends")
    func cutAnywhere() throws {
        let whole = Array(
            #"{"aps":{"alert":{"title":"a\u00e9\n","body":""},"badge":-1.5e+3,"x":[true,null]},"k":false}"#.utf8)
        for end in 1..<whole.count {
            let fault = #expect(throws: MessageFault.self) { try read(Array(whole[..<end])) }
            #expect(fault?.code == "json_unfinished" && fault?.offset == end, "cut after \(end) bytes")
        }
    }

    @Test("A message cut inside a character of several bytes is refused")
    func cutInsideCharacters() throws {
        let whole = Array(#"{"aps":{"alert":"é한😀"}}"#.utf8)
        for end in 1..<whole.count {
            let fault = #expect(throws: MessageFault.self) { try read(Array(whole[..<end])) }
            #expect(["json_unfinished", "not_utf8"].contains(fault?.code), "cut after \(end) bytes")
        }
    }

    @Test("With any one byte changed, a message is read or refused with a place inside it")
    func oneByteChanged() throws {
        let reader = MessageReader()
        for id in ["p006", "p024", "p093", "p127"] {
            let input = try PayloadCase.input(of: PayloadCase.tree(of: id + ".json"))
            for at in input.indices {
                for byte: UInt8 in [0x00, 0x22, 0x5C, 0x7B, 0x5D, 0x2C, 0xC3] {
                    var changed = input
                    changed[at] = byte
                    try readOrRefuse(changed, with: reader, note: "\(id), byte \(at) is \(byte)")
                }
            }
        }
    }

    @Test("Bytes by chance are read or refused with a place inside them")
    func chance() throws {
        var random = Chance(seed: 0x2545_F491_4F6C_DD1D)
        let alphabet = Array(#"{}[]:,"\0123456789.eE+-tfn aps"#.utf8)
        let reader = MessageReader()
        for round in 0..<2_000 {
            let length = Int(random.next() % 60)
            let bytes = (0..<length).map { _ -> UInt8 in
                let number = random.next()
                return round % 2 == 0
                    ? UInt8(truncatingIfNeeded: number) : alphabet[Int(number % UInt64(alphabet.count))]
            }
            try readOrRefuse(bytes, with: reader, note: "\(bytes)")
            try readOrRefuse(Array(#"{"aps":{"alert":"#.utf8) + bytes, with: reader, note: "behind an alert: \(bytes)")
        }
    }

    @Test(
        "Very many keys are read, and do not give as many warnings",
        arguments: [
            #"{"aps":{"alert":"x"},MANY}"#, #"{"aps":{"alert":"x",MANY}}"#, #"{"to":"T","data":{MANY}}"#,
            #"{"gcm.message_id":"m",MANY}"#, #"{"to":"T","notification":{"o":{MANY}}}"#, "{MANY}",
        ])
    func manyKeys(frame: String) throws {
        for distinct in [true, false] {
            let members = (0..<20_000).map { "\"k\(distinct ? $0 : 0)\":\($0)" }.joined(separator: ",")
            let text = Array(frame.replacingOccurrences(of: "MANY", with: members).utf8)
            let reader = MessageReader()
            let message = try text.withUnsafeBytes { try reader.read($0, limit: 1 << 20) }
            #expect(message.lint.contains { $0.code == .duplicateKey } != distinct, "\(frame)")
            #expect(message.lint.count <= 200, "\(frame)")
        }
    }

    @Test("A fault says where it lies and repeats nothing of the text")
    func faultsRepeatNothing() throws {
        for end in [#" tru"}"#, #" 01}"#, #" "canary\x"}"#, #" "canary"#, #" "canary"} canary"#, "\"canary\n\"}", #"canary"#] {
            let text = #"{"canary": "canary", "canary":"# + end
            let fault = #expect(throws: MessageFault.self, "\(text)") { try read(Array(text.utf8)) }
            #expect(fault.map { ($0.message + $0.hint).contains("canary") } == false, "\(text)")
        }
    }

    /// Reads, and demands an answer that is JSON or a fault that lies inside the input.
    private func readOrRefuse(_ bytes: [UInt8], with reader: MessageReader, note: String) throws {
        do {
            let message = try bytes.withUnsafeBytes { try reader.read($0) }
            let answer = InspectAnswer.json(for: message, state: .background, platform: .ios)
            #expect(try Tree(parsing: answer)["message"]?["lint"] != nil, "\(note)")
        } catch let fault as MessageFault {
            guard let offset = fault.offset else {
                #expect(fault.code == "not_an_object", "\(note)")
                return
            }
            #expect((0...bytes.count).contains(offset), "\(note)")
        }
    }

    private func read(_ bytes: [UInt8]) throws {
        let reader = MessageReader()
        let message = try bytes.withUnsafeBytes { try reader.read($0) }
        Issue.record("\(bytes.count) bytes were read as \(message.format)")
    }
}

/// Numbers that look like chance and are the same in every run (xorshift).
struct Chance {
    var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
