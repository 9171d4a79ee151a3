// The names that the engine itself gives to scripts, beside the machine's own. One list: the machine is made from it,
// the evaluator answers its functions, and errors guess from its names what an author meant.
import LuaSandbox
import PushMessage

enum ScriptWorld {
    /// In the order by which the evaluator tells them apart.
    static let functions: [HostFunction] = ScriptFunction.allCases.map { HostFunction($0.name) }
    static let schemas = ViewSchemas(
        message: ViewSchema(fields: MessageField.all), device: ViewSchema(fields: DeviceKey.names), event: .free)

    /// What a script may write at its top: for "did you mean".
    static let names: [String] = [
        "rule", "suppress", "show", "defer", "route", "state", "settings", "time", "bucket", "text", "log", "json",
        "require", "assert", "error", "ipairs", "next", "pairs", "pcall", "select", "tonumber", "tostring", "type",
        "string", "table", "math", "utf8",
    ]
}
