// A field that a view does not have: it would be nil for every message. At run time that is a warning, and only where a
// message comes by.
import PushMessage
import RuleEngine
import RuleReference

extension Check {
    static let unknownField = Check("unknown_field", .error) { app, findings in
        for found in app.expressions {
            let (file, rule, expression) = (found.file, found.rule, found.expression)
            guard case .index(let object, let key, let offset) = expression, let name = key.text, let path = object.path else { continue }
            if path == LuaPath(root: .view("event"), keys: []) {
                let (known, areAll) = detailKeys(app.events(of: rule, in: file))
                guard !known.contains(name) else { continue }
                let near = DidYouMean.nearest(to: name, among: known)
                guard areAll || near != nil else { continue }
                tell("event", known, near)
                continue
            }
            guard let table = object.type?.onlyTable, table.others == nil, table[name] == nil else { continue }
            // A function of the view that is read like a field has a check of its own.
            if path.keys.isEmpty, case .view(let view) = path.root, KnownNames.methods(of: view).contains(name) { continue }
            tell(path.written, table.names, DidYouMean.nearest(to: name, among: table.names))

            func tell(_ owner: String, _ known: [String], _ near: String?) {
                let advice =
                    near.map { "did you mean \(owner).\($0)?" }
                    ?? (owner == "msg"
                        ? "what senders add stands in msg.data: msg.data.\(name)"
                        : "it has " + known.map { "`\($0)`" }.joined(separator: ", "))
                findings.tell(file, at: offset, "`\(owner)` has no field `\(name)`: it is always nil", hint: advice, rule: rule?.name)
            }
        }
    }

    /// What `event` can hold at one of some events; `areAll` is false where details are mostly the app's own.
    private static func detailKeys(_ events: Set<EventName>) -> (keys: [String], areAll: Bool) {
        var keys = ["name"]
        var areAll = true
        for event in EventName.allCases where events.contains(event) {
            let details = AuthorVocabulary.details(of: event)
            keys += details.keys + (event == .due ? ["of"] : [])
            areAll = areAll && details.areAll
        }
        return (keys, areAll)
    }
}
