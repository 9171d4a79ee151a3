// The plural rules against what ICU answers, and the names of languages.
import Foundation
import Testing

@testable import RuleEngine

@Suite struct PluralRulesTests {
    private static let letters: [Character: PluralForm] = ["z": .zero, "o": .one, "t": .two, "f": .few, "m": .many, "x": .other]

    @Test("Every language gives every number the form that ICU gives it")
    func icu() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent("Cases/plurals/forms.txt"), encoding: .utf8)
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        let numbers = try lines[0].split(separator: " ").map { try #require(PluralNumber($0.utf8)) }
        #expect(numbers.count > 150 && lines.count > 200)
        for line in lines.dropFirst() {
            let parts = line.split(separator: " ")
            let locale = try #require(LocaleTag(String(parts[0])))
            for (number, letter) in zip(numbers, parts[1]) {
                let form = PluralRules.form(of: number, in: locale)
                if form != Self.letters[letter] { Issue.record("\(parts[0]): \(number) is \(letter), not \(String(describing: form))") }
            }
        }
    }

    @Test(
        "Numbers are looked at as they are written",
        arguments: [
            ("1", 1, 0, 0, 0), ("1.0", 1, 1, 0, 0), ("1.50", 1, 2, 50, 5), ("-3", 3, 0, 0, 0), ("1.5e3", 1500, 0, 0, 0),
            ("25e-1", 2, 1, 5, 5), ("1e-7", 0, 7, 1, 1), ("0.00", 0, 2, 0, 0), ("123456789012345678901", 156789012345678901, 0, 0, 0),
        ] as [(String, UInt64, Int, UInt64, UInt64)])
    func operands(text: String, whole: UInt64, decimals: Int, fraction: UInt64, bare: UInt64) throws {
        let number = try #require(PluralNumber(text.utf8))
        #expect(number.whole == whole && number.decimals == decimals && number.fraction == fraction && number.bareFraction == bare)
    }

    @Test(
        "What is no number is none",
        arguments: ["", "-", "1.", ".5", "1,000", "one", "0x10", "1e", "1e9999", " 1", "1e400000000000000000000", "∞"])
    func none(text: String) {
        #expect(PluralNumber(text.utf8) == nil)
    }

    @Test(
        "Locales are read as phones write them",
        arguments: [
            ("ko-KR", ["ko-KR", "ko"]), ("ko_kr", ["ko-KR", "ko"]), ("zh-hant-hk", ["zh-Hant-HK", "zh-Hant", "zh"]), ("EN", ["en"]),
            ("es-419", ["es-419", "es"]), ("nb-NO", ["nb-NO", "nb", "no"]), ("iw-IL", ["he-IL", "he"]),
            ("en_US@calendar=gregorian", ["en-US", "en"]),
            ("ko-KR-u-ca-gregory", ["ko-KR", "ko"]), ("de-1996", ["de"]), ("en_US.UTF-8", ["en-US", "en"]), ("fil", ["fil"]),
            ("", nil), ("?", nil), ("e", nil), ("english", nil), ("en--US", nil), ("-en", nil), ("ko-KR/../x", nil), ("한국어", nil),
        ] as [(String, [String]?)])
    func locales(text: String, chain: [String]?) {
        #expect(LocaleTag(text)?.chain.map(\.name) == chain)
    }

    @Test("Texts that are wrong are told when the app is loaded, each with its place")
    func faults() {
        func faults(_ files: [(String, String)], app: String = "return { api = 1 }") -> [String] {
            let files =
                [SourceFile(path: "app.lua", bytes: Array(app.utf8))] + files.map { SourceFile(path: $0.0, bytes: Array($0.1.utf8)) }
            guard case .failed(let faults) = RulesetLoader.load(app: "test", files: files) else { return [] }
            return faults.map { "\($0.file):\($0.line):\($0.column) \($0.code.rawValue) \($0.message) | \($0.hint ?? "")" }
        }
        #expect(
            faults([
                (
                    "lib/strings/en.lua",
                    "return {\n  a = 1,\n  b = { one = \"x\" },\n  c = { other = \"x\", zero = \"y\" },\n  d = { other = \"x\", oter = \"y\" },\n}"
                )
            ]) == [
                "lib/strings/en.lua:2:3 wrong_type `a` must be text or a table of plural forms such as { one = \"…\", other = \"…\" }, but it is 1 | ",
                "lib/strings/en.lua:3:3 bad_value `b` has no form `other`, which every language needs | add: other = \"…\"",
                "lib/strings/en.lua:4:22 bad_value `c.zero` would never be shown: the language \"en\" has no form `zero` | it has `one`, `other`",
                "lib/strings/en.lua:5:22 unknown_key `d` has no key `oter` | did you mean `other`?",
            ])
        #expect(
            faults([("lib/strings/en.lua", "local a = 1")]).first?.contains("must return a table of texts by key, but it returns nothing")
                == true)
        #expect(faults([("lib/strings/en.lua", "return \"a\"")]).first?.contains("wrong_type") == true)
        #expect(faults([("lib/strings/ko_KR.lua", "return {}")]).first?.hasSuffix("name the file ko-KR.lua") == true)
        #expect(faults([("lib/strings/words.lua", "return {}")]).first?.contains("\"words\" is not the name of a language") == true)
        #expect(faults([("lib/strings/en.lua", "return { a = }")]).first?.contains("lua_syntax") == true)
        #expect(
            faults([("lib/strings/en.lua", "rule \"R\" { on = \"send\", decide = {} } return {}")]).first?.contains("rule_misplaced")
                == true)
        #expect(
            faults([("lib/strings/ko.lua", "return {}")], app: "return { api = 1, locale = \"en\" }") == [
                "app.lua:1:19 bad_value `locale` is \"en\", but there is no lib/strings/en.lua | add the file, or name one of the languages that there are: ko"
            ])
        // A file that is there and broken is not missing.
        for broken in ["return { a = }", "return 1", "error(\"no\")", "return { a = 1 }"] {
            let told = faults([("lib/strings/en.lua", broken)], app: "return { api = 1, locale = \"en-GB\" }")
            #expect(told.count == 1 && told.first?.hasPrefix("lib/strings/en.lua:") == true, "\(told)")
        }
        #expect(faults([], app: "return { api = 1, locale = \"english\" }").first?.contains("is not the name of a language") == true)
        #expect(faults([("lib/strings/en.lua", "return {}")], app: "return { api = 1, locale = \"en-GB\" }").isEmpty)
    }
}
