// A rule asks for a text that no language has.
import PushMessage
import RuleEngine

extension Check {
    static let stringUnknown = Check("string_unknown", .error) { app, findings in
        guard app.loaded != nil else { return }
        let use = StringUse(of: app)
        let known = use.keys
        let isKnown = Set(known)
        for (file, rule, _, call) in app.calls(of: ["text.tr"]) {
            guard let key = call.arguments.first, let name = key.followed.text, !isKnown.contains(name) else { continue }
            findings.tell(
                file, at: key.start, "no language has a text \"\(name)\": people would read the key",
                hint: DidYouMean.nearest(to: name, among: known).map { "did you mean \"\($0)\"?" }
                    ?? "add it to lib/strings/\(use.own?.tag.name ?? "en").lua", rule: rule?.name)
        }
    }
}
