// What is different between two states of an app, as lines: each value by its place in a state file. Shown by `state` before
// and after it changes something.
import JSONDocument
import RuleEngine
import RuleStore

struct StateDifference {
    struct Change {
        /// As in a state file: `recipients["u-1"].badge`.
        let path: String
        /// JSON text; nil: there is none.
        let old: [UInt8]?
        let new: [UInt8]?
    }

    /// In the order of their places.
    let changes: [Change]

    init(from old: AppState, to new: AppState) throws(CommandFault) {
        let (old, new) = (try StateDifference.leaves(of: old), try StateDifference.leaves(of: new))
        var all = old
        for (path, json) in new { all[path] = json }
        changes = all.inOrder.compactMap { old[$0.key] == new[$0.key] ? nil : Change(path: $0.key, old: old[$0.key], new: new[$0.key]) }
    }

    private static func leaves(of state: AppState) throws(CommandFault) -> ExactTable<[UInt8]> {
        let document = JSONDocument()
        let json = StateWriter.file(state)
        do throws(JSONFault) {
            try document.read(json, limit: json.count, depth: 128)
        } catch {
            throw .internalFault("the state was written wrongly: \(error.code.rawValue)")
        }
        var leaves = ExactTable<[UInt8]>()
        if let root = document.root { add(root, .root, to: &leaves) }
        return leaves
    }

    private static func add(_ value: JSONValue, _ path: JSONPath, to leaves: inout ExactTable<[UInt8]>) {
        // An empty object is a value as any other; the frame of a state file, in which people may be missing, is none.
        guard value.isObject, value.children.first(where: { _ in true }) != nil || path.steps.count < 2 else {
            var writer = JSONWriter()
            writer.value(value)
            leaves[path.text] = writer.bytes
            return
        }
        for member in value.children { add(member, path.appending(member.key.string), to: &leaves) }
    }

    // MARK: words

    private static let mostLines = 40
    private static let columns = 72

    func lines(_ ink: Ink) -> [String] {
        var lines = changes.prefix(StateDifference.mostLines).map { change in
            let path = change.path.printable
            switch (change.old, change.new) {
            case (let old?, let new?):
                return "  \(ink.paint("~", .caution)) \(path)  \(StateDifference.short(old)) → \(StateDifference.short(new))"
            case (nil, let new?): return "  \(ink.paint("+", .good)) \(path)  \(StateDifference.short(new))"
            case (let old, nil): return "  \(ink.paint("-", .bad)) \(path)  \(StateDifference.short(old ?? []))"
            }
        }
        let more = changes.count - lines.count
        if more > 0 { lines.append("  … and \(Figures.grouped(more)) more") }
        return lines
    }

    private static func short(_ json: [UInt8]) -> String {
        let text = String(decoding: json, as: UTF8.self).printable
        return TextWidth.of(text) > columns ? TextWidth.prefix(text, columns: columns - 1) + "…" : text
    }

    /// `[{"path": …, "old": …, "new": …}]`
    func write(to writer: inout JSONWriter) {
        writer.beginArray()
        for change in changes {
            writer.beginObject()
            writer.key("path")
            writer.string(change.path)
            if let old = change.old {
                writer.key("old")
                writer.raw(old)
            }
            if let new = change.new {
                writer.key("new")
                writer.raw(new)
            }
            writer.endObject()
        }
        writer.endArray()
    }
}
