// One connection to a SQLite file: statements are prepared once, every refusal becomes a fault with one of our codes. Belongs
// to one thread at a time. Nothing in here knows what is stored.
import CSQLite
import Glibc

// SAFETY: the writer's belongs to its thread, a reader's is used under the lock of its StoreView.
final class Connection: @unchecked Sendable {
    enum Access {
        /// Writes nothing, and sees what a host that runs beside it writes.
        case reading
        /// As `reading`, of a file that nobody has open: not even files beside it are made.
        case readingAtRest
        case writing
    }

    /// As the caller gave it.
    let path: String
    private let access: Access
    private let database: OpaquePointer
    private var statements: [String: OpaquePointer] = [:]

    /// - Parameters:
    ///   - file: what is opened.
    ///   - path: what faults call it.
    init(_ file: String, path: String, _ access: Access) throws(EffectStoreFault) {
        self.path = path
        self.access = access
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI
        var name = Connection.address(of: file)
        switch access {
        case .reading: flags |= SQLITE_OPEN_READONLY
        case .readingAtRest:
            flags |= SQLITE_OPEN_READONLY
            name += "?immutable=1"
        case .writing: flags |= SQLITE_OPEN_READWRITE
        }
        var database: OpaquePointer?
        let code = sqlite3_open_v2(name, &database, flags, nil)
        guard code == SQLITE_OK, let database else {
            let fault = Connection.fault(code, database, path, .writing)
            sqlite3_close_v2(database)
            throw fault
        }
        self.database = database
        sqlite3_extended_result_codes(database, 1)
        sqlite3_busy_timeout(database, 5_000)
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(database)
    }

    var isReadOnly: Bool { sqlite3_db_readonly(database, "main") != 0 }
    /// Rows that the last statement changed.
    var changes: Int { Int(sqlite3_changes64(database)) }

    /// Whether the log stays beside the file when the last connection closes, so that closing writes nothing.
    func keepLogAtClose(_ isOn: Bool) { _ = cs_keep_log_at_close(database, isOn ? 1 : 0) }

    // MARK: statements

    /// A statement that answers with no rows.
    func run(_ sql: String, _ cells: [Cell] = []) throws(EffectStoreFault) {
        try rows(sql, cells) { (_) throws(EffectStoreFault) in }
    }

    /// A setting of the connection, or a command of SQLite: some take effect when they are prepared, so they are not kept.
    func set(_ pragma: String) throws(EffectStoreFault) {
        let code = sqlite3_exec(database, "PRAGMA \(pragma)", nil, nil, nil)
        guard code == SQLITE_OK else { throw fault(code) }
    }

    /// Calls `read` for each row.
    func rows(_ sql: String, _ cells: [Cell] = [], _ read: (Row) throws(EffectStoreFault) -> Void) throws(EffectStoreFault) {
        let statement = try prepared(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (place, cell) in cells.enumerated() {
            let code = cell.bind(to: statement, at: Int32(place + 1))
            guard code == SQLITE_OK else { throw fault(code) }
        }
        while true {
            errno = 0
            let code = sqlite3_step(statement)
            switch code {
            case SQLITE_ROW: try read(Row(statement: statement))
            case SQLITE_DONE: return
            default: throw fault(code)
            }
        }
    }

    /// The first row; nil: there is none.
    func row<Value>(
        _ sql: String, _ cells: [Cell] = [], _ read: (Row) throws(EffectStoreFault) -> Value
    ) throws(EffectStoreFault) -> Value? {
        var value: Value?
        try rows(sql, cells) { (row) throws(EffectStoreFault) in
            if value == nil { value = try read(row) }
        }
        return value
    }

    func integer(_ sql: String, _ cells: [Cell] = []) throws(EffectStoreFault) -> Int64? {
        try row(sql, cells) { (row) throws(EffectStoreFault) in row.integer(0) }
    }

    /// All of it or nothing.
    func transaction<Value>(_ begin: String = "BEGIN IMMEDIATE", _ body: () throws(EffectStoreFault) -> Value) throws(EffectStoreFault)
        -> Value
    {
        try run(begin)
        do throws(EffectStoreFault) {
            let value = try body()
            try run("COMMIT")
            return value
        } catch {
            // After some refusals SQLite has undone everything by itself.
            if sqlite3_get_autocommit(database) == 0 { sqlite3_exec(database, "ROLLBACK", nil, nil, nil) }
            throw error
        }
    }

    /// Writes what `body` has changed to the disk, and undoes it: the room that this takes is free again for whoever writes next.
    func rehearse(_ body: () throws(EffectStoreFault) -> Void) throws(EffectStoreFault) {
        try run("BEGIN IMMEDIATE")
        defer { if sqlite3_get_autocommit(database) == 0 { sqlite3_exec(database, "ROLLBACK", nil, nil, nil) } }
        try body()
        errno = 0
        let code = sqlite3_db_cacheflush(database)
        guard code == SQLITE_OK else { throw fault(code) }
    }

    private func prepared(_ sql: String) throws(EffectStoreFault) -> OpaquePointer {
        if let known = statements[sql] { return known }
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else { throw fault(code) }
        statements[sql] = statement
        return statement
    }

    // MARK: copies

    /// Copies all pages into another file, as they were at one moment.
    func copy(into target: Connection) throws(EffectStoreFault) {
        guard let backup = sqlite3_backup_init(target.database, "main", database, "main") else {
            throw target.fault(sqlite3_errcode(target.database))
        }
        let code = sqlite3_backup_step(backup, -1)
        let end = sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE, end == SQLITE_OK else { throw target.fault(code == SQLITE_DONE ? end : code) }
    }

    // MARK: faults

    private func fault(_ code: Int32) -> EffectStoreFault { Connection.fault(code, database, path, access) }

    private static func fault(_ code: Int32, _ database: OpaquePointer?, _ path: String, _ access: Access) -> EffectStoreFault {
        // SQLite forgets the system's word where a commit is refused.
        let last = errno
        let system = database.map { sqlite3_system_errno($0) == 0 ? last : sqlite3_system_errno($0) } ?? last
        if case .writing = access {} else if let fault = ofLog(code & 0xFF, system, path) { return fault }
        switch code & 0xFF {
        case SQLITE_NOTADB: return .foreign(path)
        case SQLITE_CORRUPT: return .damaged(path, "a part of it cannot be read")
        case SQLITE_FULL: return .full(path, EffectStoreFault.words(ENOSPC))
        case SQLITE_IOERR where [ENOSPC, EDQUOT, EFBIG].contains(system): return .full(path, EffectStoreFault.words(system))
        case SQLITE_READONLY, SQLITE_PERM: return .readOnly(path, "it may only be read")
        case SQLITE_BUSY, SQLITE_LOCKED: return .locked(path)
        case SQLITE_CANTOPEN where system != 0: return .refused(path, system)
        default: break
        }
        let words = sqlite3_errstr(code).map { String(cString: $0) } ?? "error \(code)"
        return .failed(path, system == 0 ? words : "\(words), \(EffectStoreFault.words(system))")
    }

    /// Whoever reads has to make or map the index of the log, where there is a log.
    private static func ofLog(_ code: Int32, _ system: Int32, _ path: String) -> EffectStoreFault? {
        let isFull = [ENOSPC, EDQUOT, EFBIG].contains(system)
        switch code {
        case SQLITE_FULL: return .noRoomToRead(path, EffectStoreFault.words(isFull ? system : ENOSPC))
        case SQLITE_IOERR where isFull, SQLITE_CANTOPEN where isFull: return .noRoomToRead(path, EffectStoreFault.words(system))
        case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM: return .logUnreadable(path)
        default: return nil
        }
    }

    /// A path may hold every character, an address may not.
    private static func address(of path: String) -> String {
        var address = path.hasPrefix("/") ? "file://" : "file:"
        for character in path.unicodeScalars {
            switch character {
            case "?": address += "%3f"
            case "#": address += "%23"
            case "%": address += "%25"
            default: address.unicodeScalars.append(character)
            }
        }
        return address
    }
}
