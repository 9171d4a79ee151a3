// What scripts put into sentences of ours - names, keys, the words of their own errors - goes through here on its way into a
// fault or an error: these stand on one line of a terminal, of a log and of JSON, and not all of them look at what they show.

extension String {
    /// Bytes of one sentence. What is longer is text that an author has put into it, and its beginning says which.
    private static let longestSentence = 1_024

    /// Without what would break the line, move a cursor or turn the reading direction; cut where it is too long.
    var asSentence: String {
        if utf8.count <= Self.longestSentence, utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return self }
        var text = ""
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: text += "·"
            // Joiners of emoji and tags of flags are part of what is read.
            case .format where scalar.value != 0x200D && !(0xE0020...0xE007F).contains(scalar.value): continue
            default: text.unicodeScalars.append(scalar)
            }
            guard text.utf8.count < Self.longestSentence else { return text + "…" }
        }
        return text
    }
}
