// The folder that holds one folder of rules per app. Finds apps and reads their files into memory; what the files mean
// is RuleEngine's business. Called by every verb and by reload; it writes nothing.
import Glibc
import PushMessage
public import RuleEngine

public struct RulesFolder: Sendable {
    /// As the caller gave it.
    public let path: String
    let limits: LoadLimits
    /// Bytes of one file with cases.
    static let largestCases = 4 << 20

    public init(path: String, limits: LoadLimits = LoadLimits()) {
        self.path = path
        self.limits = limits
    }

    /// The names of all apps, sorted.
    public func apps() throws(StoreFault) -> [String] {
        let entries: [FolderListing.Entry]
        do {
            entries = try FolderListing.entries(of: path)
        } catch {
            throw missing(error)
        }
        try checkHoldsApps(entries)
        return entries.filter { $0.kind == .folder && RulesFolder.isAppName($0.name) }.map(\.name)
    }

    /// An app that is named in place of the folder that holds it has folders too, `lib` and `cases`: these are no apps.
    private func checkHoldsApps(_ entries: [FolderListing.Entry]) throws(StoreFault) {
        guard holds("app.lua"), !entries.contains(where: { $0.kind == .folder && holds("\($0.name)/app.lua") }) else { return }
        let parts = path.split(separator: "/")
        let above = parts.dropLast().joined(separator: "/")
        let hint: String
        if let name = parts.last, RulesFolder.isAppName(String(name)), !above.isEmpty {
            let folder = path.hasPrefix("/") ? "/" + above : above
            hint = "write --rules \(folder) --app \(name); for the verb test, --rules \(folder) \(name)"
        } else {
            hint = "an app has a folder of its own: move its files to \(path)/APP"
        }
        throw StoreFault(
            .rulesMissing, path: path, message: "\(path) is an app itself, not the folder that holds the apps", hint: hint)
    }

    /// Folders that hold an app.lua, but whose names no app can have; sorted.
    public func misnamedApps() throws(StoreFault) -> [String] {
        let entries: [FolderListing.Entry]
        do {
            entries = try FolderListing.entries(of: path)
        } catch {
            throw missing(error)
        }
        return entries.filter { $0.kind == .folder && !RulesFolder.isAppName($0.name) && holds("\($0.name)/app.lua") }.map(\.name)
    }

    /// `[a-z0-9][a-z0-9-]{0,62}`
    public static func isAppName(_ name: String) -> Bool {
        guard (1...63).contains(name.utf8.count), !name.hasPrefix("-") else { return false }
        return name.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == UInt8(ascii: "-") }
    }

    /// The Lua files of an app and the shared modules, with their paths as RulesetLoader wants them.
    public func files(of app: String) throws(StoreFault) -> [SourceFile] {
        try check(app)
        var reading = Reading(folder: self, limits: limits)
        try reading.readFolder(app, as: "", recursively: false)
        try reading.readFolder("\(app)/lib", as: "lib/", recursively: true)
        try reading.readFolder("_shared/lib", as: "_shared/lib/", recursively: true)
        return reading.files
    }

    /// The app's `cases/*.json`, with paths such as "cases/banner.json". None when it has no cases.
    public func cases(of app: String) throws(StoreFault) -> [SourceFile] {
        try check(app)
        let folder = "\(app)/cases"
        var cases: [SourceFile] = []
        for entry in try list(folder) where entry.kind != .folder && entry.name.hasSuffix(".json") {
            guard entry.kind == .file else { throw noFile("\(folder)/\(entry.name)") }
            let bytes = try read("\(folder)/\(entry.name)", limit: RulesFolder.largestCases)
            cases.append(SourceFile(path: "cases/\(entry.name)", bytes: bytes))
        }
        return cases
    }

    /// Any file inside the rules folder, by its path in it.
    public func read(_ relative: String, limit: Int) throws(StoreFault) -> [UInt8] {
        try read(relative, limit: limit, inside: FileBytes.resolved(path))
    }

    /// - Parameter root: this folder without links; nil when there is none.
    fileprivate func read(_ relative: String, limit: Int, inside root: String?) throws(StoreFault) -> [UInt8] {
        let full = "\(path)/\(relative)"
        guard let real = FileBytes.resolved(full) else { throw unreadable(full, .system(errno)) }
        guard let root, real.hasPrefix(root == "/" ? "/" : root + "/") else {
            throw StoreFault(
                .linkOutside, path: full, message: "the link leads out of the rules folder",
                hint: "copy the file, or share modules in _shared/lib")
        }
        do {
            return try FileBytes.read(real, limit: limit)
        } catch {
            throw unreadable(full, error, limit: limit)
        }
    }

    /// Whether there is something by that path in the rules folder.
    public func holds(_ relative: String) -> Bool { FileBytes.resolved("\(path)/\(relative)") != nil }

    /// Whether it has a folder; what is in there may not load.
    public func hasFolder(of app: String) -> Bool { RulesFolder.isAppName(app) && holdsFolder(app) }

    private func holdsFolder(_ relative: String) -> Bool {
        var status = stat()
        return stat("\(path)/\(relative)", &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The folder `examples` beside this one, read by the same rules.
    public var examples: RulesFolder {
        var parts = path.split(separator: "/", omittingEmptySubsequences: false)
        while parts.count > 1, parts.last == "" { parts.removeLast() }
        if parts.last == "." || parts.last == ".." { parts.append("..") } else { parts.removeLast() }
        parts.append("examples")
        return RulesFolder(path: parts.joined(separator: "/"), limits: limits)
    }

    private func check(_ app: String) throws(StoreFault) {
        // Among ten thousand apps the others are looked at only to say what is wrong.
        if RulesFolder.isAppName(app), !holds("app.lua"), holdsFolder(app) { return }
        let apps = try apps()
        guard RulesFolder.isAppName(app) else {
            // Mostly the path of its folder.
            let last = app.split(separator: "/").last.map(String.init)
            let meant = apps.first { $0 == last } ?? DidYouMean.nearest(to: app, among: apps)
            throw StoreFault(
                .appName, path: path, message: "\"\(app)\" cannot be the name of an app",
                hint: (meant.map { "did you mean \($0)? " } ?? "") + "names have 1 to 63 small letters, digits and hyphens")
        }
        guard !apps.contains(app) else { return }
        let hint =
            DidYouMean.nearest(to: app, among: apps).map { "did you mean \"\($0)\"?" }
            ?? (apps.isEmpty ? "the folder has no apps" : "its apps: \(apps.prefix(20).joined(separator: ", "))")
        throw StoreFault(.appUnknown, path: "\(path)/\(app)", message: "there is no app \"\(app)\" in \(path)", hint: hint)
    }

    /// Nothing when the folder is not there.
    func list(_ relative: String) throws(StoreFault) -> [FolderListing.Entry] {
        let full = "\(path)/\(relative)"
        do {
            return try FolderListing.entries(of: full)
        } catch {
            if error == .system(ENOENT) { return [] }
            throw unreadable(full, error)
        }
    }

    /// Something that has the name of a file.
    fileprivate func noFile(_ relative: String) -> StoreFault {
        StoreFault(
            .fileUnreadable, path: "\(path)/\(relative)", message: "it is not a file, or a link that leads nowhere",
            hint: "remove it, or put the file there")
    }

    private func missing(_ failure: FileBytes.Failure) -> StoreFault {
        guard case .system(let code) = failure, code == ENOENT || code == ENOTDIR else { return unreadable(path, failure) }
        return StoreFault(
            .rulesMissing, path: path, message: code == ENOENT ? "there is no rules folder \(path)" : "\(path) is not a folder",
            hint: "name the folder that holds the apps: --rules DIR")
    }

    private func unreadable(_ path: String, _ failure: FileBytes.Failure, limit: Int = 0) -> StoreFault {
        switch failure {
        case .system(let code):
            StoreFault(
                .fileUnreadable, path: path, message: "it cannot be read: \(StoreFault.reason(code))",
                hint: code == EACCES ? "give whoever runs rulehost the right to read it" : nil)
        case .notAFile: StoreFault(.fileUnreadable, path: path, message: "it is not a file")
        case .tooLarge:
            StoreFault(
                .fileTooLarge, path: path, message: "the file has more than the \(limit) bytes that are allowed",
                hint: "split it into several files")
        }
    }
}

/// Collects files and counts what they add up to.
private struct Reading {
    let folder: RulesFolder
    let limits: LoadLimits
    private let root: String?
    private(set) var files: [SourceFile] = []
    private var bytes = 0
    /// Folders that have been entered, without links: a link may lead back into one of them.
    private var entered: Set<String> = []
    /// A folder deeper than this is not entered.
    private static let deepest = 8

    init(folder: RulesFolder, limits: LoadLimits) {
        self.folder = folder
        self.limits = limits
        root = FileBytes.resolved(folder.path)
    }

    mutating func readFolder(_ relative: String, as prefix: String, recursively: Bool, depth: Int = 0) throws(StoreFault) {
        if let real = FileBytes.resolved("\(folder.path)/\(relative)"), !entered.insert(real).inserted {
            throw StoreFault(
                .linkOutside, path: "\(folder.path)/\(relative)", message: "the link leads back to a folder that is read already",
                hint: "remove the link")
        }
        for entry in try folder.list(relative) {
            switch entry.kind {
            case .file where entry.name.hasSuffix(".lua"): try readFile("\(relative)/\(entry.name)", as: prefix + entry.name)
            case .other where entry.name.hasSuffix(".lua"):
                throw folder.noFile("\(relative)/\(entry.name)")
            case .folder where recursively && depth < Reading.deepest:
                try readFolder("\(relative)/\(entry.name)", as: prefix + entry.name + "/", recursively: true, depth: depth + 1)
            case .file, .folder, .other: break
            }
        }
    }

    private mutating func readFile(_ relative: String, as path: String) throws(StoreFault) {
        guard files.count < limits.files else {
            throw StoreFault(
                .tooManyFiles, path: "\(folder.path)/\(relative)", message: "the app has more than \(limits.files) Lua files")
        }
        let content = try folder.read(relative, limit: limits.fileBytes, inside: root)
        bytes += content.count
        guard bytes <= limits.bytes else {
            throw StoreFault(
                .appTooLarge, path: "\(folder.path)/\(relative)",
                message: "the app's Lua files have more than \(limits.bytes) bytes together")
        }
        files.append(SourceFile(path: path, bytes: content))
    }
}
