// The files with messages and devices that the cases of an app name. Called while cases are read.
import RuleStore

struct ExampleFiles {
    private let app: String
    private let folder: RulesFolder
    /// Bytes of a message or a device in a file of its own.
    private static let largest = 1 << 20

    /// In place of files beside the cases, by paths such as "cases/hello.json"; nil: it is away.
    private let drafts: [String: [UInt8]?]

    init(of app: String, in folder: RulesFolder, instead drafts: [String: [UInt8]?] = [:]) {
        self.app = app
        self.folder = folder
        self.drafts = drafts
    }

    /// A file beside the case, else one in the folder `examples` beside the rules folder.
    func content(of name: String) throws(CaseFault) -> [UInt8] {
        guard !name.hasPrefix("/"), !name.split(separator: "/").contains("..") else {
            throw CaseFault(
                code: .caseFileMissing, message: "\"\(name)\" leads out of the folder", hint: "name a file beside the case or in examples")
        }
        let draft = drafts["cases/\(name)"]
        if case .some(.some(let bytes)) = draft { return bytes }
        for (place, path) in places(of: name).dropFirst(draft == nil ? 0 : 1) where place.holds(path) {
            do {
                return try place.read(path, limit: ExampleFiles.largest)
            } catch {
                // Where the folders lie on this machine is nobody's business who edits from afar.
                let shown = place.path == folder.path ? "cases/\(name)" : "examples/\(path)"
                throw CaseFault(code: .caseFileMissing, message: "\(shown): \(error.message)", hint: error.hint)
            }
        }
        throw CaseFault(
            code: .caseFileMissing, message: "there is no file \"\(name)\"",
            hint: "it is looked for beside the case, then in the folder `examples` beside that of the rules")
    }

    /// Where a file of that name is looked for, in order.
    private func places(of name: String) -> [(RulesFolder, String)] {
        let examples = folder.examples
        return [(folder, "\(app)/cases/\(name)"), (examples, name), (examples, "messages/\(name)"), (examples, "devices/\(name)")]
    }

    func paths(of name: String) -> [String] { places(of: name).map { "\($0.path)/\($1)" } }
}
