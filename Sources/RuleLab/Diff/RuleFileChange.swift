// Which lines of an app's files differ between two rulesets: what was changed, beside what it changes.
import PushMessage
public import RuleEngine

public struct RuleFileChange: Sendable, Equatable {
    public enum Kind: Sendable, Equatable { case added, removed, changed }

    public struct Line: Sendable, Equatable {
        /// Of the new file; else of the old one.
        public let isNew: Bool
        /// From 1.
        public let number: Int
        public let text: String
    }

    /// Relative to the app's folder: "banner.lua".
    public let path: String
    public let kind: Kind
    /// In the order of the files, what is gone before what has come in its place.
    public let lines: [Line]

    /// All files that differ, by the bytes of their paths. Cases are no part of a ruleset.
    public static func between(_ old: Ruleset, _ new: Ruleset) -> [RuleFileChange] { between(old.files, new.files) }

    public static func between(_ old: [SourceFile], _ new: [SourceFile]) -> [RuleFileChange] {
        let paths = Set((old + new).map { ExactText($0.path) }).sorted()
        return paths.compactMap { path in
            let before = old.first { path.string.isExactly($0.path) }
            let after = new.first { path.string.isExactly($0.path) }
            guard before?.bytes != after?.bytes else { return nil }
            return RuleFileChange(
                path: path.string, kind: before == nil ? .added : after == nil ? .removed : .changed,
                lines: lines(text(before), text(after)))
        }
    }

    private static func text(_ file: SourceFile?) -> [Substring] {
        guard let file else { return [] }
        var lines = String(decoding: file.bytes, as: UTF8.self).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        if lines.last == "" { lines.removeLast() }
        return lines
    }

    /// What is compared takes memory by the square of this. Files that differ in more lines have all of these replaced.
    private static let mostCompared = 2_000

    private static func lines(_ old: [Substring], _ new: [Substring]) -> [Line] {
        // Most of a file is as it was: the rest is small.
        let start = zip(old, new).prefix { $0 == $1 }.count
        let end = zip(old[start...].reversed(), new[start...].reversed()).prefix { $0 == $1 }.count
        let gone = start..<(old.count - end)
        let come = start..<(new.count - end)
        var removed = Set(gone)
        var inserted = Set(come)
        if gone.count + come.count <= mostCompared {
            let difference = new[come].difference(from: old[gone])
            removed = Set(difference.removals.map { $0.place + start })
            inserted = Set(difference.insertions.map { $0.place + start })
        }
        var lines: [Line] = []
        var (before, after) = (0, 0)
        while before < old.count || after < new.count {
            if removed.contains(before) {
                lines.append(Line(isNew: false, number: before + 1, text: String(old[before])))
                before += 1
            } else if inserted.contains(after) {
                lines.append(Line(isNew: true, number: after + 1, text: String(new[after])))
                after += 1
            } else {
                (before, after) = (before + 1, after + 1)
            }
        }
        return lines
    }
}

extension CollectionDifference.Change {
    fileprivate var place: Int {
        switch self {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
    }
}
