// Where a message, a device or a state comes from, and how all of its bytes are read. Lines are read by LineReader.
import Glibc

enum InputSource: Equatable {
    case standardInput
    case file(String)
    /// JSON that stands on the command line itself.
    case text(String, name: String)

    /// `word` is "-", JSON (it begins with "{"), or the name of a file.
    init(_ word: String, name: String) {
        if word == "-" {
            self = .standardInput
        } else if word.utf8.first(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }) == UInt8(ascii: "{") {
            self = .text(word, name: name)
        } else {
            self = .file(word)
        }
    }

    /// As faults name it.
    var name: String {
        switch self {
        case .standardInput: "standard input"
        case .file(let path): path
        case .text(_, let name): name
        }
    }

    /// One document a line, says the name.
    var isNamedAsLines: Bool {
        guard case .file(let path) = self else { return false }
        return path.hasSuffix(".ndjson") || path.hasSuffix(".jsonl")
    }

    /// An open descriptor to read from; nil for text.
    func open() throws(CommandFault) -> Int32? {
        switch self {
        case .standardInput: return 0
        case .text: return nil
        case .file(let path):
            let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw .unreadableFile(path: path, errno: errno) }
            return descriptor
        }
    }

    func close(_ descriptor: Int32) {
        if case .file = self { Glibc.close(descriptor) }
    }

    /// All bytes, but no more than `limit` and one: whoever checks the size sees that there were too many.
    func bytes(limit: Int) throws(CommandFault) -> [UInt8] {
        if case .text(let text, _) = self { return Array(text.utf8.prefix(limit + 1)) }
        guard let descriptor = try open() else { return [] }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 16_384)
        while bytes.count <= limit {
            let count = read(descriptor, &block, min(block.count, limit + 1 - bytes.count))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .unreadableFile(path: name, errno: errno) }
            if count == 0 { break }
            bytes.append(contentsOf: block[..<count])
        }
        return bytes
    }

    /// All bytes of a file that is of use as a whole only: what was cut off could be what matters.
    static func whole(_ path: String, limit: Int) throws(CommandFault) -> [UInt8] {
        let bytes = try InputSource.file(path).bytes(limit: limit)
        guard bytes.count <= limit else { throw .fileTooLong(path: path, limit: limit) }
        return bytes
    }

    /// For whoever reads it while others wait: a pipe may never answer.
    static func mustBeFile(_ path: String) throws(CommandFault) {
        guard !isDescriptor(path) else { throw .notAFile(path: path) }
        var status = stat()
        guard stat(path, &status) == 0 else { throw .unreadableFile(path: path, errno: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
    }

    /// Whether it leads to a number like /dev/fd/3. By now that may be something else: a file whose locks would be lost by closing it.
    private static func isDescriptor(_ path: String) -> Bool {
        var path = path
        // As many links as the system follows.
        for _ in 0..<40 {
            let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "./"
            guard let real = realpath(String(folder), nil) else { return false }
            defer { free(real) }
            let name = String(cString: real)
            if name.hasPrefix("/proc/"), name.hasSuffix("/fd") { return true }
            var text = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink(path, &text, text.count)
            guard count > 0 else { return false }
            let next = String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
            path = next.hasPrefix("/") ? next : folder + next
        }
        return true
    }
}
