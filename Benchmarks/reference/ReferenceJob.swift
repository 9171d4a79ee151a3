// The job by which rulehost is compared with other engines, as data: an app with one rule, messages, the situations
// of a phone, and what must come out. Read by the benchmark and by its tests; the files beside this one are built into
// the program, so that it can measure wherever it stands.
public import JSONDocument

public enum ReferenceJob {
    public static let app = "reference"

    /// The app's folder.
    public static let files: [(path: String, bytes: [UInt8])] = [
        ("app.lua", PackageResources.app_lua), ("chat.lua", PackageResources.chat_lua),
    ]

    /// The message that all others are made from.
    public static let message = PackageResources.message_json

    /// One situation and the answer of a first engine to it, in a form that any engine can give.
    public struct Check: Sendable {
        public let device: [UInt8]
        public let answer: ReferenceAnswer
    }

    /// Five situations, to be asked in this order on one state, each with a message of its own.
    public static func checks() throws(JSONFault) -> [Check] {
        var checks: [Check] = []
        let contexts = lines(of: PackageResources.contexts_jsonl)
        let answers = lines(of: PackageResources.answers_jsonl)
        let document = JSONDocument()
        for (context, answer) in zip(contexts, answers) {
            try document.read(context)
            let device = document.root.map(device) ?? []
            try document.read(answer)
            if let root = document.root { checks.append(Check(device: device, answer: ReferenceAnswer(peer: root))) }
        }
        return checks
    }

    /// The situation in which the job is measured: the first one.
    public static func device() throws(JSONFault) -> [UInt8] { try checks().first?.device ?? [] }

    /// What other engines are told, in the words of a device. Their `now` is the time of the evaluation.
    private static func device(_ context: JSONValue) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("recipient")
        writer.string(context["user"]?.text ?? "")
        writer.key("state")
        writer.string(context["app_state"]?.text ?? "")
        writer.key("permission")
        writer.string(context["os_push"]?.bool == true ? "authorized" : "denied")
        writer.key("app_push")
        writer.bool(context["app_push"]?.bool ?? false)
        writer.key("screen")
        writer.beginObject()
        writer.key("tab")
        writer.string(context["selected_tab"]?.text ?? "")
        writer.key("path")
        if let path = context["path"] { writer.value(path) } else { writer.null() }
        writer.endObject()
        writer.endObject()
        return writer.bytes
    }

    private static func lines(of file: [UInt8]) -> [[UInt8]] {
        file.split(separator: UInt8(ascii: "\n")).map(Array.init)
    }
}
