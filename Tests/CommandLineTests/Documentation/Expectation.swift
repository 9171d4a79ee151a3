// The output that a page shows, compared with what a command wrote. A line that is only `…` stands for any number of
// lines, a `…` inside a line for any text, the clock of a drawn phone for any time; everything else must be the same to
// the letter.

struct Expectation {
    let lines: [String]

    /// nil when the output is as expected; else the first line that is not, and both texts.
    func difference(from output: String) -> String? {
        var written = output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        while written.last == "" { written.removeLast() }
        if Self.matches(lines[...], written[...]) { return nil }
        return "the page shows:\n" + lines.joined(separator: "\n") + "\nthe program wrote:\n" + written.joined(separator: "\n")
    }

    private static func matches(_ expected: ArraySlice<String>, _ written: ArraySlice<String>) -> Bool {
        guard let first = expected.first else { return written.isEmpty }
        if first == "…" {
            return (written.startIndex...written.endIndex).contains { matches(expected.dropFirst(), written[$0...]) }
        }
        guard let line = written.first, sameLine(first, line) else { return false }
        return matches(expected.dropFirst(), written.dropFirst())
    }

    /// The status bar of a drawn phone begins with its clock.
    private static func withoutClock(_ line: String) -> String {
        guard line.contains("▂▄▆") else { return line }
        return line.replacing(/[0-9]{2}:[0-9]{2}/, with: "09:41")
    }

    private static func sameLine(_ expected: String, _ written: String) -> Bool {
        let expected = withoutClock(expected)
        let written = withoutClock(written)
        let parts = expected.split(separator: "…", omittingEmptySubsequences: false)
        guard parts.count > 1, let head = parts.first, let tail = parts.last else { return expected == written }
        guard written.hasPrefix(head), written.dropFirst(head.count).hasSuffix(tail) else { return false }
        var rest = written.dropFirst(head.count).dropLast(tail.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let found = rest.firstRange(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return true
    }
}
