// Texts of others - keys, names, words - as sentences quote them: enough to know which one is meant. Called by whoever makes a
// warning or a reason; nothing here makes a text longer.

extension String {
    /// At most 80 characters.
    public var shortened: String {
        guard utf8.count > 80 else { return self }
        // One character can be made of any number of scalars.
        let end = unicodeScalars.index(startIndex, offsetBy: 320, limitedBy: endIndex) ?? endIndex
        let beginning = self[..<end]
        guard end < endIndex || beginning.count > 80 else { return self }
        return beginning.prefix(79) + "…"
    }

    /// At most so many bytes, and an ellipsis.
    func held(to bytes: Int) -> String {
        guard utf8.count > bytes else { return self }
        var end = utf8.index(startIndex, offsetBy: bytes)
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return self[..<end] + "…"
    }
}
