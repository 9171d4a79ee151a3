// One thing that is looked for. Each has a file of its own in Checks, and Check.all is the list of them: what is not in
// it is not looked for.

public struct Check: Sendable {
    /// As its file is called: "unknown_field".
    public let name: String
    /// The codes of what it finds; mostly its own name.
    public let codes: [String]
    let severity: Finding.Severity
    let look: @Sendable (CheckedApp, inout Findings) -> Void

    init(
        _ name: String, _ severity: Finding.Severity, codes: [String]? = nil,
        look: @escaping @Sendable (CheckedApp, inout Findings) -> Void
    ) {
        self.name = name
        self.severity = severity
        self.codes = codes ?? [name]
        self.look = look
    }

    /// In the order in which the documentation lists them.
    public static let all: [Check] = [
        loading, notLookedInto, remarks, misplacedFile,
        undefinedName, globalWrite, keyTwice, unknownFunction, unknownField, readOnly, neverThere, wrongArgument, dotForColon,
        impossibleComparison, unlistedName, returnedDecision, decisionDropped, endlessLoop,
        neverMatches, neverDue, ruleExpired, quietEmpty, quietAlways, shadowedRule, conflictingWriters, badgeNeverCounts, linkRefused,
        unknownTopic,
        stateNeverRead, stateNeverWritten, stringMissing, stringUnknown, stringUnused, stringPlaceholder, pluralFormMissing,
        moduleUnused, limitWithoutEffect,
        caseBroken, ruleFails, caseShape, caseRuleUnknown, casesMissing, ruleWithoutCase, nearLimit,
        luaUnused, luaShadowing, luaUnreachable, luaOther,
    ]
}

/// What one check finds. The same thing at the same place is told once. Nobody reads thousands: those that come after are
/// counted, and no hint is looked for.
struct Findings {
    /// Of one check, and of one app.
    static let most = 500
    let app: String
    let check: Check
    private(set) var all: [Finding] = []
    private(set) var untold = 0
    private var told: Set<Finding> = []
    private let ignored: Set<String>

    init(app: String, check: Check, ignored: [String] = []) {
        self.app = app
        self.check = check
        self.ignored = Set(ignored)
    }

    mutating func tell(
        _ file: CheckedFile, at offset: Int, _ message: String, hint: @autoclosure () -> String? = nil, code: String? = nil,
        rule: String? = nil
    ) {
        let place = file.place(of: offset)
        tell(file.path, place.line, place.column, message, hint: hint(), code: code, rule: rule)
    }

    mutating func tell(
        _ file: String, _ line: Int, _ column: Int, _ message: String, hint: @autoclosure () -> String? = nil, code: String? = nil,
        rule: String? = nil, severity: Finding.Severity? = nil
    ) {
        guard !ignored.contains(code ?? check.name) else { return }
        guard all.count < Findings.most else {
            untold += 1
            return
        }
        let finding = Finding(
            code: code ?? check.name, severity: severity ?? check.severity, app: app, file: file, line: line, column: column,
            message: message, hint: hint(), rule: rule)
        if told.insert(finding).inserted { all.append(finding) }
    }
}
