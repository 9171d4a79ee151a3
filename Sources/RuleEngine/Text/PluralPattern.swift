// The patterns that languages share, each as CLDR writes it: n, i, v, f and t are the operands of PluralNumber.

enum PluralPattern {
    case japanese, hindi, armenian, english, sinhala, punjabi, tamazight, turkish, danish, icelandic, macedonian, filipino
    case latvian, langi, colognian, hebrew, sami, tachelhit, romanian, serbian, french, catalan, spanish, gaelic
    case slovenian, sorbian, czech, polish, belarusian, lithuanian, russian, breton, maltese, irish, manx, cornish
    case arabic, welsh

    func form(of number: PluralNumber) -> PluralForm {
        let n = number.integer
        let (i, v, f, t) = (number.whole, number.decimals, number.fraction, number.bareFraction)
        switch self {
        case .japanese: return .other
        case .hindi: return i == 0 || n == 1 ? .one : .other
        case .armenian: return i <= 1 ? .one : .other
        case .english: return i == 1 && v == 0 ? .one : .other
        case .sinhala: return n == 0 || n == 1 || i == 0 && f == 1 ? .one : .other
        case .punjabi: return n == 0 || n == 1 ? .one : .other
        case .tamazight: return n.isIn(0...1) || n.isIn(11...99) ? .one : .other
        case .turkish: return n == 1 ? .one : .other
        case .danish: return n == 1 || t != 0 && i <= 1 ? .one : .other
        case .icelandic: return t == 0 && i.endsInOne || t.endsInOne ? .one : .other
        case .macedonian: return v == 0 && i.endsInOne || f.endsInOne ? .one : .other
        case .filipino: return filipino(i, v, f)
        case .latvian: return latvian(n, v, f)
        case .langi: return n == 0 ? .zero : i <= 1 ? .one : .other
        case .colognian: return n == 0 ? .zero : n == 1 ? .one : .other
        case .hebrew: return i == 1 && v == 0 || i == 0 && v != 0 ? .one : i == 2 && v == 0 ? .two : .other
        case .sami: return n == 1 ? .one : n == 2 ? .two : .other
        case .tachelhit: return i == 0 || n == 1 ? .one : n.isIn(2...10) ? .few : .other
        case .romanian:
            if i == 1 && v == 0 { return .one }
            return v != 0 || n == 0 || (n.map { $0 % 100 }).isIn(1...19) ? .few : .other
        case .serbian:
            if v == 0 && i.endsInOne || f.endsInOne { return .one }
            return v == 0 && i.endsInTwoToFour || f.endsInTwoToFour ? .few : .other
        case .french: return i <= 1 ? .one : i.isMillions && v == 0 ? .many : .other
        case .catalan: return i == 1 && v == 0 ? .one : i.isMillions && v == 0 ? .many : .other
        case .spanish: return n == 1 ? .one : i.isMillions && v == 0 ? .many : .other
        case .gaelic:
            if n == 1 || n == 11 { return .one }
            if n == 2 || n == 12 { return .two }
            return n.isIn(3...10) || n.isIn(13...19) ? .few : .other
        case .slovenian:
            guard v == 0 else { return .few }
            return i % 100 == 1 ? .one : i % 100 == 2 ? .two : (3...4).contains(i % 100) ? .few : .other
        case .sorbian:
            if v == 0 && i % 100 == 1 || f % 100 == 1 { return .one }
            if v == 0 && i % 100 == 2 || f % 100 == 2 { return .two }
            return v == 0 && (3...4).contains(i % 100) || (3...4).contains(f % 100) ? .few : .other
        case .czech: return v != 0 ? .many : i == 1 ? .one : (2...4).contains(i) ? .few : .other
        case .polish: return v != 0 ? .other : i == 1 ? .one : i.endsInTwoToFour ? .few : .many
        case .belarusian:
            guard let n else { return .other }
            return n.endsInOne ? .one : n.endsInTwoToFour ? .few : .many
        case .lithuanian:
            guard let n else { return .many }
            if (11...19).contains(n % 100) || n % 10 == 0 { return f != 0 ? .many : .other }
            return n % 10 == 1 ? .one : .few
        case .russian: return v != 0 ? .other : i.endsInOne ? .one : i.endsInTwoToFour ? .few : .many
        case .breton: return breton(n)
        case .maltese:
            guard let n else { return .other }
            if n <= 2 { return n == 0 ? .few : n == 1 ? .one : .two }
            return (3...10).contains(n % 100) ? .few : (11...19).contains(n % 100) ? .many : .other
        case .irish:
            if n == 1 || n == 2 { return n == 1 ? .one : .two }
            return n.isIn(3...6) ? .few : n.isIn(7...10) ? .many : .other
        case .manx:
            guard v == 0 else { return .many }
            return i % 10 == 1 ? .one : i % 10 == 2 ? .two : i % 20 == 0 ? .few : .other
        case .cornish: return cornish(n)
        case .arabic:
            guard let n else { return .other }
            if n <= 2 { return n == 0 ? .zero : n == 1 ? .one : .two }
            return (3...10).contains(n % 100) ? .few : (11...99).contains(n % 100) ? .many : .other
        case .welsh:
            switch n {
            case 0: return .zero
            case 1: return .one
            case 2: return .two
            case 3: return .few
            case 6: return .many
            default: return .other
            }
        }
    }

    private func filipino(_ i: UInt64, _ v: Int, _ f: UInt64) -> PluralForm {
        let last = (v == 0 ? i : f) % 10
        return last == 4 || last == 6 || last == 9 ? .other : .one
    }

    private func latvian(_ n: UInt64?, _ v: Int, _ f: UInt64) -> PluralForm {
        if let n, n % 10 == 0 || (11...19).contains(n % 100) { return .zero }
        if v == 2 && (11...19).contains(f % 100) { return .zero }
        if let n, n.endsInOne { return .one }
        return v == 2 && f.endsInOne || v != 2 && f % 10 == 1 ? .one : .other
    }

    private func breton(_ n: UInt64?) -> PluralForm {
        guard let n else { return .other }
        // 10 to 19, 70 to 79 and 90 to 99 count by their own words.
        let isOwnTen = [1, 7, 9].contains(n % 100 / 10)
        switch n % 10 {
        case 1 where !isOwnTen: return .one
        case 2 where !isOwnTen: return .two
        case 3 where !isOwnTen, 4 where !isOwnTen, 9 where !isOwnTen: return .few
        default: return n.isMillions ? .many : .other
        }
    }

    private func cornish(_ n: UInt64?) -> PluralForm {
        guard let n else { return .other }
        if n <= 1 { return n == 0 ? .zero : .one }
        // 2, 22, 42, 62, 82 and so on: the twenties share their last figure.
        let inTwenty = n % 100 % 20
        if inTwenty == 2 { return .two }
        if n % 1000 == 0 {
            let thousands = n % 100_000 / 1000
            if (1...20).contains(thousands) || [40, 60, 80].contains(thousands) { return .two }
        }
        if n % 1_000_000 == 100_000 { return .two }
        return inTwenty == 3 ? .few : inTwenty == 1 ? .many : .other
    }
}

extension UInt64 {
    /// 1, 21, 31 …, not 11.
    fileprivate var endsInOne: Bool { self % 10 == 1 && self % 100 != 11 }
    /// 2, 3, 4, 22, 23, 24 …, not 12 to 14.
    fileprivate var endsInTwoToFour: Bool { (2...4).contains(self % 10) && !(12...14).contains(self % 100) }
    fileprivate var isMillions: Bool { self != 0 && self % 1_000_000 == 0 }
}

extension UInt64? {
    fileprivate func isIn(_ range: ClosedRange<UInt64>) -> Bool { map(range.contains) ?? false }
}
