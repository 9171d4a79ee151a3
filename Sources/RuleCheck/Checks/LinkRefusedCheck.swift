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
                guard let url, let link = url.followed.text, case .refused(let why) = policy.verdict(on: link) else { continue }
                findings.tell(
                    rule, at: url.start, "the link \"\(link)\" \(why): a tap leads to the fallback, or nowhere",
                    hint: "write a link that `links` of app.lua lets through, or add its scheme or host there")
            }
        }
    }
}
