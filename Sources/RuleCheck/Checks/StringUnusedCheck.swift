// A text that no rule asks for.
import PushMessage

extension Check {
    static let stringUnused = Check("string_unused", .warning) { app, findings in
        let use = StringUse(of: app)
        var asked: Set<String> = []
        var isOpen = false
        for (_, _, _, call) in app.calls(of: ["text.tr"]) {
            if let name = call.arguments.first?.followed.text { asked.insert(name) } else { isOpen = true }
        }
        // A key that is put together may be any of them; so may one that a function of the app passes on.
        guard !isOpen else { return }
        let known = asked.sorted()
        for key in use.keys where !asked.contains(key) {
            guard let language = ([use.own].compactMap { $0 } + use.languages).first(where: { $0[key] != nil }), let text = language[key]
            else { continue }
            findings.tell(
                language.file, at: text.offset, "no rule asks for the text \"\(key)\"",
                hint: DidYouMean.nearest(to: key, among: known).map { "did you mean \"\($0)\"?" }
                    ?? "ask for it with text.tr(\"\(key)\"), or leave it out")
        }
    }
}
