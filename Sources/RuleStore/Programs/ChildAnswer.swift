// One question to another program: its words, what it reads, what it answers. No shell, no terminal, and bounds on what it
// writes and on its time. Used for git and for luacheck; it knows nothing of either.
import Glibc

package struct ChildAnswer: Sendable {
    package enum Failure: Error, Equatable {
        /// There is no such program.
        case missing
        case system(Int32)
        /// It wrote more than it may.
        case tooLong
        /// It did not end in time.
        case tooSlow
    }

    package let output: [UInt8]
    package let exitCode: Int
    /// The first line that it wrote to standard error.
    package let firstError: String

    /// - Parameters:
    ///   - words: the program, looked for in PATH, and its arguments.
    ///   - input: no more than a pipe holds, 64 KiB.
    ///   - limit: in bytes of each of its two outputs.
    ///   - seconds: nil: as long as it takes.
    ///   - surroundings: variables that it sees, "NAME=value".
    ///   - kept: names of our own variables that it sees as well.
    package static func of(
        _ words: [String], input: [UInt8] = [], limit: Int, seconds: Int? = nil, surroundings: [String] = ["LC_ALL=C.UTF-8"],
        keeping kept: [String] = ["PATH", "HOME"]
    ) throws(Failure) -> ChildAnswer {
        var pipes = Pipes()
        defer { pipes.close() }
        guard pipes.open() else { throw .system(errno) }
        try pipes.fill(input)
        let own = kept.compactMap { name in getenv(name).map { "\(name)=\(String(cString: $0))" } }
        let child = try spawn(words, surroundings + own, pipes)
        pipes.closeChildEnds()
        do throws(Failure) {
            let texts = try pipes.read(limit: limit, seconds: seconds)
            let status = try wait(for: child)
            // An exit is the second byte, and the first is 0; what was ended by a signal has failed.
            let line = String(decoding: texts.errors.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
            return ChildAnswer(output: texts.answer, exitCode: status & 0x7F == 0 ? Int(status >> 8) & 0xFF : 255, firstError: line)
        } catch {
            pipes.close()
            kill(child, SIGKILL)
            _ = try wait(for: child)
            throw error
        }
    }

    private static func wait(for child: pid_t) throws(Failure) -> Int32 {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 { guard errno == EINTR else { throw .system(errno) } }
        return status
    }

    private static func spawn(_ words: [String], _ surroundings: [String], _ pipes: Pipes) throws(Failure) -> pid_t {
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_adddup2(&files, pipes.input.read, 0)
        posix_spawn_file_actions_adddup2(&files, pipes.answer.write, 1)
        posix_spawn_file_actions_adddup2(&files, pipes.errors.write, 2)
        var child = pid_t()
        let failed = CText.withPointers(words) { words in
            CText.withPointers(surroundings) { surroundings in posix_spawnp(&child, words[0]!, &files, nil, words, surroundings) }
        }
        guard failed != ENOENT else { throw .missing }
        guard failed == 0 else { throw .system(failed) }
        return child
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
    mutating func fill(_ bytes: [UInt8]) throws(ChildAnswer.Failure) {
        defer { input.closeWrite() }
        guard bytes.count <= 65_536 else { throw .tooLong }
        guard bytes.isEmpty || Glibc.write(input.write, bytes, bytes.count) == bytes.count else { throw .system(errno) }
    }

    /// Both answers to their ends. Whoever stops early closes the pipes, by which the child ends.
    mutating func read(limit: Int, seconds: Int?) throws(ChildAnswer.Failure) -> (answer: [UInt8], errors: [UInt8]) {
        var texts: (answer: [UInt8], errors: [UInt8]) = ([], [])
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        let end = seconds.map { Pipes.now + $0 * 1000 }
        while answer.read >= 0 || errors.read >= 0 {
            var waits = [
                pollfd(fd: answer.read, events: Int16(POLLIN), revents: 0), pollfd(fd: errors.read, events: Int16(POLLIN), revents: 0),
            ]
            let left = end.map { max(0, $0 - Pipes.now) }
            let ready = poll(&waits, 2, left.map { Int32(clamping: $0) } ?? -1)
            guard ready >= 0 || errno == EINTR else { throw .system(errno) }
            if ready == 0 { throw .tooSlow }
            if waits[0].revents != 0 {
                let count = Glibc.read(answer.read, &chunk, chunk.count)
                if count > 0 { texts.answer += chunk[..<count] } else { answer.closeRead() }
            }
            if waits[1].revents != 0 {
                let count = Glibc.read(errors.read, &chunk, chunk.count)
                if count > 0 { texts.errors += chunk[..<count] } else { errors.closeRead() }
            }
            guard texts.answer.count <= limit, texts.errors.count <= limit else { throw .tooLong }
        }
        return texts
    }

    /// Milliseconds of a clock that only goes on.
    private static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int(time.tv_sec) * 1000 + Int(time.tv_nsec) / 1_000_000
    }
}
