// Which plural form a number takes in a language: the cardinal rules of Unicode CLDR 42. Why they are a table of our own:
// docs/decisions/0008-plurals.md. Compared with ICU, number by number, in the tests.

package enum PluralRules {
    /// nil: a language that CLDR has no rules for.
    package static func form(of number: PluralNumber, in locale: LocaleTag) -> PluralForm? {
        if locale.name == "pt-PT" { return PluralPattern.catalan.form(of: number) }
        return patterns[locale.language]?.form(of: number)
    }

    static func areKnown(in locale: LocaleTag) -> Bool { patterns[locale.language] != nil }

    /// The forms that a language has, in the usual order; nil: not known.
    package static func forms(in locale: LocaleTag) -> [PluralForm]? {
        guard patterns[locale.language] != nil else { return nil }
        let found = Set(samples.compactMap { form(of: $0, in: locale) })
        return PluralForm.allCases.filter(found.contains)
    }

    /// Numbers among which every form of every language occurs.
    private static let samples: [PluralNumber] =
        ((0...130).map { "\($0)" } + ["1000", "1000000", "0.0", "0.1", "0.5", "1.0", "1.5", "0.12"]).compactMap { PluralNumber($0.utf8) }

    /// Languages by pattern; the pattern is named after its best known language.
    private static let patterns: [String: PluralPattern] = {
        var patterns: [String: PluralPattern] = [:]
        for (pattern, languages) in [
            (
                PluralPattern.japanese,
                "bm bo dz hnj id ig ii ja jbo jv kde kea km ko lkt lo ms my nqo osa sah ses sg su th to tpi vi wo yo yue zh"
            ),
            (.hindi, "am as bn doi fa gu hi kn pcm zu"),
            (.armenian, "ff hy kab"),
            (.english, "ast de en et fi fy gl ia io lij nl sc scn sv sw ur yi"),
            (.sinhala, "si"),
            (.punjabi, "ak bho guw ln mg nso pa ti wa"),
            (.tamazight, "tzm"),
            (
                .turkish,
                """
                af an asa az bal bem bez bg brx ce cgg chr ckb dv ee el eo eu fo fur gsw ha haw hu jgo jmc ka kaj kcg kk kkj kl ks \
                ksb ku ky lb lg mas mgo ml mn mr nah nb nd ne nn nnh no nr ny nyn om or os pap ps rm rof rwk saq sd sdh seh sn so \
                sq ss ssy st syr ta te teo tig tk tn tr ts ug uz ve vo vun wae xh xog
                """
            ),
            (.danish, "da"), (.icelandic, "is"), (.macedonian, "mk"), (.filipino, "ceb fil tl"), (.latvian, "lv prg"),
            (.langi, "lag"), (.colognian, "ksh"), (.hebrew, "he"), (.sami, "iu naq sat se sma smi smj smn sms"),
            (.tachelhit, "shi"), (.romanian, "ro"), (.serbian, "bs hr sh sr"), (.french, "fr pt"), (.catalan, "ca it"),
            (.spanish, "es"), (.gaelic, "gd"), (.slovenian, "sl"), (.sorbian, "dsb hsb"), (.czech, "cs sk"), (.polish, "pl"),
            (.belarusian, "be"), (.lithuanian, "lt"), (.russian, "ru uk"), (.breton, "br"), (.maltese, "mt"), (.irish, "ga"),
            (.manx, "gv"), (.cornish, "kw"), (.arabic, "ar ars"), (.welsh, "cy"),
        ] {
            for language in languages.split(separator: " ") { patterns[String(language)] = pattern }
        }
        return patterns
    }()
}
