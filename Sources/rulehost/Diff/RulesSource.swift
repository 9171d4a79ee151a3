// Where one side of a comparison comes from: a folder, or a git revision of the repository that holds the rules folder.
import Glibc
import RuleEngine
import RuleStore

enum RulesSource {
    case folder(RulesFolder)
    case revision(RevisionFolder)

    /// - Parameters:
    ///   - word: as it stands on the command line.
    ///   - folder: the rules folder whose repository is asked.
    init(_ word: String, of folder: RulesFolder) throws(CommandFault) {
        var status = stat()
        if stat(word, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            self = .folder(RulesFolder(path: word))
            return
        }
        do throws(StoreFault) {
            self = .revision(try RevisionFolder(word, of: folder))
        } catch {
            throw .store(error)
        }
    }

    /// For people: "rules", "main (3f2a9c41)".
    var name: String {
        switch self {
        case .folder(let folder): folder.path
        case .revision(let revision): revision.name
        }
    }

    /// In front of an app's name in the path of a file.
    var path: String {
        switch self {
        case .folder(let folder): folder.path
        case .revision(let revision): revision.path
        }
    }

    func apps() throws(StoreFault) -> [String] {
        switch self {
        case .folder(let folder): try folder.apps()
        case .revision(let revision): try revision.apps()
        }
    }

    /// The app, ready to be asked.
    func evaluator(of app: String) throws(CommandFault) -> any RuleEvaluating {
        let files: [SourceFile]
        do throws(StoreFault) {
            files =
                switch self {
                case .folder(let folder): try folder.files(of: app)
                case .revision(let revision): try revision.files(of: app)
                }
        } catch {
            throw .store(error)
        }
        switch EvaluatorOutcome(RulesetLoader.load(app: app, files: files)) {
        case .ready(let evaluator): return evaluator
        case .failed(let faults): throw AppLoading.faults(faults, of: app, in: path, files: files)
        }
    }
}
