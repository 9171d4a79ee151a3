// From --rules and --app to a loaded app, or to the faults that keep it from loading.
import RuleEngine
import RuleStore

enum AppLoading {
    /// An app that is ready to be asked, wherever its rules run.
    /// - Parameter notices: nil: what is probably not meant is not told.
    static func evaluator(
        of name: String?, in folder: RulesFolder, _ isolation: Isolation = .thread, telling notices: RuleNotices? = nil
    ) throws(CommandFault) -> any RuleEvaluating {
        let files: [SourceFile]
        let app: String
        do throws(StoreFault) {
            if name == nil { try notices?.tellMisnamedApps() }
        } catch {
            throw .store(error)
        }
        app = try self.name(name, in: folder)
        do throws(StoreFault) {
            try notices?.tellMisplacedFiles(of: app)
            files = try folder.files(of: app)
        } catch {
            throw .store(error)
        }
        switch isolation.load(app, files) {
        case .ready(let evaluator):
            for warning in evaluator.warnings { notices?.tell(warning, of: app) }
            return evaluator
        case .failed(let faults): throw self.faults(faults, of: app, in: folder, files: files)
        }
    }

    /// The faults of an app that does not load, each with the line that it stands on.
    static func faults(
        _ faults: [RuleFault], of app: String, in folder: RulesFolder, files: [SourceFile]
    ) -> CommandFault { self.faults(faults, of: app, in: folder.path, files: files) }

    /// - Parameter folder: as a person would write it.
    static func faults(_ faults: [RuleFault], of app: String, in folder: String, files: [SourceFile]) -> CommandFault {
        .rules(
            faults.map { fault in
                RuleFaultPlace(
                    fault: fault, path: path(of: fault.file, app: app, in: folder),
                    source: files.first { $0.path == fault.file }?.bytes)
            })
    }

    /// The path of an app's file as a person would write it.
    static func path(of file: String, app: String, in folder: String) -> String {
        let folder = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        return file.hasPrefix("_shared/") ? "\(folder)/\(file)" : "\(folder)/\(app)/\(file)"
    }

    /// The app that was named, or the only one there is.
    private static func name(_ name: String?, in folder: RulesFolder) throws(CommandFault) -> String {
        if let name { return name }
        let apps: [String]
        do throws(StoreFault) {
            apps = try folder.apps()
        } catch {
            throw .store(error)
        }
        guard apps.count == 1 else { throw .appNotNamed(apps: apps, folder: folder.path) }
        return apps[0]
    }
}

/// A fault of an author, with what is needed to show it.
struct RuleFaultPlace {
    let fault: RuleFault
    let path: String
    /// nil when the file could not be read.
    let source: [UInt8]?

    var code: String { fault.code.rawValue }
}
