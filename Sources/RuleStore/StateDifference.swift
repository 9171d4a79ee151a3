// What is different between two states of an app: each value by its place in a state file. Told by `state` and by a host, before and after
// something is changed by hand.
public import JSONDocument
public import RuleEngine

public struct StateDifference: Sendable {
    public struct Change: Sendable {
        /// As in a state file: `recipients["u-1"].badge`.
        public let path: String
        /// JSON text; nil: there is none.
        public let old: [UInt8]?
        public let new: [UInt8]?
    }

    /// In the order of their places.
    public let changes: [Change]

    public init(from old: AppState, to new: AppState) {
        let (old, new) = (StateDifference.leaves(of: old), StateDifference.leaves(of: new))
        var all = old
        for (path, json) in new { all[path] = json }
        changes = all.inOrder.compactMap { old[$0.key] == new[$0.key] ? nil : Change(path: $0.key, old: old[$0.key], new: new[$0.key]) }
    }

    /// As `write` wrote it; what is none is passed over.
    public init(_ list: JSONValue) {
        changes = list.children.compactMap { item in
            func json(_ key: String) -> [UInt8]? {
                item[key].map { value in
                    var writer = JSONWriter()
                    writer.value(value)
                    return writer.bytes
                }
            }
            return item["path"]?.text.map { Change(path: $0.string, old: json("old"), new: json("new")) }
        }
    }

    private static func leaves(of state: AppState) -> ExactTable<[UInt8]> {
        let document = JSONDocument()
        let json = StateWriter.file(state)
        do throws(JSONFault) {
            try document.read(json, limit: json.count, depth: 128)
        } catch {
            // A state file is JSON: the writer's tests say so.
            return [:]
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

    /// `[{"path": …, "old": …, "new": …}]`
    public func write(to writer: inout JSONWriter) {
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
