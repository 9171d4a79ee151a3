// Texts that one language has and another one lacks.
import RuleEngine

extension Check {
    static let stringMissing = Check("string_missing", .warning) { app, findings in
        let use = StringUse(of: app)
        for language in use.languages where use.isMostGeneral(language) {
            let missing = use.keys.filter { language[$0] == nil }
            guard !missing.isEmpty else { continue }
            let shown =
                missing.prefix(5).map { "\"\($0)\"" }.joined(separator: ", ") + (missing.count > 5 ? " and \(missing.count - 5) more" : "")
            let isOwn = use.own?.tag == language.tag
            findings.tell(
                language.file, at: language.file.returned?.offset ?? 0,
                "\(language.tag.name) has no \(missing.count == 1 ? "text" : "texts") \(shown), which another language has",
                hint: isOwn
                    ? "add \(missing.count == 1 ? "it" : "them"): people with another language would read the bare key"
                    : "add \(missing.count == 1 ? "it" : "them"); until then people read \(use.own.map { "the text of \($0.tag.name)" } ?? "the bare key")"
            )
        }
    }
}
