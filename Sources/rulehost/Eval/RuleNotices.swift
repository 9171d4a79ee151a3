// What is said about the rules of an app beside the answer: files that nobody reads, names that app.lua does not list.
// Warnings on standard error; they change no exit code. Called by eval and test.
import RuleEngine
import RuleStore

struct RuleNotices {
    let folder: RulesFolder
    let console: Console

    /// Folders that are passed over when no app is named.
    func tellMisnamedApps() throws(StoreFault) {
        for name in try folder.misnamedApps() {
            let path = AppLoading.path(of: "app.lua", app: name, in: folder.path)
            console.warn("\(path) is passed over: an app's name has 1 to 63 small letters, digits and hyphens".printable)
        }
        // Where there is nothing else, the folder is an app itself, and that is an error of its own.
        if let file = folder.misplacedManifest, try !folder.apps().isEmpty { tell(file) }
    }

    func tellMisplacedFiles(of app: String) throws(StoreFault) {
        for file in try folder.misplacedFiles(of: app) { tell(file) }
    }

    func tell(_ warning: RuleWarning, of app: String) {
        let path = AppLoading.path(of: warning.file, app: app, in: folder.path)
        let hint = warning.hint.map { "; \($0)" } ?? ""
        console.warn("\(path):\(warning.line):\(warning.column): \(warning.message)\(hint)".printable)
    }

    private func tell(_ file: MisplacedFile) { console.warn("\(file.path) is not read: \(file.advice)".printable) }
}
