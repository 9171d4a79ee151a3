// Reads the tables that lib/strings/*.lua return into Strings. Called by RulesetLoader; tells every fault it finds.
import JSONDocument
import PushMessage

struct StringsReader {
    static let folder = "lib/strings/"

    private(set) var tables: [LocaleTag: ExactTable<Strings.Entry>] = [:]
    private(set) var faults: [RuleFault] = []

    /// - Parameter value: what the file returned; nil when it returned nothing.
    mutating func read(_ value: JSONValue?, of file: SourceFile, _ text: SourceText) {
        guard let locale = locale(of: file) else { return }
        var faults = AuthorFaults(file: file.path, text: text, table: .manifest)
        tables[locale] = StringsReader.table(value, in: locale, &faults)
        self.faults += faults.faults
    }

    private mutating func locale(of file: SourceFile) -> LocaleTag? {
        let stem = String(file.path.dropFirst(StringsReader.folder.count).dropLast(4))
        guard let locale = LocaleTag(stem), locale.name == stem else {
            faults.append(
                RuleFault(
                    code: .badValue, file: file.path, message: "\"\(stem)\" is not the name of a language",
                    hint: LocaleTag(stem).map { "name the file \($0.name).lua" }
                        ?? "name the file after a language, such as ko.lua or pt-BR.lua; other modules belong into lib"))
            return nil
        }
        return locale
    }

    private static func table(_ value: JSONValue?, in locale: LocaleTag, _ faults: inout AuthorFaults) -> ExactTable<Strings.Entry> {
        guard let value, value.isObject || value.isArray && value.count == 0 else {
            let found = value.map { $0.isNull ? "nothing" : describe($0) } ?? "nothing"
            faults.tell(
                .wrongType, at: [], "the file must return a table of texts by key, but it returns \(found)",
                hint: "end it with: return { greeting = \"Hello {name}\" }")
            return [:]
        }
        var table = ExactTable<Strings.Entry>()
        for member in value.children {
            let key = member.key.string
            if let entry = entry(member, at: [.key(key)], in: locale, &faults) { table[key] = entry }
        }
        return table
    }

    private static func entry(
        _ value: JSONValue, at path: [PathStep], in locale: LocaleTag, _ faults: inout AuthorFaults
    ) -> Strings.Entry? {
        if let text = value.text { return .text(text.string) }
        guard value.isObject else {
            faults.wrongType(value, at: path, wanted: "text or a table of plural forms such as { one = \"…\", other = \"…\" }")
            return nil
        }
        var forms: [PluralForm: String] = [:]
        for member in value.children {
            let name = member.key.string
            guard let form = PluralForm(rawValue: name) else {
                faults.unknownKey(name, in: "`\(path.written)`", at: path, known: PluralForm.names)
                continue
            }
            if let text = faults.text(member, at: path + [.key(name)]) { forms[form] = text }
            if let known = PluralRules.forms(in: locale), !known.contains(form) {
                faults.tell(
                    .badValue, at: path + [.key(name)],
                    "`\((path + [.key(name)]).written)` would never be shown: the language \"\(locale.name)\" has no form `\(name)`",
                    hint: "it has " + known.map { "`\($0.rawValue)`" }.joined(separator: ", "))
            }
        }
        guard value["other"] != nil else {
            faults.tell(
                .badValue, at: path, "`\(path.written)` has no form `other`, which every language needs",
                hint: "add: other = \"…\"")
            return nil
        }
        return .forms(forms)
    }
}
