// All cases of one app of a rules folder: loads the app, finds the cases and the files that they name, and runs them.
import PushMessage
public import RuleEngine
public import RuleStore

/// What came of one app's cases.
public enum AppCases {
    case ran([CaseResult], broken: [BrokenFile])
    case rulesDoNotLoad([RuleFault], files: [SourceFile])
    case none

    /// A file of cases that cannot be read.
    public struct BrokenFile: Sendable, Equatable {
        /// "cases/banner.json"
        public let file: String
        public let source: [UInt8]
        public let fault: CaseFault
    }

    /// Bytes of a message or a device in a file of its own.
    private static let largestExample = 1 << 20

    /// - Parameters:
    ///   - load: takes the app's files into use, once for all cases and once more for each.
    ///   - tell: takes what is probably not meant in the rules and in the cases.
    public static func run(
        _ app: String, in folder: RulesFolder,
        loading load: (String, [SourceFile]) -> EvaluatorOutcome = { EvaluatorOutcome(RulesetLoader.load(app: $0, files: $1)) },
        tell: (RuleWarning) -> Void = { _ in }
    ) throws(StoreFault) -> AppCases {
        let files = try folder.files(of: app)
        let sources = try folder.cases(of: app)
        switch load(app, files) {
        case .failed(let faults): return .rulesDoNotLoad(faults, files: files)
        case .ready(let evaluator):
            evaluator.warnings.forEach(tell)
            guard !sources.isEmpty else { return .none }
            return withoutActuallyEscaping(load) { load in
                let runner = CaseRunner(evaluator) {
                    if case .ready(let fresh) = load(app, files) { fresh } else { nil }
                }
                let cases = run(sources, of: app, in: folder, by: runner)
                runner.warnings.forEach(tell)
                return cases
            }
        }
    }

    private static func run(_ sources: [SourceFile], of app: String, in folder: RulesFolder, by runner: CaseRunner) -> AppCases {
        var results: [CaseResult] = []
        var broken: [BrokenFile] = []
        var named: Set<ExactText> = []
        for source in sources {
            do throws(CaseFault) {
                let file = try CaseFile(path: source.path, source: source.bytes) { name throws(CaseFault) in
                    named.insert(ExactText("cases/\(name)"))
                    return try example(name, of: app, in: folder)
                }
                results += runner.run(file)
            } catch {
                broken.append(BrokenFile(file: source.path, source: source.bytes, fault: error))
            }
        }
        broken.removeAll { $0.fault.code == .caseFileNotAList && named.contains(ExactText($0.file)) }
        return .ran(results, broken: broken)
    }

    /// A file beside the case, else one in the folder `examples` beside the rules folder.
    private static func example(_ name: String, of app: String, in folder: RulesFolder) throws(CaseFault) -> [UInt8] {
        guard !name.hasPrefix("/"), !name.split(separator: "/").contains("..") else {
            throw CaseFault(
                code: .caseFileMissing, message: "\"\(name)\" leads out of the folder", hint: "name a file beside the case or in examples")
        }
        let examples = folder.examples
        let places: [(RulesFolder, String)] = [
            (folder, "\(app)/cases/\(name)"), (examples, name), (examples, "messages/\(name)"), (examples, "devices/\(name)"),
        ]
        for (place, path) in places where place.holds(path) {
            do {
                return try place.read(path, limit: largestExample)
            } catch {
                throw CaseFault(code: .caseFileMissing, message: "\(error.path): \(error.message)", hint: error.hint)
            }
        }
        throw CaseFault(
            code: .caseFileMissing, message: "there is no file \"\(name)\"",
            hint: "it is looked for beside the case, then in \(examples.path)")
    }
}
