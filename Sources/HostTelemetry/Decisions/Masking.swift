// Writes values with what is masked replaced. A text becomes another one that is the same for the same text as long as the host runs, so that a
// person stays one person without being anybody; a number becomes 0, a switch false. What was replaced is replaced in the decision as well.
import CNettle
import JSONDocument

public struct Masking {
    private let paths: [MaskPath]
    private let salt: [UInt8]
    /// Of this line: paths that met something, and the texts that were replaced, with what they became.
    private(set) var met: [Int] = []
    private var texts: [(from: [UInt8], to: String)] = []

    /// Shorter ones are replaced only where they stand by themselves.
    private static let shortest = 4

    init(_ paths: [MaskPath], salt: [UInt8]) {
        self.paths = paths
        self.salt = salt
    }

    mutating func begin() {
        met = []
        texts = []
    }

    var metPaths: [String] { met.sorted().map { paths[$0].text } }

    /// A point on a path.
    private struct Trail {
        let path: Int
        let place: Int
    }

    /// - Parameter root: "message", "device", "event".
    mutating func write(_ value: JSONValue, of root: String, into writer: inout JSONWriter) {
        let trails = paths.indices.flatMap { path in paths[path].after(0, key: root).map { Trail(path: path, place: $0) } }
        write(value, trails, into: &writer)
    }

    private mutating func write(_ value: JSONValue, _ trails: [Trail], into writer: inout JSONWriter) {
        if trails.isEmpty { return MaskedText.copy(value, into: &writer) }
        let ends = trails.filter { $0.place == paths[$0.path].steps.count }
        guard ends.isEmpty else {
            for end in ends where !met.contains(end.path) { met.append(end.path) }
            return replace(value, into: &writer)
        }
        switch value.kind {
        case .object:
            writer.beginObject()
            for member in value.children {
                writer.key(member.key)
                let key = member.key.string
                write(
                    member,
                    trails.flatMap { trail in paths[trail.path].after(trail.place, key: key).map { Trail(path: trail.path, place: $0) } },
                    into: &writer)
            }
            writer.endObject()
        case .array:
            writer.beginArray()
            for (index, element) in value.children.enumerated() {
                write(
                    element,
                    trails.flatMap { trail in paths[trail.path].after(trail.place, index: index).map { Trail(path: trail.path, place: $0) }
                    },
                    into: &writer)
            }
            writer.endArray()
        default: MaskedText.copy(value, into: &writer)
        }
    }

    /// Everything in it.
    private mutating func replace(_ value: JSONValue, into writer: inout JSONWriter) {
        switch value.kind {
        case .object:
            writer.beginObject()
            for member in value.children {
                writer.key(member.key)
                replace(member, into: &writer)
            }
            writer.endObject()
        case .array:
            writer.beginArray()
            for element in value.children { replace(element, into: &writer) }
            writer.endArray()
        default:
            if let text = value.text {
                let from = Array(text.bytes)
                let to = name(of: from)
                if !from.isEmpty, !texts.contains(where: { $0.from == from }) { texts.append((from, to)) }
                writer.string(to)
            } else if value.bool != nil {
                writer.bool(false)
            } else if value.isNull {
                writer.null()
            } else {
                writer.integer(0)
            }
        }
    }

    /// 64 bits of a digest that nobody can make who does not know the salt.
    private func name(of text: [UInt8]) -> String {
        var context = sha256_ctx()
        nettle_sha256_init(&context)
        nettle_sha256_update(&context, salt.count, salt)
        nettle_sha256_update(&context, text.count, text)
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
        nettle_sha256_digest(&context, digest.count, &digest)
        let hex = digest.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return "\(Masking.mark)\(hex)"
    }

    private static let mark = "masked-"

    /// A text that looks like what stands in the place of another one.
    public static func isMasked(_ text: String) -> Bool { text.hasPrefix(mark) }

    // MARK: decisions

    /// A decision, or a journey of them, without the texts that were replaced before.
    func writeDecision(_ value: JSONValue, into writer: inout JSONWriter) {
        if texts.isEmpty { return MaskedText.copy(value, into: &writer) }
        switch value.kind {
        case .object:
            writer.beginObject()
            for member in value.children {
                writer.key(member.key)
                writeDecision(member, into: &writer)
            }
            writer.endObject()
        case .array:
            writer.beginArray()
            for element in value.children { writeDecision(element, into: &writer) }
            writer.endArray()
        default:
            if let text = value.text, let replaced = replaced(in: Array(text.bytes)) {
                writer.string(replaced)
            } else {
                MaskedText.copy(value, into: &writer)
            }
        }
    }

    /// nil: nothing of it was masked.
    private func replaced(in text: [UInt8]) -> String? {
        if let whole = texts.first(where: { $0.from == text }) { return whole.to }
        var found: [UInt8]?
        // The longest first: a short one may be part of it.
        for (from, to) in texts.sorted(by: { $0.from.count > $1.from.count }) where from.count >= Masking.shortest {
            if let replaced = MaskedText.replace(from, by: Array(to.utf8), in: found ?? text) { found = replaced }
        }
        return found.map { String(decoding: $0, as: UTF8.self) }
    }
}

enum MaskedText {
    static func copy(_ value: JSONValue, into writer: inout JSONWriter) {
        switch value.kind {
        case .object:
            writer.beginObject()
            for member in value.children {
                writer.key(member.key)
                copy(member, into: &writer)
            }
            writer.endObject()
        case .array:
            writer.beginArray()
            for element in value.children { copy(element, into: &writer) }
            writer.endArray()
        default:
            if let text = value.text {
                writer.string(text)
            } else if let flag = value.bool {
                writer.bool(flag)
            } else if let literal = value.literal {
                writer.raw(literal)
            } else {
                writer.null()
            }
        }
    }

    /// nil: it is not in there.
    static func replace(_ from: [UInt8], by to: [UInt8], in text: [UInt8]) -> [UInt8]? {
        guard from.count <= text.count else { return nil }
        var result: [UInt8] = []
        var isFound = false
        var place = 0
        while place < text.count {
            if place + from.count <= text.count, text[place..<place + from.count].elementsEqual(from) {
                result += to
                place += from.count
                isFound = true
            } else {
                result.append(text[place])
                place += 1
            }
        }
        return isFound ? result : nil
    }
}
