// What `rulehost test` is asked about coverage: the arguments, each checked and typed. nil when nothing of it was asked.

struct CoverageOptions {
    enum Form: String, CaseIterable { case text, lcov, html }

    /// nil: only `--fail-under` asks.
    let form: Form?
    /// nil: on standard output.
    let file: String?
    /// Percent of lines and ways.
    let least: Int?

    init?(_ arguments: Arguments) throws(CommandFault) {
        guard arguments.has(.coverage) || arguments.has(.coverageFile) || arguments.has(.failUnder) else { return nil }
        form = arguments[.coverage].flatMap(Form.init(rawValue:))
        file = arguments[.coverageFile]
        least = try arguments.integer(.failUnder)
        if let least, !(0...100).contains(least) {
            throw .invalidValue(flag: "fail-under", value: "\(least)", expected: "a percentage from 0 to 100", suggestion: nil)
        }
        if file != nil, form == nil { throw .missingValue(flag: "coverage", placeholder: "text|lcov|html") }
        if let form, file == nil {
            guard form == .text else { throw .missingValue(flag: "coverage-file", placeholder: "FILE") }
            guard arguments.format == .human else {
                throw .flagsDisagree(
                    "coverage", "format", why: "standard output has room for one report: say where with --coverage-file FILE")
            }
        }
        let asking = form == nil ? "fail-under" : "coverage"
        if arguments.has(.filter) {
            throw .flagsDisagree(asking, "filter", why: "coverage is that of all cases of an app: leave out --filter")
        }
        if arguments.has(.update) {
            throw .flagsDisagree(asking, "update", why: "update the cases first, and measure them then")
        }
        if arguments.has(.watch) {
            throw .flagsDisagree(asking, "watch", why: "coverage is that of all cases, not of those that a save touches: run it by itself")
        }
        if arguments[.isolation] == "process" {
            throw .flagsDisagree(asking, "isolation", why: "lines are counted where the rules run: leave out --isolation process")
        }
    }
}

extension Flag {
    static let coverage = Flag(
        "coverage", .optional("text|lcov|html", CoverageOptions.Form.allCases.map(\.rawValue)),
        "What the cases have tried of the rules, and what they have not: lines, rules, ways and guards")
    static let coverageFile = Flag("coverage-file", .required("FILE", .file), "Write the coverage to this file")
    static let failUnder = Flag(
        "fail-under", .required("N", .text), "Exit code 1 when less than N percent of an app's lines and ways are covered")
}
