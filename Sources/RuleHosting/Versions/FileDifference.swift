// The lines that differ between two versions of an app: what stands behind who changed it and why.
import RuleEngine
import RuleLab

public struct FileDifference: Sendable, Equatable {
    public let path: String
    /// "added", "removed" or "changed".
    public let kind: String
    /// With "+ " or "- " before each line, in the order of the files.
    public let lines: [String]

    static func between(_ old: [SourceFile], _ new: [SourceFile]) -> [FileDifference] {
        RuleFileChange.between(old, new).map { change in
            let kind =
                switch change.kind {
                case .added: "added"
                case .removed: "removed"
                case .changed: "changed"
                }
            return FileDifference(path: change.path, kind: kind, lines: change.lines.map { ($0.isNew ? "+ " : "- ") + $0.text })
        }
    }
}

/// A version, and what it has changed.
public struct VersionChange: Sendable {
    public let hash: String
    /// nil: there is none before it, and all of it is new.
    public let before: String?
    public let files: [FileDifference]
}
