// The codes of errors, each from its page in docs/errors, which is built into the program: the page is the only place
// where it is told.

public struct ErrorEntry: Sendable {
    public let code: String
    /// The first paragraph of its page.
    public let summary: String
    /// The others.
    public let details: [String]
    /// The first block of its page; nil where the cause cannot be shown.
    public let example: Example

    public static let all = ErrorPages.all.map(ErrorEntry.init)

    init(_ page: [UInt8]) {
        let text = PageText(page)
        code = text.title
        var paragraphs: [String] = []
        var example = Example.none(why: "the cause is the machine, or a fault of rulehost")
        var hasExample = false
        for part in text.parts {
            switch part {
            case .paragraph(let words): paragraphs.append(words)
            case .block(let kind, let text) where !hasExample:
                example = .page(kind: kind, text: text)
                hasExample = true
            case .block: break
            }
        }
        summary = paragraphs.first ?? ""
        details = Array(paragraphs.dropFirst())
        self.example = example
    }
}
