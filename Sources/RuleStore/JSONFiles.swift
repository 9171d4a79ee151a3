// Files with JSON that people write: by name, and all that a folder holds.

public enum JSONFiles {
    /// A folder deeper than this is not entered.
    private static let deepest = 16

    /// One value a line.
    static func isOfLines(_ path: String) -> Bool { path.hasSuffix(".ndjson") || path.hasSuffix(".jsonl") }

    /// The file itself, or the files of a folder and the folders in it, sorted; hidden ones are left out.
    public static func all(in path: String) -> [String] { all(in: path, depth: 0) }

    private static func all(in path: String, depth: Int) -> [String] {
        let entries: [FolderListing.Entry]
        do {
            entries = try FolderListing.entries(of: path)
        } catch {
            // Not a folder: whoever reads the file says what is wrong with it.
            return depth == 0 ? [path] : []
        }
        let folder = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        var files: [String] = []
        for entry in entries {
            let inner = "\(folder)/\(entry.name)"
            switch entry.kind {
            case .file where entry.name.hasSuffix(".json") || isOfLines(entry.name): files.append(inner)
            case .folder where depth < deepest: files += all(in: inner, depth: depth + 1)
            case .file, .folder, .other: break
            }
        }
        return files
    }
}

extension RulesFolder {
    /// The files with cases of all apps, as a person would name them.
    public func caseFiles() throws(StoreFault) -> [String] {
        let folder = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        var files: [String] = []
        for app in try apps() {
            for entry in try list("\(app)/cases") where entry.kind == .file && entry.name.hasSuffix(".json") {
                files.append("\(folder)/\(app)/cases/\(entry.name)")
            }
        }
        return files
    }
}
