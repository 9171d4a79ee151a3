// Why a folder or a file could not be read or written. Names the path as the caller gave it; never quotes content.
import Glibc

public struct StoreFault: Error, Sendable, Equatable {
    public enum Code: String, Sendable, CaseIterable {
        case rulesMissing = "rules_missing"
        case appName = "app_name"
        case appUnknown = "app_unknown"
        case fileUnreadable = "file_unreadable"
        case fileTooLarge = "file_too_large"
        case tooManyFiles = "too_many_files"
        case appTooLarge = "app_too_large"
        /// A link that leads out of the rules folder.
        case linkOutside = "link_outside"
        /// Neither a folder of rules nor something that git knows.
        case revisionUnknown = "revision_unknown"
        case revisionUnreadable = "revision_unreadable"
        case gitMissing = "git_missing"
        case reportNotWritten = "report_not_written"
        case stateUnreadable = "state_unreadable"
        case stateInvalid = "state_invalid"
        case stateNotWritten = "state_not_written"
        case fileNotWritten = "file_not_written"
        /// The system does not tell what happens in a folder.
        case watchUnavailable = "watch_unavailable"
        /// Something stands already where a new app is to be made.
        case appExists = "app_exists"
        /// Of files that are edited from afar.
        case fileUnknown = "file_unknown"
        case fileLinked = "file_linked"
        case fileChanged = "file_changed"
    }

    public let code: Code
    public let path: String
    /// From 1; 0 when the fault is the file's as a whole.
    public let line: Int
    public let column: Int
    /// One sentence without a full stop.
    public let message: String
    public let hint: String?
    /// Where in the text, as RFC 6901 writes it; nil: it is not about a value.
    public let pointer: String?

    init(_ code: Code, path: String, line: Int = 0, column: Int = 0, message: String, hint: String? = nil, pointer: String? = nil) {
        self.code = code
        self.path = path
        self.line = line
        self.column = column
        self.message = message
        self.hint = hint
        self.pointer = pointer
    }

    /// What the system says of an errno, in lower case.
    static func reason(_ code: Int32) -> String {
        guard let text = strerror(code) else { return "error \(code)" }
        let words = String(cString: text)
        return words.prefix(1).lowercased() + words.dropFirst()
    }
}
