// The app's texts in its languages, with their places, and the keys that its scripts ask for. Read by the checks of texts.
import RuleEngine

struct StringUse {
    /// One text, or all its plural forms.
    struct Text {
        let forms: [(form: String?, text: String)]
        let offset: Int

        /// The names in braces, in all forms.
        var placeholders: Set<String> { Set(forms.flatMap { Placeholders.names(in: $0.text) }) }
    }
    struct Language {
        let tag: LocaleTag
        let file: CheckedFile
        /// In the order in which they are written.
        let texts: [(key: String, text: Text)]
        private let byKey: [String: Text]

        init(tag: LocaleTag, file: CheckedFile, texts: [(key: String, text: Text)]) {
            (self.tag, self.file, self.texts) = (tag, file, texts)
            byKey = Dictionary(texts.map { ($0.key, $0.text) }) { _, last in last }
        }

        subscript(_ key: String) -> Text? { byKey[key] }
    }

    /// By name.
    let languages: [Language]
    /// The language that everybody falls back to, as far as there is a file of it.
    let own: Language?

    init(of app: CheckedApp) {
        let all = app.files.filter { $0.kind == .strings }.compactMap { file -> Language? in
            let stem = file.path.dropFirst("lib/strings/".count).dropLast(".lua".count)
            guard let tag = LocaleTag(String(stem)), let table = file.returned else { return nil }
            return Language(tag: tag, file: file, texts: table.items.compactMap(StringUse.text))
        }
        languages = all
        let chain = app.manifest?.locale?.chain.map(\.name) ?? []
        own = chain.lazy.compactMap { name in all.first { $0.tag.name == name } }.first ?? (all.count == 1 ? all[0] : nil)
    }

    private static func text(_ item: LuaTable.Item) -> (key: String, text: Text)? {
        guard let key = item.key?.followed.text else { return nil }
        if let text = item.value.followed.text { return (key, Text(forms: [(nil, text)], offset: item.offset)) }
        guard let table = item.value.followed.table else { return nil }
        let forms = table.items.compactMap { form in
            form.key?.followed.text.flatMap { name in form.value.followed.text.map { (form: String?.some(name), text: $0) } }
        }
        return (key, Text(forms: forms, offset: item.offset))
    }

    /// All keys, in the order of the own language, then of the others.
    var keys: [String] {
        var keys: [String] = []
        var seen: Set<String> = []
        for language in [own].compactMap({ $0 }) + languages {
            for (key, _) in language.texts where seen.insert(key).inserted { keys.append(key) }
        }
        return keys
    }

    /// A language that no other file of the app is more general than: what it has not, nobody who speaks it has.
    func isMostGeneral(_ language: Language) -> Bool {
        language.tag.chain.last { tag in languages.contains { $0.tag.name == tag.name } }?.name == language.tag.name
    }
}

/// The names in braces.
enum Placeholders {
    static func names(in text: String) -> [String] {
        var names: [String] = []
        var rest = Substring(text)
        while let open = rest.firstIndex(of: "{") {
            rest = rest[rest.index(after: open)...]
            let name = rest.prefix { $0 == "_" || $0.isASCII && ($0.isLetter || $0.isNumber) }
            if rest[name.endIndex...].first == "}", let first = name.first, !first.isNumber { names.append(String(name)) }
        }
        return names
    }
}
