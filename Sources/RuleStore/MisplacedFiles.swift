// Files of an app that look like rules, texts or cases but stand where nobody reads them. They are told as warnings: a
// folder may hold what it likes. Called by the verbs that load rules; reads listings, and of JSON files the beginning.
import Glibc

public struct MisplacedFile: Sendable, Equatable {
    /// As a person would write it: "rules/shop/offers/night.lua".
    public let path: String
    /// Where it belongs, without a full stop.
    public let advice: String
}

extension RulesFolder {
    /// A folder deeper than this is not looked into.
    private static let deepestLook = 4

    /// Sorted by path.
    public func misplacedFiles(of app: String) throws(StoreFault) -> [MisplacedFile] {
        var search = Search(folder: self, app: app)
        try search.lookIntoApp()
        return search.found.sorted { $0.path < $1.path }
    }

    /// An app.lua among the apps instead of inside of one; nil when there is none.
    public var misplacedManifest: MisplacedFile? {
        guard holds("app.lua") else { return nil }
        return MisplacedFile(path: "\(path)/app.lua", advice: "an app has a folder of its own: \(path)/APP/app.lua")
    }

    private struct Search {
        let folder: RulesFolder
        let app: String
        private(set) var found: [MisplacedFile] = []

        init(folder: RulesFolder, app: String) {
            self.folder = folder
            self.app = app
        }

        mutating func lookIntoApp() throws(StoreFault) {
            for entry in try folder.list(app) {
                switch entry.kind {
                case .file: tellFile(entry.name, in: "", mayBeRule: true)
                case .folder where entry.name == "lib": try lookInto("lib", depth: 1, mayHoldModules: true)
                case .folder: try lookInto(entry.name, depth: 1, mayHoldModules: false)
                case .other: break
                }
            }
        }

        private mutating func lookInto(_ inner: String, depth: Int, mayHoldModules: Bool) throws(StoreFault) {
            for entry in try folder.list("\(app)/\(inner)") {
                switch entry.kind {
                case .file: tellFile(entry.name, in: "\(inner)/", mayBeRule: mayHoldModules)
                case .folder where depth < RulesFolder.deepestLook:
                    try lookInto("\(inner)/\(entry.name)", depth: depth + 1, mayHoldModules: mayHoldModules)
                case .folder, .other: break
                }
            }
        }

        /// - Parameter inner: the folder inside of the app, with a slash behind it; empty for the app's own.
        private mutating func tellFile(_ name: String, in inner: String, mayBeRule: Bool) {
            let folded = name.lowercased()
            let stem = name.prefix { $0 != "." }
            if folded.hasSuffix(".lua") {
                if !mayBeRule {
                    tell(
                        inner + name,
                        inner == "strings/"
                            ? "texts by language stand in \(path("lib/strings/\(name)"))"
                            : "rules stand beside app.lua, modules in lib: \(path(name)) or \(path("lib/\(name)"))")
                } else if !name.hasSuffix(".lua") {
                    tell(inner + name, "name it \(path("\(inner)\(stem).lua"))")
                }
            } else if folded.hasSuffix(".json"), inner != "cases/" || !name.hasSuffix(".json"), isList(inner + name) {
                tell(inner + name, "cases stand in \(path("cases/\(stem).json"))")
            }
        }

        private mutating func tell(_ inner: String, _ advice: String) {
            found.append(MisplacedFile(path: path(inner), advice: advice))
        }

        private func path(_ inner: String) -> String { "\(folder.path)/\(app)/\(inner)" }

        /// Cases are lists; a message or a phone is an object.
        private func isList(_ inner: String) -> Bool {
            guard let real = FileBytes.resolved(path(inner)), let file = fopen(real, "r") else { return false }
            defer { fclose(file) }
            var byte = getc(file)
            while byte == 0x20 || (0x09...0x0D).contains(byte) { byte = getc(file) }
            return byte == Int32(UInt8(ascii: "["))
        }
    }
}
