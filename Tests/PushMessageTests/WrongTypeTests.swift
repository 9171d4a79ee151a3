// Every value of every payload case is replaced by values of every other type, and read in every format: whatever a
// sender puts anywhere, the reader answers, and one message leaves nothing behind for the next.
import JSONDocument
import PushMessage
import Testing

@Suite struct WrongTypeTests {
    static let strangers = ["null", "true", "-1", "1e400", #""""#, #""/topics/""#, "[[]]", #"{"aps":{"alert":{}}}"#]

    /// A fifth of the cases, of every kind: all of them take minutes.
    static let sample = PayloadCase.all.filter { $0.id.hasSuffix("1") || $0.id.hasSuffix("8") }

    @Test("Any value anywhere may be of any type", arguments: sample)
    func anyTypeAnywhere(item: PayloadCase) throws {
        guard let input = try item.tree()["input"], input.bytes.count < 1_000 else { return }
        let strangers = try Self.strangers.map { try Tree(parsing: Array($0.utf8)) }
        let reader = MessageReader()
        for changed in strangers.flatMap({ input.variants(replacingWith: $0) }) {
            guard case .object = changed else { continue }
            let answer = try answer(of: reader, to: changed.bytes, as: nil)
            #expect(answer["message"]?["data"]?.isObject == true, "\(changed.json)")
        }
    }

    @Test("Any payload may be read as any format", arguments: MessageFormat.allCases)
    func anyFormat(format: MessageFormat) throws {
        let reader = MessageReader()
        for item in PayloadCase.all {
            let answer = try answer(of: reader, to: item.input(), as: format)
            #expect(answer["message"]?["format"]?.string == format.rawValue, "\(item.id)")
        }
    }

    @Test("A reader that has read other messages gives the answer of a new one")
    func readerIsReused() throws {
        let old = MessageReader()
        for item in PayloadCase.all + PayloadCase.all.reversed() {
            let input = try item.input()
            let again = try answer(of: old, to: input, as: nil)
            #expect(again == (try answer(of: MessageReader(), to: input, as: nil)), "\(item.id)")
        }
    }

    private func answer(of reader: MessageReader, to bytes: [UInt8], as format: MessageFormat?) throws -> Tree {
        let message = try bytes.withUnsafeBytes { try reader.read($0, as: format) }
        return try Tree(parsing: InspectAnswer.json(for: message, state: .background, platform: .ios))
    }
}

extension Tree {
    var isObject: Bool { if case .object = self { true } else { false } }

    /// This tree with one of its values replaced, once for each value in it.
    func variants(replacingWith stranger: Tree) -> [Tree] {
        var variants = [stranger]
        switch self {
        case .array(let elements):
            for at in elements.indices {
                variants += elements[at].variants(replacingWith: stranger).map { changed in
                    var copy = elements
                    copy[at] = changed
                    return .array(copy)
                }
            }
        case .object(let members):
            for at in members.indices {
                variants += members[at].value.variants(replacingWith: stranger).map { changed in
                    var copy = members
                    copy[at].value = changed
                    return .object(copy)
                }
            }
        default: break
        }
        return variants
    }
}
