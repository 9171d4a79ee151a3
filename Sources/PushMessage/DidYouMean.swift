// Finds what somebody meant by a misspelt word: for keys of messages, of rules and of devices, for words and verbs. It is
// asked about names that others write, thousands at a time where they mean harm, so what one question costs is bounded;
// how many are asked is bounded by whoever asks (`TellingRoom`).

public enum DidYouMean {
    /// Names of more bytes are not slips of anything.
    static let longest = 64
    /// Candidates that are looked at; all names of time zones are fewer.
    public static let most = 700

    /// The candidate that `word` is most likely a slip of, or nil. The same word in other capitals, or with `-` and
    /// `_` exchanged or left out, comes first; else the nearest by edits (insert, delete, replace, swap neighbours):
    /// at most 2, and at most a third of the word's length. Of equally near ones the first wins.
    /// - Parameter most: more than `DidYouMean.most` only where nobody else has written the candidates.
    public static func nearest(to word: String, among candidates: some Sequence<String>, most: Int = most) -> String? {
        var work = 0
        return nearest(to: word, among: candidates, most: most, work: &work)
    }

    /// - Parameter work: grows by the cells of the tables of distances that were filled, and one for each candidate.
    static func nearest(to word: String, among candidates: some Sequence<String>, most: Int = most, work: inout Int) -> String? {
        guard word.utf8.count <= longest else { return nil }
        let folded = Array(word.lowercased().unicodeScalars)
        let plain = letters(of: folded)
        var best: (candidate: String, distance: Int)?
        for candidate in candidates.prefix(most) where candidate.utf8.count <= longest && candidate != word {
            work += 1
            let foldedCandidate = Array(candidate.lowercased().unicodeScalars)
            if foldedCandidate == folded { return candidate }
            if !plain.isEmpty, letters(of: foldedCandidate) == plain {
                if best.map({ $0.distance > 0 }) ?? true { best = (candidate, 0) }
                continue
            }
            let limit = min(2, max(folded.count, foldedCandidate.count) / 3, (best?.distance ?? 3) - 1)
            guard limit > 0, let distance = distance(folded, foldedCandidate, atMost: limit, work: &work) else { continue }
            best = (candidate, distance)
        }
        return best?.candidate
    }

    /// Letters and digits only.
    private static func letters(of word: [Unicode.Scalar]) -> [Unicode.Scalar] {
        word.filter { $0 != "-" && $0 != "_" && $0 != "." }
    }

    /// Edits between two words where neighbours may be swapped once; nil when more than `limit`. Only the places that
    /// so many edits can lead to are looked at, and none after a row that is beyond it already.
    private static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar], atMost limit: Int, work: inout Int) -> Int? {
        guard abs(a.count - b.count) <= limit else { return nil }
        let beyond = limit + 1
        var beforeLast = [Int](repeating: beyond, count: b.count + 1)
        var last = (0...b.count).map { min($0, beyond) }
        for i in 0..<a.count {
            var row = [Int](repeating: beyond, count: b.count + 1)
            row[0] = min(i + 1, beyond)
            var nearest = row[0]
            for j in max(0, i - limit)..<max(max(0, i - limit), min(b.count, i + limit + 1)) {
                work += 1
                var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
                row[j + 1] = min(cost, beyond)
                nearest = min(nearest, row[j + 1])
            }
            // A swap reaches two rows back.
            guard nearest <= limit || last.contains(where: { $0 < limit }) else { return nil }
            beforeLast = last
            last = row
        }
        return last[b.count] <= limit ? last[b.count] : nil
    }
}
