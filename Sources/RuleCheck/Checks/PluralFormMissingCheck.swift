// A text for numbers that lacks a form of its language.
import RuleEngine

extension Check {
    static let pluralFormMissing = Check("plural_form_missing", .warning) { app, findings in
        for language in StringUse(of: app).languages {
            // Those that numbers up to a hundred take; what only millions take is left alone.
            var wanted: Set<PluralForm> = []
            for number in 0...110 {
                if let number = PluralNumber("\(number)".utf8), let form = PluralRules.form(of: number, in: language.tag) {
                    wanted.insert(form)
                }
            }
            for (key, text) in language.texts {
                let forms = text.forms.compactMap(\.form)
                let missing = PluralForm.allCases.filter { wanted.contains($0) && !forms.contains($0.rawValue) }.map(\.rawValue)
                guard !forms.isEmpty, !missing.isEmpty else { continue }
                findings.tell(
                    language.file, at: text.offset,
                    "the text \"\(key)\" has no form \(missing.map { "`\($0)`" }.joined(separator: ", ")), which \(language.tag.name) has for numbers",
                    hint: "add \(missing.map { "\($0) = \"…\"" }.joined(separator: ", ")); until then `other` is read")
            }
        }
    }
}
