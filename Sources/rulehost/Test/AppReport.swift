// What came of one app's cases, as the three reports need it: a line of its own for every case and every file that
// cannot be read, with sentences for what is wrong.
import RuleEngine
import RuleLab

struct AppReport {
    struct Line {
        /// "cases/banner.json"
        let file: String
        /// nil: the file itself cannot be read.
        let name: String?
        /// "rules/chat/cases/banner.json:12"
        let place: String
        /// Empty when the case passed.
        let problems: [String]

        var isGood: Bool { problems.isEmpty }
    }

    let app: String
    let lines: [Line]

    init(app: String, folder: String, results: [CaseResult] = [], broken: [AppCases.BrokenFile] = []) {
        self.app = app
        let unread = broken.map { broken in
            Line(
                file: broken.file, name: nil,
                place: AppReport.place(broken.file, broken.fault.line, app, folder), problems: AppReport.sentences(broken.fault))
        }
        lines =
            unread
            + results.map { result in
                Line(
                    file: result.file, name: result.name, place: AppReport.place(result.file, result.line, app, folder),
                    problems: AppReport.problems(of: result))
            }
    }

    var isGood: Bool { lines.allSatisfy(\.isGood) }

    private static func place(_ file: String, _ line: Int, _ app: String, _ folder: String) -> String {
        let path = AppLoading.path(of: file, app: app, in: folder)
        return line > 0 ? "\(path):\(line)" : path
    }

    private static func problems(of result: CaseResult) -> [String] {
        switch result.outcome {
        case .passed: []
        case .broken(let fault): sentences(fault)
        case .failed(let misses):
            misses.flatMap { miss in
                let step = miss.step > 1 ? "step \(miss.step) (line \(miss.line)): " : ""
                return miss.differences.map { step + sentence($0) } + miss.remarks.map { step + $0 }
            }
        }
    }

    private static func sentence(_ difference: Difference) -> String {
        let path = difference.path.isEmpty ? "the answer" : difference.path
        let expected = difference.expected.map { "must be \($0)" } ?? "must not be there"
        let got = difference.got.map { "is \($0)" } ?? "is not there"
        return "\(path) \(expected), but it \(got)"
    }

    private static func sentences(_ fault: CaseFault) -> [String] {
        [fault.message] + (fault.hint.map { ["hint: \($0)"] } ?? [])
    }
}
