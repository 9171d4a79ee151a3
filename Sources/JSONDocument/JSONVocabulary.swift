// The words that readers of a document compare by number instead of by text: the field names of a wire format, of a
// device. Made once, shared by any number of documents.
internal import CJSONDocument

// SAFETY: the C table is never written after `init`.
@safe public final class JSONVocabulary: @unchecked Sendable {
    /// nil only when memory ran out: every key then has number 0.
    let table: OpaquePointer?

    /// The i-th word, from 0, gets the number i + 1. At most 65,535 words, each once, none with a NUL.
    public init(_ words: [String]) {
        let copies = words.map { Array($0.utf8CString) }
        unsafe table = Self.withPointers(to: copies) { pointers in
            unsafe jd_vocabulary_new(pointers.baseAddress, pointers.count)
        }
    }

    deinit { unsafe jd_vocabulary_free(table) }

    /// Lays the words out behind each other, so that one array of pointers can name them all.
    private static func withPointers(
        to words: [[CChar]], _ body: (UnsafeBufferPointer<UnsafePointer<CChar>?>) -> OpaquePointer?
    ) -> OpaquePointer? {
        let joined = words.flatMap { $0 }
        return unsafe joined.withUnsafeBufferPointer { bytes in
            var pointers = unsafe [UnsafePointer<CChar>?]()
            unsafe pointers.reserveCapacity(words.count)
            var next = bytes.baseAddress
            for word in words {
                unsafe pointers.append(next)
                unsafe next = next.map { unsafe $0 + word.count }
            }
            return unsafe pointers.withUnsafeBufferPointer { unsafe body($0) }
        }
    }
}
