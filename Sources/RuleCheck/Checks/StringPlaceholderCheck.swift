// Names in braces that nothing fills.
import PushMessage
import RuleEngine

extension Check {
    static let stringPlaceholder = Check("string_placeholder", .error) { app, findings in
        let use = StringUse(of: app)
        for key in use.keys {
            guard let own = (use.own ?? use.languages.first), let text = own[key] else { continue }
            for language in use.languages where language.tag != own.tag {
                guard let other = language[key] else { continue }
                for name in other.placeholders.subtracting(text.placeholders).sorted() where name != "n" {
                    findings.tell(
                        language.file, at: other.offset,
                        "the text \"\(key)\" has {\(name)}, which it has not in \(own.tag.name): nothing would fill it",
                        hint: DidYouMean.nearest(to: name, among: text.placeholders.sorted()).map { "did you mean {\($0)}?" }
                            ?? "it can have \(text.placeholders.sorted().map { "{\($0)}" }.joined(separator: ", "))")
                }
            }
        }
        for (file, rule, name, call) in app.calls(of: ["text.tr", "text.fill"]) {
            let arguments = call.arguments
            guard let first = arguments.first, let word = first.followed.text else { continue }
            let wanted =
                name == "text.fill" ? Set(Placeholders.names(in: word)) : (use.own ?? use.languages.first)?[word]?.placeholders ?? []
            let given: Set<String>
            let place: Int
            if arguments.count < 2 {
                (given, place) = ([], call.start)
            } else {
                guard let table = arguments[1].followed.table, table.items.allSatisfy({ $0.key?.followed.text != nil }) else { continue }
                (given, place) = (Set(table.items.compactMap { $0.key?.followed.text }), arguments[1].start)
            }
            for missing in wanted.subtracting(given).sorted() {
                findings.tell(
                    file, at: place,
                    "nothing fills {\(missing)} of \(name == "text.fill" ? "the template" : "the text \"\(word)\""): the rule would fail",
                    hint: DidYouMean.nearest(to: missing, among: given.subtracting(wanted).sorted()).map {
                        "did you mean \(missing) = …, not \($0)?"
                    }
                        ?? "add \(missing) = …", rule: rule?.name)
            }
        }
    }
}
