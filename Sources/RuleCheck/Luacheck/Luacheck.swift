// Asks luacheck, which knows Lua better than the rule language: unused variables, hidden ones, lines that are never run. One
// process for all apps, with the settings that `docs editor` writes, bounded in output and time, no shell.
import Glibc
import RuleEngine
import RuleReference
public import RuleStore

public enum Luacheck {
    public enum Outcome: Sendable {
        /// By app.
        case ran([String: [LuacheckRemark]])
        /// It is not installed.
        case missing
        /// It gave no answer that can be read; why, without a full stop.
        case failed(String)
    }

    /// Bytes of an answer.
    private static let longestAnswer = 4 << 20
    private static let seconds = 60

    /// - Parameter apps: their names.
    public static func run(on apps: [String], in folder: RulesFolder, program: String = "luacheck") throws(StoreFault) -> Outcome {
        var paths: [(path: String, app: String, file: String)] = []
        let root = folder.path.hasSuffix("/") ? String(folder.path.dropLast()) : folder.path
        for app in apps {
            for file in try folder.files(of: app) {
                let isShared = file.path.hasPrefix("_shared/")
                let path = isShared ? "\(root)/\(file.path)" : "\(root)/\(app)/\(file.path)"
                // What all apps share is told once.
                guard !isShared || !paths.contains(where: { $0.path == path }) else { continue }
                paths.append((path, app, file.path))
            }
        }
        guard !paths.isEmpty else { return .ran([:]) }
        guard let settings = EditorFiles.all.first(where: { $0.path == ".luacheckrc" })?.text else {
            return .failed("there are no settings for it")
        }
        let words =
            [
                program, "--config", "/dev/stdin", "--no-cache", "--no-color", "--codes", "--ranges", "--formatter", "plain", "--ignore",
                "1", "6", "--",
            ]
            + paths.map(\.path)
        do throws(ChildAnswer.Failure) {
            let answer = try ChildAnswer.of(words, input: Array(settings.utf8), limit: longestAnswer, seconds: seconds)
            // 0 nothing found, 1 warnings, 2 errors: files that are not Lua are told by the loader.
            guard answer.exitCode <= 2 else { return .failed("it ended with code \(answer.exitCode): \(answer.firstError)") }
            return .ran(read(answer.output, paths))
        } catch {
            switch error {
            case .missing: return .missing
            case .system(let code): return .failed("it cannot be started: \(String(cString: strerror(code)))")
            case .tooLong: return .failed("its answer has more than \(longestAnswer) bytes")
            case .tooSlow: return .failed("it gave no answer within \(seconds) seconds")
            }
        }
    }

    private static func read(_ output: [UInt8], _ paths: [(path: String, app: String, file: String)]) -> [String: [LuacheckRemark]] {
        var remarks: [String: [LuacheckRemark]] = [:]
        for line in String(decoding: output, as: UTF8.self).split(separator: "\n") {
            guard let (app, remark) = LuacheckRemark.read(line, among: paths) else { continue }
            remarks[app, default: []].append(remark)
        }
        return remarks
    }
}
