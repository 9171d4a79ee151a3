// What is said of names that others write must not cost more than somebody reads. Counted, not timed.
import Testing

@testable import PushMessage

@Suite("Bounds of what is told") struct BoundsTests {
    @Test("A question for what was meant looks at some hundred candidates, and never at whole tables of distances")
    func work() {
        let candidates = (0..<20_000).map { "channel-of-everything-that-can-be-switched-off-by-somebody-\($0 % 10)\($0)" }
        var work = 0
        let word = "channel-of-everything-that-can-be-switched-off-by-somebodyX-x"
        #expect(DidYouMean.nearest(to: word, among: candidates, work: &work) == nil)
        #expect(work <= 700 * (1 + 5 * 64), "\(work)")
    }

    @Test("Names of more than 64 bytes are nobody's slip, and nobody slips into them")
    func long() {
        let name = String(repeating: "a", count: 65)
        #expect(DidYouMean.nearest(to: name + "b", among: [name]) == nil)
        #expect(DidYouMean.nearest(to: String(name.dropLast()), among: [name]) == nil)
        #expect(DidYouMean.nearest(to: String(name.dropLast(2)), among: [String(name.dropLast())]) == String(name.dropLast()))
    }

    /// By the whole table: edits between two words where neighbours may be swapped once.
    private func distance(_ a: [Character], _ b: [Character]) -> Int {
        var table = [[Int]](repeating: [Int](repeating: 0, count: b.count + 1), count: a.count + 1)
        for i in 0...a.count {
            for j in 0...b.count {
                guard i > 0, j > 0 else {
                    table[i][j] = i + j
                    continue
                }
                table[i][j] = min(table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1) }
            }
        }
        return table[a.count][b.count]
    }

    @Test("The short way to the nearest word finds the one that the long way finds")
    func sameAnswers() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<3_000 {
            let words = (0..<8).map { _ in String((0..<Int.random(in: 3...9, using: &random)).map { _ in "abc".randomElement()! }) }
            let word = String((0..<Int.random(in: 3...9, using: &random)).map { _ in "abc".randomElement()! })
            var best: (word: String, distance: Int)?
            for other in words where other != word {
                let d = distance(Array(word), Array(other))
                if d <= min(2, max(word.count, other.count) / 3), best.map({ d < $0.distance }) ?? true { best = (other, d) }
            }
            #expect(DidYouMean.nearest(to: word, among: words) == best?.word, "\(word) among \(words)")
        }
    }

    @Test("What is told is a hundred, with twenty guesses, and the last one says how many more there are")
    func room() {
        let room = TellingRoom()
        var warnings: [Warning] = []
        for number in 0..<250 where room.take() {
            let near = room.nearest(to: "badgee", among: ["badge"])
            warnings.append(Warning(code: .unknownKey, path: "\(number)", message: "x", hint: near))
        }
        let told = room.closed(warnings)
        #expect(told.count == 100 && told.count { $0.hint == "badge" } == 20)
        #expect(told.last?.hint == "150 more are not told")
        #expect(TellingRoom().closed([]).isEmpty)
    }

    @Test("A text that is quoted is cut after 80 characters, whatever a character is made of")
    func quoted() {
        #expect(String(repeating: "x", count: 80).shortened == String(repeating: "x", count: 80))
        #expect(String(repeating: "é", count: 81).shortened == String(repeating: "é", count: 79) + "…")
        let marks = "e" + String(repeating: "\u{301}", count: 60_000)
        #expect(marks.shortened.utf8.count < 700 && marks.shortened.hasSuffix("…"))
    }

    @Test("No warning is longer than its sentences and its path may be")
    func warning() {
        let long = String(repeating: "ä", count: 60_000)
        let warning = Warning(code: .unknownKey, path: long, message: long, hint: long)
        #expect(warning.path.utf8.count <= 515 && warning.message.utf8.count <= 2_051 && (warning.hint?.utf8.count ?? 0) <= 2_051)
        #expect(warning.path.hasPrefix("ää") && warning.path.hasSuffix("ä…"))
    }
}
