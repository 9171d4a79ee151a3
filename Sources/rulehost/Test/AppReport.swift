// What came of one app's cases, as the three reports need it: a line of its own for every case and every file that
// cannot be read, with sentences for what is wrong.
import RuleEngine
import RuleLab

struct AppReport {
    struct Line {
        enum Verdict { case passed, missed, broken, unreadableFile }

        /// "cases/banner.json"
        let file: String
        /// nil: it is about the file itself.
        let name: String?
        let verdict: Verdict
        /// "rules/chat/cases/banner.json"
        let path: String
        /// From 1; 0: the file as a whole.
        let line: Int
        /// From 1; 0: the line as a whole.
        let column: Int
        /// Empty when the case passed.
        let problems: [String]
        /// Where something is wrong with the text.
        var excerpt: Excerpt?

        var isGood: Bool { verdict == .passed }

        /// "rules/chat/cases/banner.json:12"; with its column where something is wrong with the text.
        var place: String {
            guard line > 0 else { return path }
            return column > 0 ? "\(path):\(line):\(column)" : "\(path):\(line)"
        }
    }

    let app: String
    let lines: [Line]

    init(app: String, folder: String, results: [CaseResult] = [], broken: [AppCases.BrokenFile] = []) {
        self.app = app
        let unread = broken.map { broken in
            AppReport.line(about: broken.fault, in: broken.file, name: nil, .unreadableFile, app, folder)
        }
        lines =
            unread
            + results.map { result in
                let path = AppLoading.path(of: result.file, app: app, in: folder)
                return switch result.outcome {
                case .passed:
                    Line(
                        file: result.file, name: result.name, verdict: .passed, path: path, line: result.line, column: 0,
                        problems: [])
                case .failed(let misses):
                    Line(
                        file: result.file, name: result.name, verdict: .missed, path: path, line: result.line, column: 0,
                        problems: AppReport.problems(of: misses))
                case .broken(let fault):
                    AppReport.line(about: fault, in: result.file, name: result.name, .broken, app, folder)
                }
            }
    }

    private static func line(
        about fault: CaseFault, in file: String, name: String?, _ verdict: Line.Verdict, _ app: String, _ folder: String
    ) -> Line {
        let path = AppLoading.path(of: file, app: app, in: folder)
        return Line(
            file: file, name: name, verdict: verdict, path: path, line: fault.line, column: fault.column,
            problems: sentences(fault), excerpt: Excerpt(ofFile: path, line: fault.line, column: fault.column))
    }

    var isGood: Bool { lines.allSatisfy(\.isGood) }

    private static func problems(of misses: [StepMiss]) -> [String] {
        misses.flatMap { miss in
            let step = miss.step > 1 ? "step \(miss.step) (line \(miss.line)): " : ""
            return miss.differences.map { step + DifferenceWords.sentence($0) } + miss.remarks.map { step + $0 }
        }
    }

    private static func sentences(_ fault: CaseFault) -> [String] {
        [fault.message] + (fault.hint.map { ["hint: \($0)"] } ?? [])
    }
}
