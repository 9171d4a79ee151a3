// Writes what editors need into a folder: by `docs editor`, and by `new` beside an app's rules. Generated files are
// replaced, settings that somebody may have changed are not.
import RuleReference
import RuleStore

struct EditorFolder {
    private let path: String

    init(_ path: String) { self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path }

    /// - Returns: the files that were written, as a person would name them.
    func write(_ console: Console) throws(CommandFault) -> [String] {
        var written: [String] = []
        for file in EditorFiles.all {
            let full = "\(path)/\(file.path)"
            let bytes = Array(file.text.utf8)
            if !file.isGenerated, let there = WrittenFiles.content(of: full) {
                if there != bytes { console.warn("\(full.printable) is there already and stays as it is") }
                continue
            }
            do throws(StoreFault) {
                try WrittenFiles.write(bytes, to: full)
            } catch {
                throw .store(error)
            }
            written.append(full)
        }
        return written
    }
}
