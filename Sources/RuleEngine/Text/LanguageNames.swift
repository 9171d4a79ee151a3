// What people write for a language that phones do not: its English name, or the code of a country.

enum LanguageNames {
    private static let codes = [
        "arabic": "ar", "chinese": "zh", "danish": "da", "dutch": "nl", "english": "en", "finnish": "fi", "french": "fr",
        "german": "de", "greek": "el", "hebrew": "he", "hindi": "hi", "indonesian": "id", "italian": "it", "japanese": "ja",
        "korean": "ko", "norwegian": "no", "polish": "pl", "portuguese": "pt", "russian": "ru", "spanish": "es", "swedish": "sv",
        "thai": "th", "turkish": "tr", "ukrainian": "uk", "vietnamese": "vi", "jp": "ja", "cn": "zh", "cz": "cs", "dk": "da", "gr": "el",
    ]

    /// nil when phones may send it.
    static func remark(on value: String) -> (message: String, hint: String)? {
        if let code = codes[value.lowercased()] { return ("phones do not name a language so", "did you mean \"\(code)\"?") }
        guard LocaleTag(value) == nil else { return nil }
        return ("that is not the name of a language", "write one such as \"ko\" or \"ko-KR\"")
    }
}
