// What `check` has found at one place of an app's files.
import PushMessage

public struct Finding: Sendable, Hashable {
    public enum Severity: String, Sendable, CaseIterable {
        /// It will not do what it says.
        case error
        /// It is most likely not meant.
        case warning
    }

    /// Has a page: docs/findings or, for what keeps an app from loading, docs/errors.
    public let code: String
    public let severity: Severity
    public let app: String
    /// Relative to the app's folder; shared modules begin with "_shared/".
    public let file: String
    /// From 1; 0 when it is the file's as a whole.
    public let line: Int
    /// From 1, in Unicode scalars; 0 when only the line is known.
    public let column: Int
    /// One sentence without a full stop.
    public let message: String
    /// What to do.
    public let hint: String?
    /// The rule it is about.
    public let rule: String?

    /// The same at the same place, in whatever app it was found.
    public func isSame(as other: Finding) -> Bool {
        code == other.code && file == other.file && line == other.line && column == other.column && message == other.message
    }

    /// With how many more there are.
    func followed(by untold: Int) -> Finding {
        Finding(
            code: code, severity: severity, app: app, file: file, line: line, column: column, message: message,
            hint: TellingRoom.hint(hint, untold: untold), rule: rule)
    }

    /// As somebody reads them: by app, app.lua first, then by file and place.
    static func areInReadingOrder(_ a: Finding, _ b: Finding) -> Bool {
        if a.app != b.app { return a.app < b.app }
        if a.file != b.file {
            if a.file == "app.lua" || b.file == "app.lua" { return a.file == "app.lua" }
            return a.file < b.file
        }
        return (a.line, a.column, a.code, a.message) < (b.line, b.column, b.code, b.message)
    }
}
