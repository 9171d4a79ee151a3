// Finds entries by what somebody remembers of them.
import PushMessage

public enum SearchResult: Sendable {
    /// Entries of that name, or whose last part it is, with the section of that name.
    case found([Entry], Entry.Section?)
    /// Entries that have the word in their name or in their summary.
    case mentioned([Entry])
    case nothing(nearest: String?)
}

extension Entry {
    /// - Parameter word: a name, the last part of one ("from", "link"), a section, or a word of the text.
    public static func search(_ word: String) -> SearchResult {
        let word = word.lowercased()
        let section = Section.allCases.first { $0.rawValue == word }
        // What a host has of that name is meant as often.
        let exact = all.filter { $0.name.lowercased() == word || $0.name.lowercased() == "host:\(word)" }
        let ending = all.filter { entry in
            let name = entry.name.lowercased()
            return name != word && name != "host:\(word)" && [".", ":"].contains { name.hasSuffix($0 + word) }
        }
        if !exact.isEmpty || section != nil { return .found(exact, section) }
        if !ending.isEmpty { return .found(ending, nil) }
        let mentions = word.count < 3 ? [] : all.filter { $0.name.lowercased().contains(word) || $0.summary.lowercased().contains(word) }
        if !mentions.isEmpty { return .mentioned(mentions) }
        let names = all.map(\.name)
        let ends = names.compactMap { name in name.lastIndex { ".:".contains($0) }.map { String(name[name.index(after: $0)...]) } }
        return .nothing(nearest: DidYouMean.nearest(to: word, among: Section.allCases.map(\.rawValue) + names + ends, most: .max))
    }
}
