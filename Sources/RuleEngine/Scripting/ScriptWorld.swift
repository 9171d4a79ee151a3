// The names that the engine itself gives to scripts, beside the machine's own. One list: the machine is made from it,
// and the evaluator answers its functions.
import LuaSandbox
import PushMessage

enum ScriptWorld {
    /// In the order by which the evaluator tells them apart.
    static let functions = ScriptFunction.allCases.dropLast(ScriptFunction.values.count).map { HostFunction($0.name) }
    /// Numbered after the functions.
    static let values = ScriptFunction.values.map { HostFunction($0.name) }
    static let schemas = ViewSchemas(
        message: ViewSchema(fields: MessageField.all + MessageField.nested),
        device: ViewSchema(fields: DeviceKey.names + DeviceKey.nested), event: .free)
}
