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
    private static let said = ["LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1"]

    /// What git writes.
    /// - Parameters:
    ///   - input: no more than a pipe holds, 64 KiB.
    ///   - limit: in bytes of the answer.
    func run(_ words: [String], input: [UInt8] = [], limit: Int = 1 << 20) throws(Failure) -> [UInt8] {
        let answer: ChildAnswer
        do throws(ChildAnswer.Failure) {
            answer = try ChildAnswer.of(
                ["git", "-C", folder] + words, input: input, limit: limit, surroundings: GitProcess.said, keeping: GitProcess.kept)
        } catch {
            switch error {
            case .missing: throw .missing
            case .system(let code): throw .system(code)
            case .tooLong: throw .tooLarge
            case .tooSlow: throw .system(ETIMEDOUT)
            }
        }
        guard answer.exitCode == 0 else { throw .refused(GitProcess.firstLine(answer.firstError)) }
        return answer.output
    }

    private static func firstLine(_ line: String) -> String { line.hasPrefix("fatal: ") ? String(line.dropFirst(7)) : line }
}
