// The rules folder as a git revision has it: what `RulesFolder` is for the disk. Read out of the repository into memory;
// the work tree is neither looked at nor touched.
import Glibc
public import RuleEngine

public struct RevisionFolder: Sendable {
    /// As the caller gave it: a branch, a tag, a commit, `HEAD~2`.
    public let revision: String
    /// The commit's hash.
    public let commit: String
    /// Where the rules folder stands in the repository: "rules/"; "" at its top.
    private let prefix: String
    private let git: GitProcess
    private let limits: LoadLimits

    /// Finds a revision in the repository that holds a folder.
    /// - Parameter folder: of rules, on disk.
    public init(_ revision: String, of folder: RulesFolder, limits: LoadLimits = LoadLimits()) throws(StoreFault) {
        self.revision = revision
        self.limits = limits
        git = GitProcess(folder: folder.path)
        do throws(GitProcess.Failure) {
            prefix = RevisionFolder.line(try git.run(["rev-parse", "--show-prefix"]))
        } catch {
            throw RevisionFolder.fault(error, revision, "there is no such folder, and \(folder.path) is in no git repository")
        }
        do throws(GitProcess.Failure) {
            commit = RevisionFolder.line(try git.run(["rev-parse", "--verify", "--quiet", "--end-of-options", "\(revision)^{commit}"]))
        } catch {
            throw RevisionFolder.fault(
                error, revision, "there is no such folder, and the repository that holds \(folder.path) has no such revision")
        }
    }

    /// "main:rules", as git writes it.
    public var path: String { prefix.isEmpty ? "\(revision):" : "\(revision):\(prefix.dropLast())" }
    /// "main (3f2a9c41)", or the hash alone.
    public var name: String {
        let short = String(commit.prefix(8))
        return commit.hasPrefix(revision) ? short : "\(revision) (\(short))"
    }

    /// The names of all apps, sorted.
    public func apps() throws(StoreFault) -> [String] {
        let folders = try entries(below: "", recursively: false).filter { $0.kind == .folder }.map(\.path)
        return folders.filter(RulesFolder.isAppName)
    }

    /// The Lua files of an app and the shared modules, with the paths and in the order in which `RulesFolder` has them.
    public func files(of app: String) throws(StoreFault) -> [SourceFile] {
        let apps = try apps()
        guard apps.contains(app) else {
            throw StoreFault(
                .appUnknown, path: "\(path)/\(app)", message: "there is no app \"\(app)\" in \(path)",
                hint: apps.isEmpty ? "the folder has no apps" : "its apps: \(apps.prefix(20).joined(separator: ", "))")
        }
        var wanted: [(path: String, entry: Entry)] = []
        for entry in try entries(below: "\(app)/", recursively: true) where RevisionFolder.isSource(entry.path) {
            // An app's own files stand at its top and in lib.
            guard !entry.path.contains("/") || entry.path.hasPrefix("lib/") else { continue }
            wanted.append((entry.path, entry))
        }
        wanted.sort { !$0.path.hasPrefix("lib/") && $1.path.hasPrefix("lib/") }
        for entry in try entries(below: "_shared/lib/", recursively: true) where RevisionFolder.isSource(entry.path) {
            wanted.append(("_shared/lib/\(entry.path)", entry))
        }
        return try contents(of: wanted, app: app)
    }

    private static func isSource(_ path: String) -> Bool {
        path.hasSuffix(".lua") && !path.split(separator: "/").contains { $0.hasPrefix(".") }
    }

    // MARK: git's answers

    private struct Entry {
        enum Kind { case file, folder, link, other }
        let kind: Kind
        let id: String
        /// Below what was asked for.
        let path: String
    }

    /// `MODE TYPE HASH\tPATH`, each with a zero byte behind it. Sorted by the bytes of their paths.
    private func entries(below folder: String, recursively: Bool) throws(StoreFault) -> [Entry] {
        let base = prefix + folder
        let answer: [UInt8]
        do throws(GitProcess.Failure) {
            let words = ["ls-tree", "-z", "--full-tree"] + (recursively ? ["-r"] : []) + [commit] + (base.isEmpty ? [] : [base])
            answer = try git.run(words, limit: 4 << 20)
        } catch {
            throw unreadable(error)
        }
        var entries: [Entry] = []
        for line in answer.split(separator: 0) {
            let text = String(decoding: line, as: UTF8.self)
            guard let tab = text.firstIndex(of: "\t") else { continue }
            let words = text[..<tab].split(separator: " ")
            let path = text[text.index(after: tab)...]
            guard words.count == 3, path.hasPrefix(base) else { continue }
            let kind: Entry.Kind =
                switch (words[0], words[1]) {
                case ("120000", _): .link
                case (_, "blob"): .file
                case (_, "tree"): .folder
                default: .other
                }
            entries.append(Entry(kind: kind, id: String(words[2]), path: String(path.dropFirst(base.count))))
        }
        if folder.isEmpty, entries.isEmpty {
            throw StoreFault(
                .rulesMissing, path: path, message: "\(name) has no folder \(prefix.dropLast())",
                hint: "name the folder that holds the apps with --rules; it must stand in that revision, too")
        }
        return entries.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    private func contents(of wanted: [(path: String, entry: Entry)], app: String) throws(StoreFault) -> [SourceFile] {
        guard wanted.count <= limits.files else {
            throw StoreFault(.tooManyFiles, path: "\(path)/\(app)", message: "the app has more than \(limits.files) Lua files")
        }
        for (path, entry) in wanted where entry.kind != .file {
            throw StoreFault(
                .fileUnreadable, path: place(of: path, app), message: "it is a link, and links are not followed in a revision",
                hint: "copy the file, or share modules in _shared/lib")
        }
        guard !wanted.isEmpty else { return [] }
        let answer: [UInt8]
        do throws(GitProcess.Failure) {
            let names = wanted.map { $0.entry.id + "\n" }.joined()
            answer = try git.run(["cat-file", "--batch"], input: Array(names.utf8), limit: limits.bytes + wanted.count * 128)
        } catch .tooLarge {
            throw StoreFault(
                .appTooLarge, path: "\(path)/\(app)", message: "the app's Lua files have more than \(limits.bytes) bytes together")
        } catch {
            throw unreadable(error)
        }
        return try split(answer, wanted, app)
    }

    /// `HASH blob SIZE`, a line end, the bytes, a line end; once for each file that was asked for.
    private func split(_ answer: [UInt8], _ wanted: [(path: String, entry: Entry)], _ app: String) throws(StoreFault) -> [SourceFile] {
        var files: [SourceFile] = []
        var rest = answer[...]
        for (path, entry) in wanted {
            let head = String(decoding: rest.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
            let words = head.split(separator: " ")
            guard words.count == 3, words[0] == entry.id, let size = Int(words[2]), rest.count >= head.utf8.count + size + 2 else {
                throw unreadable(.refused("git did not give the file \(path)"))
            }
            guard size <= limits.fileBytes else {
                throw StoreFault(
                    .fileTooLarge, path: place(of: path, app),
                    message: "the file has more than the \(limits.fileBytes) bytes that are allowed",
                    hint: "split it into several files")
            }
            rest = rest.dropFirst(head.utf8.count + 1)
            files.append(SourceFile(path: path, bytes: Array(rest.prefix(size))))
            rest = rest.dropFirst(size + 1)
        }
        return files
    }

    private func place(of file: String, _ app: String) -> String {
        file.hasPrefix("_shared/") ? "\(path)/\(file)" : "\(path)/\(app)/\(file)"
    }

    private static func line(_ bytes: [UInt8]) -> String { String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self) }

    // MARK: faults

    private func unreadable(_ failure: GitProcess.Failure) -> StoreFault {
        RevisionFolder.fault(failure, path, "git cannot read it", code: .revisionUnreadable)
    }

    private static func fault(
        _ failure: GitProcess.Failure, _ path: String, _ message: String, code: StoreFault.Code = .revisionUnknown
    ) -> StoreFault {
        switch failure {
        case .missing:
            StoreFault(
                .gitMissing, path: path, message: "a revision is read by git, and git is not installed",
                hint: "install it (on Debian: apt-get install git), or name a folder of rules")
        case .system(let code):
            StoreFault(.revisionUnreadable, path: path, message: "git cannot be asked: \(StoreFault.reason(code))")
        case .refused(let words):
            StoreFault(
                code, path: path, message: words.isEmpty || code == .revisionUnknown ? message : "\(message): \(words)",
                hint: code == .revisionUnknown ? "name a folder of rules, a branch, a tag or a commit" : nil)
        case .tooLarge: StoreFault(code, path: path, message: "\(message): there is more than rules may have")
        }
    }
}
