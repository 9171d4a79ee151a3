// A link that is written out in a rule and that app.lua does not let through.
import RuleEngine

extension Check {
    static let linkRefused = Check("link_refused", .error) { app, findings in
        guard let manifest = app.manifest, (manifest.guards[.link] ?? .on) == .on else { return }
        let policy = LinkPolicy(manifest.links)
        for rule in app.rules {
            for wish in rule.writtenWishes {
                guard let route = wish["route"] else { continue }
                let url = route.value.followed.table.map { $0.item("url")?.value } ?? route.value
                guard let url, let (link, isWhole) = written(url), case .refused(let why) = policy.verdict(on: link) else { continue }
                findings.tell(
                    rule, at: url.start,
                    "the link \"\(link)\(isWhole ? "" : "…")\" \(why): a tap leads to the fallback, or nowhere",
                    hint: "write a link that `links` of app.lua lets through, or add its scheme or host there")
            }
        }
    }

    /// The link, or of one that is put together the beginning, if that says where it leads: `"shop://offers/" .. id`.
    private static func written(_ url: LuaExpression) -> (link: String, isWhole: Bool)? {
        if let link = url.followed.text { return (link, true) }
        var first = url.followed
        while case .binary("..", let left, _, _) = first { first = left.followed }
        guard let text = first.text, let mark = text.firstRange(of: "://") else { return nil }
        // Of a web address the host has to be there as well, to its end.
        let rest = text[mark.upperBound...]
        let isWeb = ["http", "https"].contains(text[..<mark.lowerBound].lowercased())
        return isWeb && !rest.contains("/") ? nil : (text, false)
    }
}
