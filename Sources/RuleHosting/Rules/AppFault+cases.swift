// Cases that do not come out as they say, as faults of their app: of those of a save, and of a trial.
import RuleEngine
import RuleLab
import RuleStore

extension AppFault {
    /// The rules themselves may be as they should.
    var isOfCase: Bool { file.hasPrefix("cases/") }

    /// No more than anybody reads.
    /// - Parameter sources: the files of cases, for excerpts.
    static func all(of results: [CaseResult], _ broken: [AppCases.BrokenFile], in sources: [SourceFile]) -> [AppFault] {
        var faults = broken.prefix(most).map { file in
            AppFault(
                code: file.fault.code.rawValue, file: file.file, line: file.fault.line, column: file.fault.column,
                message: file.fault.message, hint: file.fault.hint, excerpt: AppFault.line(file.fault.line, of: file.source))
        }
        // Each is made once, and none that is not told.
        for result in results where faults.count < most {
            if let fault = AppFault(result, source: sources.first(where: { $0.path == result.file })?.bytes) { faults.append(fault) }
        }
        return faults
    }

    /// nil: the case passed.
    private init?(_ result: CaseResult, source: [UInt8]?) {
        var message: String
        var line = result.line
        var column = 0
        var hint: String?
        var code = Code.caseFailed.rawValue
        switch result.outcome {
        case .passed: return nil
        case .failed(let misses):
            guard let miss = misses.first else { return nil }
            let what = miss.differences.map(DifferenceWords.sentence) + miss.remarks
            let step = miss.step > 1 ? "step \(miss.step): " : ""
            message = "\(step)\(what.first ?? "the answer is another one")\(what.count > 1 ? ", and \(what.count - 1) more" : "")"
            line = miss.line
            hint = "`rulehost test --filter \(result.file)` shows the whole difference; mend the rule, or what the case expects"
        case .broken(let fault):
            code = fault.code.rawValue
            message = fault.message
            hint = fault.hint
            if fault.line > 0 { (line, column) = (fault.line, fault.column) }
        }
        message = "the case \"\(result.name)\": \(message)"
        self.init(
            code: code, file: result.file, line: line, column: column, message: message, hint: hint,
            excerpt: source.flatMap { AppFault.telling(line, of: $0) })
    }

    /// A case or a step begins with a brace, which says nothing: then the first line behind it that does, mostly its name.
    private static func telling(_ number: Int, of bytes: [UInt8]) -> String? {
        guard number > 0 else { return nil }
        return (number..<number + 3).lazy.compactMap { line($0, of: bytes) }.first { $0.contains { $0.isLetter || $0.isNumber } }
    }
}
