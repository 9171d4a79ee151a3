// Finds what somebody meant by a misspelt word: for keys of messages, of rules and of devices, for words and verbs.

public enum DidYouMean {
    /// The candidate that `word` is most likely a slip of, or nil. The same word in other capitals, or with `-` and
    /// `_` exchanged or left out, comes first; else the nearest by edits (insert, delete, replace, swap neighbours):
    /// at most 2, and at most a third of the word's length. Of equally near ones the first wins.
    public static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
        // Longer words are not slips of anything, and the table of distances must stay small.
        guard word.utf8.count <= 64 else { return nil }
        let plain = letters(of: word)
        let folded = word.lowercased()
        var best: (candidate: String, distance: Int)?
        for candidate in candidates where candidate != word {
            let foldedCandidate = candidate.lowercased()
            if foldedCandidate == folded { return candidate }
            if !plain.isEmpty, letters(of: candidate) == plain {
                if best.map({ $0.distance > 0 }) ?? true { best = (candidate, 0) }
                continue
            }
            let limit = min(2, max(folded.unicodeScalars.count, foldedCandidate.unicodeScalars.count) / 3)
            guard limit > 0, let distance = distance(folded, foldedCandidate, atMost: limit) else { continue }
            if best.map({ distance < $0.distance }) ?? true { best = (candidate, distance) }
        }
        return best?.candidate
    }

    /// Lower-case letters and digits only.
    private static func letters(of word: String) -> [Unicode.Scalar] {
        word.lowercased().unicodeScalars.filter { $0 != "-" && $0 != "_" && $0 != "." }
    }

    /// Edits between two words where neighbours may be swapped once; nil when more than `limit`.
    static func distance(_ first: String, _ second: String, atMost limit: Int) -> Int? {
        let a = Array(first.unicodeScalars)
        let b = Array(second.unicodeScalars)
        guard abs(a.count - b.count) <= limit else { return nil }
        var beforeLast = [Int](repeating: 0, count: b.count + 1)
        var last = Array(0...b.count)
        for i in 0..<a.count {
            var row = [Int](repeating: i + 1, count: b.count + 1)
            for j in 0..<b.count {
                var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
                row[j + 1] = cost
            }
            beforeLast = last
            last = row
        }
        return last[b.count] <= limit ? last[b.count] : nil
    }
}
