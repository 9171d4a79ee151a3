// Makes a tape that no text stands behind: what a reader derives, what a host function answers. Texts of the program
// (StaticString) and of documents (JSONText) are borrowed, so their owner must live as long as what was built; a
// String is copied.
public import CJSONDocument

// SAFETY: the pointer is the class's own; only values that outlive their tape are the caller's to avoid.
@safe public final class JSONBuilder {
    public enum Container: Sendable { case object, array }

    /// nil only when memory ran out; C then takes every call and `finish` gives nil.
    @usableFromInline let builder: OpaquePointer?

    public init() { unsafe builder = jd_builder_new() }
    deinit { unsafe jd_builder_free(builder) }

    /// Begins anew; every value built before is void from now on.
    @inlinable public func reset() { unsafe jd_builder_reset(builder) }

    @inlinable public func open(_ container: Container) {
        unsafe jd_builder_open(builder, UInt8(container == .object ? JD_OBJECT : JD_ARRAY))
    }
    @inlinable public func close() { unsafe jd_builder_close(builder) }

    /// The key of the next value. `id` is its number in the vocabulary of whoever reads the tape.
    @_disfavoredOverload
    @inlinable public func key(_ key: StaticString, id: UInt16 = 0) { self.key(JSONText(key), id: id) }
    @inlinable public func key(_ key: JSONText, id: UInt16 = 0) {
        unsafe jd_builder_key_borrowed(builder, characters(key), key.count, id)
    }
    @_disfavoredOverload
    public func key(_ key: String, id: UInt16 = 0) {
        var copy = key
        copy.withUTF8 { bytes in
            let text = unsafe JSONText(start: bytes.baseAddress, count: bytes.count)
            unsafe jd_builder_key(builder, characters(text), text.count, id)
        }
    }

    @inlinable public func null() { unsafe jd_builder_null(builder) }
    @inlinable public func bool(_ value: Bool) { unsafe jd_builder_bool(builder, value ? 1 : 0) }
    @inlinable public func integer(_ value: Int64) { unsafe jd_builder_integer(builder, value) }
    @inlinable public func integer(_ value: Int) { integer(Int64(value)) }
    @inlinable public func decimal(_ value: Double) { unsafe jd_builder_decimal(builder, value) }
    /// A number as JSON writes it, digits kept; copied. Anything else breaks the tape.
    @inlinable public func number(literal: JSONText) {
        unsafe jd_builder_number_literal(builder, characters(literal), literal.count)
    }

    @_disfavoredOverload
    @inlinable public func string(_ text: StaticString) { string(JSONText(text)) }
    @inlinable public func string(_ text: JSONText) {
        unsafe jd_builder_string_borrowed(builder, characters(text), text.count)
    }
    @_disfavoredOverload
    public func string(_ text: String) {
        var copy = text
        copy.withUTF8 { bytes in
            string(copying: unsafe JSONText(start: bytes.baseAddress, count: bytes.count))
        }
    }
    /// A text that is copied, for one whose owner goes away earlier.
    @inlinable public func string(copying text: JSONText) {
        unsafe jd_builder_string(builder, characters(text), text.count)
    }

    /// The value as it stands in its own tape, which must live as long as what was built.
    @inlinable public func link(_ value: JSONValue) { unsafe jd_builder_link(builder, value.pointer) }
    /// A deep copy that keeps nothing of the value's tape.
    @inlinable public func copy(_ value: JSONValue) { unsafe jd_builder_copy(builder, value.pointer) }
    /// A function of the Lua machine that the tape belongs to.
    @inlinable public func function(_ reference: Int64) { unsafe jd_builder_function(builder, reference) }

    /// Bytes copied to memory that lives until the next `reset`.
    public func keep(_ bytes: [UInt8]) -> JSONText {
        guard let memory = unsafe jd_builder_memory(builder, bytes.count) else { return .empty }
        unsafe bytes.withUnsafeBytes { bytes in
            guard let source = bytes.baseAddress else { return }
            unsafe UnsafeMutableRawPointer(memory).copyMemory(from: source, byteCount: bytes.count)
        }
        return unsafe JSONText(start: bytePointer(memory), count: bytes.count)
    }

    /// The root; nil when memory ran out or the calls did not make exactly one value.
    @inlinable public func finish() -> JSONValue? {
        guard let root = unsafe jd_builder_finish(builder) else { return nil }
        return unsafe JSONValue(root)
    }

}

@inlinable func characters(_ text: JSONText) -> UnsafePointer<CChar>? {
    unsafe UnsafeRawPointer(text.start)?.assumingMemoryBound(to: CChar.self)
}
