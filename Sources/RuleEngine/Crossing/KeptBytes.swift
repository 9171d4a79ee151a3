// Effects and state as bytes for a store, and back. Written here and read here again, perhaps years later: `format` says how,
// and a change of the bytes needs a new number and a reader for the old ones. Called by EffectStore; knows no file.
import PushMessage

public enum KeptBytes {
    /// Of what is written. What another number says cannot be read by this version.
    public static let format = 1

    public static func bytes(of effects: [Effect]) -> [UInt8] {
        var writer = CrossingWriter(reserving: 256)
        writer.write(effects)
        return writer.bytes
    }

    public static func effects(_ bytes: UnsafeRawBufferPointer) throws(CrossingFault) -> [Effect] {
        var reader = CrossingReader(own: bytes)
        let effects = try reader.effects()
        try reader.finish()
        return effects
    }

    /// What one recipient has.
    public static func bytes(of state: RecipientState) -> [UInt8] {
        var writer = CrossingWriter()
        writer.write(state, seen: state.seen.messages)
        return writer.bytes
    }

    public static func recipient(_ bytes: UnsafeRawBufferPointer) throws(CrossingFault) -> RecipientState {
        var reader = CrossingReader(own: bytes)
        let state = try reader.recipientState()
        try reader.finish()
        return state
    }

    /// What an app shares among its recipients.
    public static func bytes(of shared: ExactTable<StoredValue>) -> [UInt8] {
        var writer = CrossingWriter()
        writer.write(shared)
        return writer.bytes
    }

    public static func shared(_ bytes: UnsafeRawBufferPointer) throws(CrossingFault) -> ExactTable<StoredValue> {
        var reader = CrossingReader(own: bytes)
        let values = try reader.storedValues()
        try reader.finish()
        return values
    }
}
