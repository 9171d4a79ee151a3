// Writes values with what is masked replaced. A text becomes another one that is the same for the same text as long as the host runs, so that a
// person stays one person without being anybody; a number becomes 0, a switch false. What was replaced is replaced in the decision as well: the
// message that goes out has the paths of the one that came, and the rest of it what MaskedValues finds.
import JSONDocument

public struct Masking {
    private let paths: [MaskPath]
    private let names: MaskNames
    /// What is masked may stand in what was remembered of an earlier message, and is not in this line to be found again.
    private let hidesEarlier: Bool
    private let hidesIDs: Bool
    /// Of this line: paths that met something, and what was replaced.
    private var met: [Int] = []
    private var values = MaskedValues()

    init(_ paths: [MaskPath], salt: [UInt8]) {
        hidesIDs = paths.contains { $0.mayHideID }
        self.paths = hidesIDs ? paths + [MaskPath("event.deferred_id")].compactMap { $0 } : paths
        // The recipient is the same one, and stands in each line.
        hidesEarlier = paths.contains { $0.text != "device.recipient" && $0.steps.first != "event" }
        names = MaskNames(salt: salt)
    }

    mutating func begin() {
        met = []
        values = MaskedValues()
    }

    var metPaths: [String] { met.sorted().map { paths[$0].text } }

    /// A point on a path.
    private struct Trail {
        let path: Int
        let place: Int
    }

    /// What of a line is written: what came, or what was decided of it, which may say what came once more.
    private enum Part { case asked, decided }

    /// - Parameter root: "message", "device", "event".
    mutating func write(_ value: JSONValue, of root: String, into writer: inout JSONWriter) {
        write(value, trails(root), .asked, into: &writer)
    }

    private func trails(_ root: String) -> [Trail] {
        paths.indices.flatMap { path in paths[path].after(0, key: root).map { Trail(path: path, place: $0) } }
    }

    private mutating func write(_ value: JSONValue, _ trails: [Trail], _ part: Part, into writer: inout JSONWriter) {
        if trails.isEmpty { return part == .asked ? JSONRewriting.copy(value, into: &writer) : copyFound(value, into: &writer) }
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
                    part, into: &writer)
            }
            writer.endObject()
        case .array:
            writer.beginArray()
            for (index, element) in value.children.enumerated() {
                write(
                    element,
                    trails.flatMap { trail in paths[trail.path].after(trail.place, index: index).map { Trail(path: trail.path, place: $0) }
                    },
                    part, into: &writer)
            }
            writer.endArray()
        default: write(value, [], part, into: &writer)
        }
    }

    /// Everything in it.
    private mutating func replace(_ value: JSONValue, into writer: inout JSONWriter) {
        JSONRewriting.write(value, into: &writer) { leaf, writer in
            if let text = leaf.text {
                let from = Array(text.bytes)
                let to = names.name(of: from)
                values.add(text: from, as: to)
                addParts(of: text)
                writer.string(to)
            } else if leaf.bool != nil {
                writer.bool(false)
            } else if leaf.isNull {
                writer.null()
            } else {
                values.add(number: leaf)
                writer.integer(0)
            }
        }
    }

    /// Rules read what stands in a text of JSON (`json:` in the fields of an app), and show it by itself.
    private mutating func addParts(of text: JSONText) {
        guard let first = text.bytes.first(where: { $0 > 0x20 }), first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return }
        let document = JSONDocument()
        do throws(JSONFault) {
            try document.read(Array(text.bytes), limit: Masking.longestPart)
        } catch {
            // It is none, and nobody reads parts of it.
            return
        }
        if let root = document.root { addParts(of: root) }
    }

    private mutating func addParts(of value: JSONValue) {
        if value.isObject || value.kind == .array {
            for child in value.children { addParts(of: child) }
        } else if let text = value.text {
            let from = Array(text.bytes)
            values.add(text: from, as: names.name(of: from))
            addParts(of: text)
        } else if value.bool == nil, !value.isNull {
            values.add(number: value)
        }
    }

    private static let longestPart = 256 << 10

    /// A text that looks like what stands in the place of another one.
    public static func isMasked(_ text: String) -> Bool { text.hasPrefix(MaskNames.mark) }

    // MARK: decisions

    /// A decision, or a journey of them, without what was replaced before.
    mutating func writeDecision(_ value: JSONValue, into writer: inout JSONWriter) {
        switch value.kind {
        case .object where hidesEarlier && EarlierTexts.tells(value):
            EarlierTexts(names: names, hidesIDs: hidesIDs, found: values).write(value, into: &writer)
        case .object:
            let isCopy = hidesEarlier && value["duplicate"]?.bool == true
            writer.beginObject()
            for member in value.children {
                writer.key(member.key)
                switch member.key.string {
                // A tap on it has led there before.
                case "route" where isCopy: EarlierTexts(names: names, hidesIDs: hidesIDs, found: values).hide(member, into: &writer)
                case "payload": write(member, trails("message"), .decided, into: &writer)
                // The host's own: nothing that came is in it.
                case "app", "ruleset", "event", "usage": JSONRewriting.copy(member, into: &writer)
                // Names that rules make up.
                case "labels", "inbox": copyFound(member, namesToo: true, into: &writer)
                default: copyFound(member, into: &writer)
                }
            }
            writer.endObject()
        case .array:
            writer.beginArray()
            for element in value.children { writeDecision(element, into: &writer) }
            writer.endArray()
        default: copyFound(value, into: &writer)
        }
    }

    private func copyFound(_ value: JSONValue, namesToo: Bool = false, into writer: inout JSONWriter) {
        if values.isEmpty { return JSONRewriting.copy(value, into: &writer) }
        JSONRewriting.write(value, into: &writer, names: { namesToo ? values.replaced(in: $0) : nil }) { leaf, writer in
            if let text = leaf.text, let replaced = values.replaced(in: text) {
                writer.string(replaced)
            } else if values.hides(number: leaf) {
                writer.integer(0)
            } else {
                JSONRewriting.copy(leaf, into: &writer)
            }
        }
    }
}
