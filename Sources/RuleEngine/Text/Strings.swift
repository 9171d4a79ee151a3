// The texts of an app in the languages it has, read from lib/strings at load; what `text.tr` looks things up in.

public struct Strings: Sendable {
    package enum Entry: Sendable, Equatable {
        case text(String)
        /// `other` is always there.
        case forms([PluralForm: String])
    }

    /// By locale, then by key.
    package let tables: [LocaleTag: ExactTable<Entry>]
    /// Of all languages together, each once, in order: what a misspelt key is held against.
    let keys: [String]

    init(tables: [LocaleTag: ExactTable<Entry>]) {
        self.tables = tables
        keys = tables.values.reduce(into: Set<String>()) { keys, table in for (key, _) in table { keys.insert(key) } }.sorted()
    }

    static let none = Strings(tables: [:])

    /// Where a text was found.
    struct Hit {
        let entry: Entry
        let locale: LocaleTag
        /// It belongs to another language than the one that was wanted.
        let isOtherLanguage: Bool
    }

    /// In the wanted locale, then ever more general ones, then the same for the app's own.
    func find(_ key: String, in wanted: LocaleTag?, else own: LocaleTag?) -> Hit? {
        for locale in wanted?.chain ?? [] {
            if let entry = tables[locale]?[key] { return Hit(entry: entry, locale: locale, isOtherLanguage: false) }
        }
        for locale in own?.chain ?? [] {
            if let entry = tables[locale]?[key] {
                return Hit(entry: entry, locale: locale, isOtherLanguage: wanted.map { !$0.chain.contains(locale) } ?? false)
            }
        }
        return nil
    }

    /// The file that a text of this locale belongs into: the most general one that there is.
    func file(for locale: LocaleTag) -> String {
        let table = locale.chain.last { tables[$0] != nil } ?? locale.chain.last ?? locale
        return "lib/strings/\(table.name).lua"
    }
}
