// A file laid out anew in place. Traffic may be longer than memory: it goes line by line into a new file, which takes the
// place of the old one only when something differs.
import Glibc
public import JSONDocument

public enum FileLayout {
    public enum Outcome: Sendable { case same, differs }

    public enum Failure: Error, Sendable {
        case store(StoreFault)
        /// There is no such file, or it cannot be read.
        case notRead(path: String, errno: Int32)
        /// `line` is the line of `text` in its file, from 1.
        case unreadable(path: String, text: [UInt8], line: Int, JSONFault)
    }

    /// Bytes of a document, or of one line.
    public static let largest = 16 << 20
    private static let deepest = 256

    /// - Parameter writing: false: only say whether it would differ.
    public static func lay(out path: String, writing: Bool) throws(Failure) -> Outcome {
        if JSONFiles.isOfLines(path) { return try LineLayout(path).lay(writing: writing) }
        let bytes = try read(path)
        let laidOut = try laidOut(bytes, asLines: false, path: path)
        guard laidOut != bytes else { return .same }
        if writing {
            do throws(StoreFault) {
                try WrittenFiles.write(laidOut, to: path)
            } catch {
                throw .store(error)
            }
        }
        return .differs
    }

    /// - Parameter asLines: nil: as the text looks, several values are lines.
    public static func laidOut(_ bytes: [UInt8], asLines: Bool?, path: String) throws(Failure) -> [UInt8] {
        let document = JSONDocument()
        do throws(JSONFault) {
            try document.read(bytes, limit: largest, depth: deepest)
            return asLines == true ? JSONLayout.line(bytes) + [0x0A] : JSONLayout.document(bytes)
        } catch {
            guard asLines == nil, error.code == .trailing else { throw .unreadable(path: path, text: bytes, line: 1, error) }
        }
        var out: [UInt8] = []
        for (place, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated()
        where line.contains(where: { $0 > 0x20 }) {
            out += try FileLayout.line(Array(line), number: place + 1, path: path, document) + [0x0A]
        }
        return out
    }

    static func line(_ line: [UInt8], number: Int, path: String, _ document: JSONDocument) throws(Failure) -> [UInt8] {
        do throws(JSONFault) {
            try document.read(line, limit: largest, depth: deepest)
        } catch {
            throw .unreadable(path: path, text: line, line: number, error)
        }
        return JSONLayout.line(line)
    }

    private static func read(_ path: String) throws(Failure) -> [UInt8] {
        do {
            return try FileBytes.read(path, limit: largest)
        } catch {
            throw notRead(path, error)
        }
    }

    static func notRead(_ path: String, _ failure: FileBytes.Failure) -> Failure {
        switch failure {
        case .system(let code): .notRead(path: path, errno: code)
        // A pipe or a device, which cannot be replaced.
        case .notAFile: .notRead(path: path, errno: EINVAL)
        case .tooLarge: .unreadable(path: path, text: [], line: 1, JSONFault(code: .tooLarge, offset: largest, line: 1, column: 1))
        }
    }
}
