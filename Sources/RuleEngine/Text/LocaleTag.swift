// The name of a language, perhaps with script and region, as phones and files write it: "ko-KR", "zh_Hant_HK", "en". Read
// by what picks texts and plural forms; never asks the machine it runs on.

package struct LocaleTag: Hashable, Sendable {
    /// Language, script, region, in the usual capitals: ["zh", "Hant", "HK"].
    private let parts: [String]

    /// nil: no language stands in front. What follows a calendar or an encoding ("@calendar=…", "-u-…", ".UTF-8") is
    /// not looked at.
    package init?(_ text: String) {
        guard text.utf8.count <= 64 else { return nil }
        let bare = text.prefix { $0 != "@" && $0 != "." }
        let subtags = bare.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
        guard let first = subtags.first, (2...3).contains(first.utf8.count), first.utf8.allSatisfy(\.isLetter) else { return nil }
        let language = first.lowercased()
        var parts = [LocaleTag.renamed[language] ?? language]
        for subtag in subtags.dropFirst() {
            let bytes = subtag.utf8
            if bytes.count == 1 { break }
            if parts.count == 1, bytes.count == 4, bytes.allSatisfy(\.isLetter) {
                parts.append(subtag.prefix(1).uppercased() + subtag.dropFirst().lowercased())
            } else if bytes.count == 2 && bytes.allSatisfy(\.isLetter) || bytes.count == 3 && bytes.allSatisfy(\.isDigit) {
                parts.append(subtag.uppercased())
                break
            } else {
                guard (4...8).contains(bytes.count), bytes.allSatisfy({ $0.isLetter || $0.isDigit }) else { return nil }
                break
            }
        }
        self.parts = parts
    }

    private init(parts: [String]) { self.parts = parts }

    var language: String { parts[0] }
    /// "zh-Hant-HK"
    package var name: String { parts.joined(separator: "-") }

    /// How many there are in its chain, or nearly.
    var generality: Int { parts.count + 1 }

    /// Itself, then ever more general: zh-Hant-HK, zh-Hant, zh.
    package var chain: [LocaleTag] {
        let shorter = (1...parts.count).reversed().map { LocaleTag(parts: Array(parts.prefix($0))) }
        // Bokmål is what most people mean by Norwegian.
        return language == "nb" ? shorter + [LocaleTag(parts: ["no"])] : shorter
    }

    /// Codes that older phones and libraries still write.
    private static let renamed = ["iw": "he", "in": "id", "ji": "yi", "jw": "jv", "mo": "ro"]
}

extension UInt8 {
    fileprivate var isLetter: Bool { (97...122).contains(self | 32) }
    fileprivate var isDigit: Bool { (48...57).contains(self) }
}
