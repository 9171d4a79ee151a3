// A value on its way into a row, and a row on its way out. Texts keep every byte, also a zero.
import CSQLite

enum Cell {
    case integer(Int64)
    case text(String)
    case bytes([UInt8])
    case null

    static func optional(_ number: Int64?) -> Cell { number.map { .integer($0) } ?? .null }
    static func optional(_ text: String?) -> Cell { text.map { .text($0) } ?? .null }

    /// SQLite takes a copy.
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    func bind(to statement: OpaquePointer, at place: Int32) -> Int32 {
        switch self {
        case .integer(let number): return sqlite3_bind_int64(statement, place, number)
        case .null: return sqlite3_bind_null(statement, place)
        case .text(var text):
            return text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { characters in
                    // Without a place an empty text would be no text.
                    guard let start = characters.baseAddress, !characters.isEmpty else {
                        return sqlite3_bind_text(statement, place, "", 0, Cell.transient)
                    }
                    return sqlite3_bind_text64(
                        statement, place, start, UInt64(characters.count), Cell.transient, UInt8(SQLITE_UTF8))
                }
            }
        case .bytes(let bytes):
            guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(statement, place, 0) }
            return bytes.withUnsafeBytes {
                sqlite3_bind_blob64(statement, place, $0.baseAddress, UInt64($0.count), Cell.transient)
            }
        }
    }
}

/// Valid until the next one is asked for.
struct Row {
    let statement: OpaquePointer

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

    func text(_ column: Int32) -> String {
        guard let start = sqlite3_column_text(statement, column) else { return "" }
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
        return String(decoding: bytes, as: UTF8.self)
    }

    func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    func bytes(_ column: Int32) -> [UInt8] { withBytes(column) { [UInt8]($0) } }

    /// The bytes where they stand.
    func withBytes<Value, Failure: Error>(
        _ column: Int32, _ read: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let start = sqlite3_column_blob(statement, column)
        return try read(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    }
}
