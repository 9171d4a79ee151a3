// The frame of a report: one file of HTML that needs no network, no script and no font, reads on a phone and on paper, in
// light and in dark. Verbs fill it with sections and charts; what a report says is theirs, how it looks is said here.

public struct ReportPage: Sendable {
    private let title: String
    private var body = HTMLText()
    private var places: [(id: String, title: String)] = []

    /// - Parameters:
    ///   - kind: a word above the title: "rulehost diff".
    ///   - title: also the title of the window.
    ///   - lead: a sentence below the title.
    public init(kind: String, title: String, lead: String) {
        self.title = "\(title) – \(kind)"
        body.element("header") { header in
            header.element("p", ["class": "kind"], text: kind)
            header.element("h1", text: title)
            header.element("p", ["class": "lead"], text: lead)
        }
        body.line()
    }

    /// A section with a heading, which the list at the top leads to.
    public mutating func section(_ title: String, _ content: (inout HTMLText) -> Void) {
        let id = "part-\(places.count + 1)"
        places.append((id, title))
        body.element("section", ["aria-labelledby": id]) { section in
            section.element("h2", ["id": id], text: title)
            section.line()
            content(&section)
        }
        body.line()
    }

    /// What stands between sections, or before the first.
    public mutating func add(_ content: (inout HTMLText) -> Void) {
        content(&body)
        body.line()
    }

    /// The whole file.
    public var html: String {
        var page = HTMLText()
        page.markup("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
        page.markup("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        page.markup("<meta name=\"color-scheme\" content=\"light dark\">\n")
        // Nothing is fetched, and nothing runs, whatever a message says.
        page.markup("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n")
        page.element("title", text: title)
        page.markup("\n<style>\n")
        page.markup(Stylesheet.text)
        page.markup("\n</style>\n</head>\n<body>\n<main>\n")
        page.add(body)
        page.markup("</main>\n</body>\n</html>\n")
        return page.source
    }
}
