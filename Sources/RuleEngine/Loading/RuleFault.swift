// What keeps an app's files from becoming a ruleset. Found by RulesetLoader and by whoever reads the folder; drawn with
// excerpt and caret at the edge, from the source.
import PushMessage

/// One thing that an author has to repair.
public struct RuleFault: Error, Sendable, Equatable {
    public let code: Code
    /// Relative to the app's folder; shared modules begin with "_shared/".
    public let file: String
    /// From 1; 0 when the fault is the file's as a whole.
    public let line: Int
    /// From 1, in Unicode scalars; 0 when only the line is known.
    public let column: Int
    /// One sentence on what is wrong, without a full stop.
    public let message: String
    /// What to do.
    public let hint: String?

    public init(code: Code, file: String, line: Int = 0, column: Int = 0, message: String, hint: String? = nil) {
        self.code = code
        self.file = file
        self.line = line
        self.column = column
        self.message = message.asSentence
        self.hint = hint?.asSentence
    }

    /// Stable names; each has a page in docs/errors.
    public enum Code: String, Sendable, CaseIterable {
        /// The text is not Lua.
        case luaSyntax = "lua_syntax"
        /// The script failed while it was loaded.
        case scriptRaised = "script_raised"
        /// A name without quotes that nothing has.
        case undefinedName = "undefined_name"
        /// Loading needed more work, memory or time than an app may use.
        case budgetFuel = "budget_fuel"
        case budgetMemory = "budget_memory"
        case budgetTime = "budget_time"
        /// A source that is not taken: bytes that are not UTF-8, hidden direction marks, compiled Lua, too deep nesting.
        case sourceRefused = "source_refused"
        case fileTooLarge = "file_too_large"
        case appTooLarge = "app_too_large"
        case tooManyFiles = "too_many_files"

        case manifestMissing = "manifest_missing"
        /// `app.lua` gave nothing, or something that is not a table.
        case manifestNotATable = "manifest_not_a_table"
        /// `api` is missing or names a version that this host does not speak.
        case manifestAPI = "manifest_api"

        case unknownKey = "unknown_key"
        case wrongType = "wrong_type"
        /// The right type, but not a value that can be meant.
        case badValue = "bad_value"
        /// A path of the field map that cannot be read.
        case fieldPath = "field_path"
        case unknownEvent = "unknown_event"
        /// A key that a later version will know.

        case ruleWithoutOn = "rule_without_on"
        case ruleWithoutDecide = "rule_without_decide"
        case ruleWithoutName = "rule_without_name"
        case ruleNameTwice = "rule_name_twice"
        /// `rule` was called where rules do not belong: in app.lua or in a module.
        case ruleMisplaced = "rule_misplaced"
        case tooManyRules = "too_many_rules"

        /// The process that loaded the app ended, did not answer, or answered what cannot be (`OutageCode`).
        case workerDied = "worker_died"
        case workerHung = "worker_hung"
        case workerLied = "worker_lied"
        case appQuarantined = "app_quarantined"
    }
}

extension RuleFault {
    /// What an author is told of everything that was found: as many as anybody reads, in reading order.
    /// - Parameter untold: faults that nobody has made a sentence for.
    static func told(_ faults: [RuleFault], beside untold: Int) -> [RuleFault] {
        let ordered = faults.sorted(by: areInReadingOrder)
        var told = Array(ordered.prefix(TellingRoom.most))
        let rest = ordered.count - told.count + untold
        guard rest > 0, let last = told.popLast() else { return told }
        told.append(
            RuleFault(
                code: last.code, file: last.file, line: last.line, column: last.column, message: last.message,
                hint: TellingRoom.hint(last.hint, untold: rest)))
        return told
    }

    /// Sorted as somebody reads them: app.lua first, then by file and place.
    static func areInReadingOrder(_ a: RuleFault, _ b: RuleFault) -> Bool {
        if a.file != b.file {
            if a.file == "app.lua" || b.file == "app.lua" { return a.file == "app.lua" }
            return a.file < b.file
        }
        if a.line != b.line { return a.line < b.line }
        if a.column != b.column { return a.column < b.column }
        return a.message < b.message
    }
}
