// The codes of what `check` finds, each from its page: docs/findings, or docs/errors for what also keeps an app from loading.

public struct FindingEntry: Sendable {
    public let code: String
    /// The first paragraph of its page.
    public let summary: String
    /// The others.
    public let details: [String]
    /// The first block of its page.
    public let example: Example
    /// The page itself.
    public let markdown: String

    /// Those that only `check` finds, by code.
    public static let all = FindingPages.all.map(FindingEntry.init)

    /// Of any code that `check` may tell.
    public static func of(_ code: String) -> FindingEntry? {
        all.first { $0.code == code } ?? ErrorPages.all.lazy.map(FindingEntry.init).first { $0.code == code }
    }

    /// In the repository: "docs/findings/unknown_field.md".
    public static func page(of code: String) -> String {
        all.contains { $0.code == code } ? "docs/findings/\(code).md" : "docs/errors/\(code).md"
    }

    private init(_ page: [UInt8]) {
        let entry = ErrorEntry(page)
        code = entry.code
        summary = entry.summary
        details = entry.details
        example = entry.example
        markdown = String(decoding: page, as: UTF8.self)
    }
}
