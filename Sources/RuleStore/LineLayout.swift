// Traffic laid out: one value a line. Reads the file once to see whether anything would change, and a second time to
// write; memory holds one line.
import Glibc
import JSONDocument

struct LineLayout {
    private let path: String

    init(_ path: String) { self.path = path }

    func lay(writing: Bool) throws(FileLayout.Failure) -> FileLayout.Outcome {
        var differs = false
        try forEachLine { laidOut, line in if laidOut != line { differs = true } }
        guard differs else { return .same }
        if writing { try write() }
        return .differs
    }

    private func write() throws(FileLayout.Failure) {
        var failure: FileLayout.Failure?
        do {
            try FileBytes.replace(path) { (file) throws(FileBytes.Failure) in
                var out: [UInt8] = []
                do throws(FileLayout.Failure) {
                    try forEachLine { laidOut, _ throws(FileLayout.Failure) in
                        out += laidOut
                        guard out.count > 1 << 20 else { return }
                        try flush(&out, to: file)
                    }
                    try flush(&out, to: file)
                } catch {
                    failure = error
                    throw .system(EIO)
                }
            }
        } catch {
            throw failure
                ?? .store(
                    StoreFault(.fileNotWritten, path: path, message: "it cannot be written: \(error.systemReason ?? "it is not a file")"))
        }
    }

    private func flush(_ out: inout [UInt8], to file: Int32) throws(FileLayout.Failure) {
        do {
            try FileBytes.write(out, to: file)
        } catch {
            throw .store(StoreFault(.fileNotWritten, path: path, message: "it cannot be written: \(error.systemReason ?? "")"))
        }
        out.removeAll(keepingCapacity: true)
    }

    /// Calls `body` with each line laid out, its newline included, and as it stands; an empty line is laid out as nothing.
    private func forEachLine(_ body: (_ laidOut: [UInt8], _ line: [UInt8]) throws(FileLayout.Failure) -> Void) throws(FileLayout.Failure) {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw FileLayout.notRead(path, .system(errno)) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw FileLayout.notRead(path, .notAFile) }
        let document = JSONDocument()
        var line: [UInt8] = []
        var number = 1
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(file, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileLayout.notRead(path, .system(errno)) }
            if count == 0 { break }
            var rest = chunk[..<count]
            while let newline = rest.firstIndex(of: 0x0A) {
                line += rest[...newline]
                try body(try laidOut(line, number, document), line)
                line.removeAll(keepingCapacity: true)
                number += 1
                rest = rest[(newline + 1)...]
            }
            line += rest
            guard line.count <= FileLayout.largest else {
                throw .unreadable(
                    path: path, text: [], line: number, JSONFault(code: .tooLarge, offset: FileLayout.largest, line: 1, column: 1))
            }
        }
        if !line.isEmpty { try body(try laidOut(line, number, document), line) }
    }

    private func laidOut(_ line: [UInt8], _ number: Int, _ document: JSONDocument) throws(FileLayout.Failure) -> [UInt8] {
        guard line.contains(where: { $0 > 0x20 }) else { return [] }
        return try FileLayout.line(line, number: number, path: path, document) + [0x0A]
    }
}
