// Asks git, which knows how a repository is made; nothing of it is read here. One question is one short process: no shell,
// no terminal, no network, words that git understands the same way in every language.
import Glibc

struct GitProcess {
    enum Failure: Error, Equatable {
        /// There is no git.
        case missing
        case system(Int32)
        /// It said no; the first line of what it said.
        case refused(String)
        case tooLarge
    }

    /// Git works in this folder.
    let folder: String

    /// What of the surroundings git needs to find its settings and its repository.
    private static let kept = ["PATH", "HOME", "XDG_CONFIG_HOME", "GIT_DIR", "GIT_WORK_TREE", "GIT_CEILING_DIRECTORIES"]

    /// What git writes.
    /// - Parameters:
    ///   - input: no more than a pipe holds, 64 KiB.
    ///   - limit: in bytes of the answer.
    func run(_ words: [String], input: [UInt8] = [], limit: Int = 1 << 20) throws(Failure) -> [UInt8] {
        var pipes = Pipes()
        defer { pipes.close() }
        guard pipes.open() else { throw .system(errno) }
        try pipes.fill(input)
        let child = try spawn(["git", "-C", folder] + words, pipes)
        pipes.closeChildEnds()
        let output = pipes.read(limit: limit)
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 { guard errno == EINTR else { throw .system(errno) } }
        guard let output else { throw .tooLarge }
        // An exit is the second byte, and the first is 0.
        guard status == 0 else { throw .refused(GitProcess.firstLine(output.errors)) }
        return output.answer
    }

    private func spawn(_ words: [String], _ pipes: Pipes) throws(Failure) -> pid_t {
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_adddup2(&files, pipes.input.read, 0)
        posix_spawn_file_actions_adddup2(&files, pipes.answer.write, 1)
        posix_spawn_file_actions_adddup2(&files, pipes.errors.write, 2)
        var surroundings = ["LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1"]
        for name in GitProcess.kept { if let value = getenv(name) { surroundings.append("\(name)=\(String(cString: value))") } }
        var child = pid_t()
        let failed = CText.withPointers(words) { words in
            CText.withPointers(surroundings) { surroundings in posix_spawnp(&child, "git", &files, nil, words, surroundings) }
        }
        guard failed != ENOENT else { throw .missing }
        guard failed == 0 else { throw .system(failed) }
        return child
    }

    private static func firstLine(_ text: [UInt8]) -> String {
        let line = String(decoding: text.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return line.hasPrefix("fatal: ") ? String(line.dropFirst(7)) : line
    }
}

/// Lists of texts as C wants them.
private enum CText {
    static func withPointers<Result>(_ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result) -> Result {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}

/// Three pipes, each with an end for the child.
private struct Pipes {
    struct Ends {
        var read: Int32 = -1
        var write: Int32 = -1

        mutating func open() -> Bool {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { return false }
            (read, write) = (ends[0], ends[1])
            // Children that somebody else starts have nothing to do with it.
            return fcntl(read, F_SETFD, FD_CLOEXEC) == 0 && fcntl(write, F_SETFD, FD_CLOEXEC) == 0
        }

        mutating func closeRead() {
            if read >= 0 { Glibc.close(read) }
            read = -1
        }
        mutating func closeWrite() {
            if write >= 0 { Glibc.close(write) }
            write = -1
        }
    }

    var input = Ends()
    var answer = Ends()
    var errors = Ends()

    mutating func open() -> Bool { input.open() && answer.open() && errors.open() }

    mutating func close() {
        closeChildEnds()
        input.closeWrite()
        answer.closeRead()
        errors.closeRead()
    }

    mutating func closeChildEnds() {
        input.closeRead()
        answer.closeWrite()
        errors.closeWrite()
    }

    /// All of the input lies in its pipe before there is a child.
    mutating func fill(_ bytes: [UInt8]) throws(GitProcess.Failure) {
        defer { input.closeWrite() }
        guard bytes.count <= 65_536 else { throw .tooLarge }
        guard bytes.isEmpty || Glibc.write(input.write, bytes, bytes.count) == bytes.count else { throw .system(errno) }
    }

    /// Both answers to their ends; nil when there is more of one than `limit`. The child is then stopped by its closed pipe.
    mutating func read(limit: Int) -> (answer: [UInt8], errors: [UInt8])? {
        var texts: (answer: [UInt8], errors: [UInt8]) = ([], [])
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while answer.read >= 0 || errors.read >= 0 {
            var waits = [
                pollfd(fd: answer.read, events: Int16(POLLIN), revents: 0), pollfd(fd: errors.read, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&waits, 2, -1) >= 0 || errno == EINTR else { return nil }
            if waits[0].revents != 0 {
                let count = Glibc.read(answer.read, &chunk, chunk.count)
                if count > 0 { texts.answer += chunk[..<count] } else { answer.closeRead() }
            }
            if waits[1].revents != 0 {
                let count = Glibc.read(errors.read, &chunk, chunk.count)
                if count > 0 { texts.errors += chunk[..<count] } else { errors.closeRead() }
            }
            guard texts.answer.count <= limit, texts.errors.count <= limit else {
                answer.closeRead()
                errors.closeRead()
                return nil
            }
        }
        return texts
    }
}
