// Makes the folder of a new app. Nothing that is there already is touched.
import PushMessage
public import RuleEngine

extension RulesFolder {
    /// - Parameter files: relative to the app's folder.
    /// - Returns: the files, as a person would name them.
    public func makeApp(_ app: String, of files: [(path: String, text: String)]) throws(StoreFault) -> [String] {
        guard RulesFolder.isAppName(app) else {
            let meant = RulesFolder.name(like: app)
            throw StoreFault(
                .appName, path: path, message: "\"\(app)\" cannot be the name of an app",
                hint: (meant.map { "did you mean \($0)? " } ?? "") + "names have 1 to 63 small letters, digits and hyphens")
        }
        // A folder that is an app itself, or no folder at all.
        if WrittenFiles.isThere(path) { _ = try apps() }
        let folder = "\(path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path)/\(app)"
        guard !WrittenFiles.isThere(folder) else { throw RulesFolder.isThere(folder) }
        var written: [String] = []
        for file in files {
            try WrittenFiles.write(Array(file.text.utf8), to: "\(folder)/\(file.path)")
            written.append("\(folder)/\(file.path)")
        }
        return written
    }

    /// Makes the folder of an app as a version of it was, with what it uses of the modules that apps share.
    /// - Parameter files: with the paths of a ruleset.
    /// - Returns: the files, as a person would name them.
    public func makeVersion(of app: String, _ files: [SourceFile]) throws(StoreFault) -> [String] {
        let home = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        let shared = "_shared"
        for folder in Set(files.map { $0.path.hasPrefix("\(shared)/") ? shared : app }).sorted() {
            guard !WrittenFiles.isThere("\(home)/\(folder)") else { throw RulesFolder.isThere("\(home)/\(folder)") }
        }
        // They may come from another machine.
        guard RulesFolder.isAppName(app), files.allSatisfy({ RulesFolder.isInside($0.path) }) else {
            throw StoreFault(.fileNotWritten, path: home, message: "a file of the version would stand outside of the folder")
        }
        var written: [String] = []
        for file in files {
            let place = file.path.hasPrefix("\(shared)/") ? "\(home)/\(file.path)" : "\(home)/\(app)/\(file.path)"
            try WrittenFiles.write(file.bytes, to: place)
            written.append(place)
        }
        return written
    }

    private static func isInside(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return !path.utf8.contains(0) && parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
    }

    private static func isThere(_ folder: String) -> StoreFault {
        StoreFault(
            .appExists, path: folder, message: "there is something of that name already",
            hint: "choose another name; what is there is never touched")
    }

    /// What somebody meant who wrote capitals, spaces or a path; nil when nothing is left of it.
    private static func name(like word: String) -> String? {
        var name = ""
        for character in word.split(separator: "/").last ?? "" {
            if let letter = character.lowercased().utf8.first, character.isASCII, (97...122).contains(letter) || (48...57).contains(letter)
            {
                name.append(Character(UnicodeScalar(letter)))
            } else if !name.isEmpty, !name.hasSuffix("-") {
                name += "-"
            }
        }
        while name.hasSuffix("-") { name.removeLast() }
        return isAppName(name) ? name : nil
    }
}
