// Edits of a JSON text that leave every other byte as it is: values replaced, members removed or added. Made by
// Payload, applied in one walk over the document, so that edits cannot get into each other's way.
import JSONDocument

/// What becomes of one value and of what is inside it.
struct PayloadEdit {
    enum Step: Equatable {
        case key(String)
        case index(Int)

        var isKey: Bool { if case .key = self { true } else { false } }
    }

    private enum Fate {
        case kept
        case replaced([UInt8])
        case removed
    }

    private var fate = Fate.kept
    private var inside: [(step: Step, edit: PayloadEdit)] = []

    /// The value at the path becomes `json`; members that are missing on the way are added.
    mutating func set(_ path: [Step], to json: [UInt8]) { change(path[...], .replaced(json)) }

    /// The member at the path, every duplicate of it too, goes away.
    mutating func remove(_ path: [Step]) { change(path[...], .removed) }

    private mutating func change(_ path: ArraySlice<Step>, _ fate: Fate) {
        guard let step = path.first else {
            self.fate = fate
            return
        }
        if let place = inside.firstIndex(where: { $0.step == step }) {
            inside[place].edit.change(path.dropFirst(), fate)
        } else {
            var edit = PayloadEdit()
            edit.change(path.dropFirst(), fate)
            inside.append((step, edit))
        }
    }

    /// The whole text with the edits of its root value applied.
    func applied(to text: JSONText, root: JSONValue) -> [UInt8] {
        var output = PayloadOutput(text)
        output.copy(upTo: root.offset)
        write(root, into: &output)
        output.copy(upTo: text.count)
        return output.bytes
    }

    private func write(_ value: JSONValue, into output: inout PayloadOutput) {
        let end = value.offset + value.sourceLength
        switch fate {
        case .replaced(let json): output.replace(upTo: end, with: json)
        case .removed: output.replace(upTo: end, with: Array("null".utf8))
        case .kept where inside.isEmpty: output.copy(upTo: end)
        case .kept where value.isObject: writeMembers(of: value, into: &output)
        case .kept where value.isArray && !inside.contains(where: \.step.isKey):
            for (index, element) in value.children.enumerated() {
                output.copy(upTo: element.offset)
                edit(at: .index(index))?.write(element, into: &output)
            }
            output.copy(upTo: end)
        // A block of the wrong type has nothing that could be kept beside what is added.
        case .kept where addsSomething: output.replace(upTo: end, with: fresh())
        case .kept: output.copy(upTo: end)
        }
    }

    private func writeMembers(of value: JSONValue, into output: inout PayloadOutput) {
        output.copy(upTo: value.offset + 1)
        var keeps = false
        for member in value.childrenWithShadowed {
            let memberEnd = member.offset + member.sourceLength
            let edit = edit(at: .key(member.key.string))
            if let edit, case .removed = edit.fate {
                output.skip(upTo: memberEnd)
                continue
            }
            // Of a member that follows only removed ones, the comma before it goes too.
            if !keeps { output.skipComma() }
            output.copy(upTo: member.offset)
            if let edit, !member.isShadowed {
                edit.write(member, into: &output)
            } else {
                output.copy(upTo: memberEnd)
            }
            keeps = true
        }
        for (step, edit) in inside {
            guard case .key(let key) = step, value[key] == nil, edit.addsSomething else { continue }
            output.add(key: key, edit.fresh(), afterOthers: keeps)
            keeps = true
        }
        output.copy(upTo: value.offset + value.sourceLength)
    }

    private func edit(at step: Step) -> PayloadEdit? { inside.first { $0.step == step }?.edit }

    private var addsSomething: Bool {
        switch fate {
        case .replaced: true
        case .removed: false
        case .kept: inside.contains { $0.edit.addsSomething }
        }
    }

    /// The value where none was before.
    private func fresh() -> [UInt8] {
        if case .replaced(let json) = fate { return json }
        var writer = JSONWriter(reserving: 64)
        writer.beginObject()
        for (step, edit) in inside {
            guard case .key(let key) = step, edit.addsSomething else { continue }
            writer.key(key)
            writer.raw(edit.fresh())
        }
        writer.endObject()
        return writer.bytes
    }
}

/// Copies a text forwards, with parts left out and parts put in.
private struct PayloadOutput {
    private(set) var bytes: [UInt8] = []
    private let text: UnsafeBufferPointer<UInt8>
    private var place = 0

    init(_ text: JSONText) {
        self.text = text.bytes
        bytes.reserveCapacity(text.count + 128)
    }

    mutating func copy(upTo end: Int) {
        guard end > place else { return }
        bytes.append(contentsOf: text[place..<min(end, text.count)])
        place = end
    }

    mutating func skip(upTo end: Int) { place = max(place, end) }

    mutating func replace(upTo end: Int, with json: [UInt8]) {
        skip(upTo: end)
        bytes.append(contentsOf: json)
    }

    mutating func skipComma() {
        var next = place
        while next < text.count, text[next] <= 0x20 { next += 1 }
        if next < text.count, text[next] == UInt8(ascii: ",") { place = next + 1 }
    }

    mutating func add(key: String, _ json: [UInt8], afterOthers: Bool) {
        if afterOthers { bytes.append(UInt8(ascii: ",")) }
        var writer = JSONWriter(reserving: key.utf8.count + 3)
        writer.key(key)
        bytes += writer.bytes
        bytes += json
    }
}
