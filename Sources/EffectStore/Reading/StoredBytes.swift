// Bytes of a row become values again. Bytes of a later version are told from bytes that are damaged.
import RuleEngine

enum StoredBytes {
    /// Whose bytes they are, for faults.
    struct Owner {
        let app: String
        /// nil: what the app shares.
        let recipient: String?

        var words: String { recipient.map { "of recipient \"\($0)\" of \(app)" } ?? "that \(app) shares" }
    }

    static func effects(
        _ row: Row, format: Int32, _ column: Int32, of owner: Owner, _ connection: Connection
    ) throws(EffectStoreFault) -> [Effect] {
        try value(row, format, column, connection, "a change \(owner.words)", KeptBytes.effects)
    }

    static func recipient(
        _ row: Row, format: Int32, _ column: Int32, of owner: Owner, _ connection: Connection
    ) throws(EffectStoreFault) -> RecipientState {
        try value(row, format, column, connection, "the state \(owner.words)", KeptBytes.recipient)
    }

    static func shared(
        _ row: Row, format: Int32, _ column: Int32, of owner: Owner, _ connection: Connection
    ) throws(EffectStoreFault) -> ExactTable<StoredValue> {
        try value(row, format, column, connection, "what there is \(owner.words)", KeptBytes.shared)
    }

    private static func value<Value>(
        _ row: Row, _ format: Int32, _ column: Int32, _ connection: Connection, _ what: @autoclosure () -> String,
        _ read: (UnsafeRawBufferPointer) throws(CrossingFault) -> Value
    ) throws(EffectStoreFault) -> Value {
        let number = row.integer(format)
        guard number == KeptBytes.format else {
            throw .newer(connection.path, "\(what()) in format \(number), and this one knows \(KeptBytes.format)")
        }
        do throws(CrossingFault) {
            return try row.withBytes(column, read)
        } catch {
            throw .damagedPart(connection.path, "\(what()) cannot be read: \(error.expected) should stand there")
        }
    }
}
