// The lines that differ between two versions of an app: what stands beside who changed it and why.
public import JSONDocument
import RuleEngine
import RuleLab

public struct FileDifference: Sendable, Equatable {
    public let path: String
    /// With "+ " or "- " before each line, in the order of the files.
    public let lines: [String]

    static func between(_ old: [SourceFile], _ new: [SourceFile]) -> [FileDifference] {
        RuleFileChange.between(old, new).map { change in
            FileDifference(path: change.path, lines: change.lines.map { ($0.isNew ? "+ " : "- ") + $0.text })
        }
    }

    public static func write(_ all: [FileDifference], into writer: inout JSONWriter) {
        writer.beginArray()
        for file in all {
            writer.beginObject()
            writer.key("path")
            writer.string(file.path)
            writer.key("lines")
            writer.beginArray()
            for line in file.lines { writer.string(line) }
            writer.endArray()
            writer.endObject()
        }
        writer.endArray()
    }
}
