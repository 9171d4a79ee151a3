// What is written out in a script as JSON, so that the engine's own readers can look at it.
import JSONDocument

enum LiteralJSON {
    /// - Returns: false when a part of it only comes to be when the script runs; then what was written is no JSON.
    static func write(_ expression: LuaExpression, into writer: inout JSONWriter) -> Bool {
        switch expression.followed {
        case .nothing: writer.null()
        case .truth(let truth, _): writer.bool(truth)
        case .text(let text, _): writer.string(text)
        case .table(let table): return write(table, into: &writer)
        case let value:
            guard let number = LiteralValue.number(value) else { return false }
            if let whole = Int64(exactly: number) { writer.integer(whole) } else { writer.decimal(number) }
        }
        return true
    }

    private static func write(_ table: LuaTable, into writer: inout JSONWriter) -> Bool {
        if table.items.allSatisfy({ $0.key == nil }) {
            writer.beginArray()
            for item in table.items { guard write(item.value, into: &writer) else { return false } }
            writer.endArray()
            return true
        }
        writer.beginObject()
        for item in table.items {
            guard let name = item.key?.followed.text else { return false }
            writer.key(name)
            guard write(item.value, into: &writer) else { return false }
        }
        writer.endObject()
        return true
    }
}
