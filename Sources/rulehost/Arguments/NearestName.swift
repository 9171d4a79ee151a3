// "Did you mean": the known name that a mistyped one is closest to.

enum NearestName {
    /// nil when nothing is close enough: more than a third of the letters would have to change.
    static func of(_ word: String, among names: [String]) -> String? {
        let typed = Array(word.lowercased().utf8)
        guard typed.count <= 64 else { return nil }
        var best: (name: String, distance: Int)?
        // Names that others write may be thousands: what looking at one costs is bounded, and how many are looked at.
        for name in names.prefix(700) where name.utf8.count <= 96 {
            let known = Array(name.lowercased().utf8)
            let allowed = max(1, max(typed.count, known.count) / 3)
            guard abs(typed.count - known.count) <= allowed else { continue }
            let distance = self.distance(typed, known)
            if distance <= allowed, distance < best?.distance ?? .max { best = (name, distance) }
        }
        return best?.name
    }

    /// Letters to insert, delete, replace or swap with their neighbour.
    private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var before: [Int] = []
        var above = Array(0...b.count)
        for i in 0..<a.count {
            var row = [i + 1]
            for j in 0..<b.count {
                var cost = min(above[j + 1] + 1, row[j] + 1, above[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, before[j - 1] + 1) }
                row.append(cost)
            }
            before = above
            above = row
        }
        return above[b.count]
    }
}
