// How often each line of some files ran. One record serves all machines that an app goes through: a machine that was stopped is
// made anew, and its runs count on. Made by whoever measures; belongs to one thread, as its machines do.
internal import CLuaGuard

/// Lines of a file that can run.
public struct ExecutableLines: Sendable, Equatable {
    /// In functions, from 1.
    public var ofFunctions: Set<Int> = []
    /// When the file is loaded.
    public var ofLoad: Set<Int> = []

    /// - Parameter source: a text that a machine has loaded; of any other there are none.
    public init(of source: [UInt8]) {
        var marks = [UInt8](repeating: 0, count: source.count { $0 == 0x0A } + 1)
        let code = unsafe source.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return CInt(LG_OK) }
            return unsafe marks.withUnsafeMutableBufferPointer { marks in
                unsafe lg_executable_lines(
                    start.assumingMemoryBound(to: CChar.self), bytes.count, marks.baseAddress, UInt32(marks.count))
            }
        }
        guard code == LG_OK else { return }
        for (place, mark) in marks.enumerated() {
            if Int(mark) & LG_LINE_OF_FUNCTION != 0 { ofFunctions.insert(place + 1) }
            if Int(mark) & LG_LINE_OF_LOAD != 0 { ofLoad.insert(place + 1) }
        }
    }
}

// SAFETY: the handle is the class's own. C keeps a counter for each line and touches nothing else.
@safe public final class LineCounts {
    let handle: OpaquePointer
    private let files: [String]

    /// - Parameter files: by the names that machines run them under.
    /// - Throws: `machine_dead` when there is no memory for it.
    public init(_ files: [(name: String, source: [UInt8])]) throws(ScriptFault) {
        guard let made = unsafe lg_line_counts_new() else { throw LineCounts.noMemory }
        unsafe handle = made
        self.files = files.map(\.name)
        for file in files {
            let lines = file.source.count { $0 == 0x0A } + 1
            guard unsafe lg_line_counts_add(made, file.name, UInt32(clamping: lines)) != 0 else { throw LineCounts.noMemory }
        }
    }

    deinit { unsafe lg_line_counts_free(handle) }

    private static let noMemory = ScriptFault(
        code: .machineDead, file: "", line: 0, message: "there is no memory for a counter of lines", isFinal: true)

    /// How often a line of a function ran while messages were decided.
    public func hits(of file: String, line: Int) -> Int {
        guard let place = files.firstIndex(of: file) else { return 0 }
        return Int(unsafe lg_line_counts_hits(handle, place, UInt32(clamping: line)))
    }

    /// Whether a line of a function ran in a load.
    public func ranInLoad(_ file: String, line: Int) -> Bool {
        guard let place = files.firstIndex(of: file) else { return false }
        return unsafe lg_line_counts_loaded(handle, place, UInt32(clamping: line)) != 0
    }
}
