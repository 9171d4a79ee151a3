// One app's state as a JSON file: what `--state-file` reads and `--apply` writes.
public import JSONDocument
public import RuleEngine

public enum StateFile {
    /// Bytes of a state file.
    private static let largest = 64 << 20
    /// Of one that a store takes, which knows more people than a file is made for.
    public static let largestImport = 1 << 30
    /// Containers inside each other. A message, a device and a value may have 64; around them stand those of the file.
    private static let deepest = 64 + 16

    /// - Parameters:
    ///   - mayBeMissing: a file that is not there is an empty state.
    ///   - limit: in bytes.
    ///   - ifMissing: what to do about a file that is not there.
    public static func read(
        _ path: String, mayBeMissing: Bool = false, limit: Int? = nil, ifMissing: String = "begin with a file that holds {}"
    ) throws(StoreFault) -> AppState {
        let limit = limit ?? largest
        let bytes: [UInt8]
        do {
            bytes = try FileBytes.read(path, limit: limit)
        } catch {
            if mayBeMissing, error.isMissingFile { return AppState() }
            throw unreadable(path, error, limit, ifMissing)
        }
        return try parse(bytes, path: path, limit: limit)
    }

    /// A value for one key, as compact JSON.
    /// - Parameters:
    ///   - root: of `bytes`.
    ///   - path: what faults call it.
    public static func value(_ root: JSONValue, in bytes: [UInt8], path: String) throws(StoreFault) -> [UInt8] {
        do {
            return try StateBounds.json(root, .root)
        } catch {
            throw invalid(error, of: root, in: bytes, path)
        }
    }

    private static func invalid(_ fault: StateFault, of root: JSONValue, in bytes: [UInt8], _ path: String) -> StoreFault {
        let place = TextPlace(of: fault, in: bytes)
        return StoreFault(
            .stateInvalid, path: path, line: place.line, column: place.column, message: fault.message, hint: fault.hint,
            pointer: root.pointer(to: fault.offset))
    }

    /// - Parameter path: what faults call it.
    public static func parse(_ bytes: [UInt8], path: String, limit: Int? = nil) throws(StoreFault) -> AppState {
        let document = JSONDocument()
        do {
            try document.read(bytes, limit: limit ?? largest, depth: deepest)
        } catch {
            throw StoreFault(
                .stateInvalid, path: path, line: error.line, column: error.column, message: error.message, hint: error.hint)
        }
        guard let root = document.root else { return AppState() }
        do {
            return try StateReader.file(root)
        } catch {
            throw invalid(error, of: root, in: bytes, path)
        }
    }

    /// All of it or nothing: a reader meets the old state or the new.
    public static func write(_ state: AppState, to path: String) throws(StoreFault) {
        try write(state, to: path, limit: largest)
    }

    /// - Parameter limit: in bytes; a state with more is not written, because nobody could read it again.
    static func write(_ state: AppState, to path: String, limit: Int) throws(StoreFault) {
        let bytes = StateWriter.file(state)
        guard bytes.count <= limit else {
            throw notWritten(
                path, because: "it would have \(bytes.count) bytes, more than the \(limit) that are read again",
                hint: "\(lost); \(StateWeight.words(state))")
        }
        do {
            try FileBytes.replace(path, with: bytes)
        } catch {
            throw notWritten(path, error, hint: lost)
        }
    }

    private static let lost = "the file is as it was: what has been answered is not remembered"

    static func notWritten(_ path: String, _ failure: FileBytes.Failure, hint: String? = nil) -> StoreFault {
        notWritten(path, because: failure.systemReason ?? "it is not a file", hint: hint)
    }

    static func notWritten(_ path: String, because reason: String, hint: String? = nil) -> StoreFault {
        StoreFault(.stateNotWritten, path: path, message: "the state cannot be written: \(reason)", hint: hint)
    }

    private static func unreadable(_ path: String, _ failure: FileBytes.Failure, _ limit: Int, _ ifMissing: String) -> StoreFault {
        let reason =
            switch failure {
            case .system: failure.systemReason ?? ""
            case .notAFile: "it is not a file"
            case .tooLarge: "it has more than \(limit) bytes"
            }
        return StoreFault(
            .stateUnreadable, path: path, message: "the state cannot be read: \(reason)",
            hint: failure.isMissingFile ? ifMissing : nil)
    }
}
