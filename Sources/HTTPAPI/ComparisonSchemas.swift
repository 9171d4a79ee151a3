// The shapes of a comparison for the description of the routes: what it is asked, and what it answers. Used by OpenAPISchemas.
import RuleHosting

enum ComparisonSchemas {
    static let request = bytes(
        #"{"type":"object","properties":{"old":"# + side("serving") + #","new":"# + side("folder")
            + #","traffic":{"description":"What happened, in order: lines of the log of decisions, or of docs/traffic.md.","type":"array","maxItems":10000,"items":"#
            + line + #"}},"required":["traffic"],"additionalProperties":false}"#)

    private static func side(_ usual: String) -> String {
        #"{"description":"`serving`: what is in force; `folder`: the app's folder as it is now; the hash of a version, or its first digits; files in place of those of the folder, null for one that is to be away. "#
            + #"When nothing is said: `"# + usual
            + #"`.","anyOf":[{"type":["string","null"]},{"type":"object","properties":{"files":{"type":"object","patternProperties":{"^((lib|cases)/)?[A-Za-z0-9_-]{1,60}[.]lua$|^cases/[A-Za-z0-9_-]{1,60}[.]json$":{"type":["string","null"]}},"additionalProperties":false}},"required":["files"],"additionalProperties":false}]}"#
    }

    private static let line =
        ##"{"type":"object","properties":{"at":{"type":"string","format":"date-time"},"app":{"description":"That of the path.","type":"string","pattern":"^[a-z0-9][a-z0-9-]{0,62}$"},"##
        + ##""event":{"anyOf":[{"$ref":"#/components/schemas/Event"},{"type":"null"}]},"message":{"anyOf":[{"$ref":"#/components/schemas/Message"},{"type":"null"}]},"device":{"$ref":"#/components/schemas/Device"}},"##
        + #""required":["at","app","device"],"anyOf":["# + OpenAPISchemas.alone + "]}"

    static let answer = bytes(
        object(
            [
                ("app", text), ("old", named), ("new", named), ("events", count), ("changed", count),
                ("kinds", object(ComparisonWish.kinds.map { ($0, count) })), ("by_rule", counts), ("by_channel", counts),
                ("by_hour", counts), ("examples", list(example)), ("people", count), ("waiting", object([("old", count), ("new", count)])),
                ("badge_carried", count), ("other_reason", count),
                ("left_out", object([("other_apps", count), ("unreadable", count)])), ("out_of_order", count),
            ]))

    private static let named = object([("name", text), ("ruleset", text)])
    private static let example = object(
        [
            ("line", count), ("at", #"{"type":"string","format":"date-time"}"#), ("recipient", text),
            ("kinds", list(#"{"enum":["# + ComparisonWish.kinds.map { "\"\($0)\"" }.joined(separator: ",") + "]}")), ("rules", list(text)),
            ("device", #"{"type":"object"}"#), ("old", decided), ("new", decided),
        ], sometimes: [("channel", text), ("event", text), ("message", #"{"type":"object"}"#)])
    /// Of a named event one decision, or none; of a message the decisions of its journey.
    private static let decided = ##"{"anyOf":[{"$ref":"#/components/schemas/Answer"},{"type":"null"}]}"##

    private static let text = #"{"type":"string"}"#
    private static let count = #"{"type":"integer","minimum":0}"#
    private static let counts = #"{"type":"object","additionalProperties":{"type":"integer","minimum":1}}"#

    private static func list(_ schema: String) -> String { "{\"type\":\"array\",\"items\":\(schema)}" }

    private static func object(_ members: [(String, String)], sometimes others: [(String, String)] = []) -> String {
        let all = (members + others).map { "\"\($0)\":\($1)" }.joined(separator: ",")
        let required = members.map { "\"\($0.0)\"" }.joined(separator: ",")
        return "{\"type\":\"object\",\"properties\":{\(all)},\"required\":[\(required)],\"additionalProperties\":false}"
    }

    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
}
