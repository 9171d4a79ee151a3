// The owner of one C document: a JSON text, read. Made once and read again for every message of a stream, so that
// nothing is allocated on the way. Used by one thread at a time.
public import CJSONDocument

// SAFETY: the pointer is the class's own; only values that outlive their document are the caller's to avoid.
@safe public final class JSONDocument {
    /// nil only when memory ran out.
    @usableFromInline let document: OpaquePointer?
    @usableFromInline let vocabulary: JSONVocabulary?

    /// Keys that stand in the vocabulary carry their number (`JSONValue.keyID`).
    public init(vocabulary: JSONVocabulary? = nil) {
        unsafe document = jd_document_new()
        self.vocabulary = vocabulary
    }

    deinit { unsafe jd_document_free(document) }

    /// Reads one JSON value from a copy of the bytes; every value of an earlier read is void from now on. After a fault
    /// the document is empty.
    /// - Parameters:
    ///   - limit: bytes allowed.
    ///   - depth: containers allowed inside each other; `[[]]` has 2.
    public func read(_ bytes: UnsafeRawBufferPointer, limit: Int = 65_536, depth: Int = 64) throws(JSONFault) {
        guard let document = unsafe document else {
            throw JSONFault(code: .outOfMemory, offset: 0, line: 1, column: 1)
        }
        var fault = jd_fault()
        let code = unsafe jd_document_read(
            document, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, max(0, limit),
            UInt32(clamping: depth), vocabulary?.table, &fault)
        if code != Int32(JD_OK) { throw JSONFault(fault) }
    }

    public func read(_ bytes: [UInt8], limit: Int = 65_536, depth: Int = 64) throws(JSONFault) {
        try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(JSONFault) in
            try unsafe read(UnsafeRawBufferPointer(buffer), limit: limit, depth: depth)
        }
    }

    public func read(_ text: String, limit: Int = 65_536, depth: Int = 64) throws(JSONFault) {
        try read(Array(text.utf8), limit: limit, depth: depth)
    }

    public func read(_ text: JSONText, limit: Int = 65_536, depth: Int = 64) throws(JSONFault) {
        try unsafe read(UnsafeRawBufferPointer(text.bytes), limit: limit, depth: depth)
    }

    /// nil before the first read and after a fault.
    @inlinable public var root: JSONValue? {
        guard let document = unsafe document, let root = unsafe jd_document_root(document) else { return nil }
        return unsafe JSONValue(root)
    }

    /// The text that was read: `JSONValue.offset` counts from its start.
    public var source: JSONText {
        guard let document = unsafe document else { return .empty }
        var length = 0
        let text = unsafe jd_document_text(document, &length)
        return unsafe JSONText(start: bytePointer(text), count: length)
    }

    /// Whether an object has the same key twice.
    @inlinable public var hasShadowedMembers: Bool {
        unsafe document.map { unsafe jd_document_shadowed($0) != 0 } ?? false
    }

    /// Whether a lone surrogate became U+FFFD in a text or a key.
    @inlinable public var hasReplacedSurrogates: Bool {
        unsafe document.map { unsafe jd_document_replaced($0) != 0 } ?? false
    }
}
