// The keys that an event's details can have. Others are for rules, which may read whatever is sent; but beside fixed keys
// one more is most likely misspelt, and what it says would go lost. Called when an event is read.
import JSONDocument
import PushMessage

enum EventKeys {
    static func unknown(in details: JSONValue, of name: EventName) -> [Warning] {
        var warnings: [Warning] = []
        let room = TellingRoom()
        let (known, areAll) = keys(of: name)
        for member in details.children where !(member.key == "name") && !known.contains(where: { member.key == $0 }) {
            let key = member.key.string
            // Beside one known key all others are the app's own, however many.
            let near = areAll ? room.nearest(to: key, among: known) : DidYouMean.nearest(to: key, among: known)
            guard areAll || near != nil, room.take() else { continue }
            warnings.append(
                Warning(
                    code: .unknownEventKey, path: "event.\(key.shortened)",
                    message: "the event \"\(name.rawValue)\" has no key `\(key.shortened)`",
                    hint: near.map { "did you mean `\($0)`?" } ?? "known are " + known.joined(separator: ", ")))
        }
        return room.closed(warnings)
    }

    /// - Returns: `areAll` is false where details are mostly the app's own.
    static func keys(of name: EventName) -> (known: [String], areAll: Bool) {
        switch name {
        case .account: (["op", "account", "previous"], true)
        case .token: (["kind", "value"], true)
        case .settings: (["changed", "reset"], true)
        case .due: (["deferred_id", "attempt"], true)
        case .enrich: (["fetched"], false)
        case .open: (["action"], false)
        case .send, .receive, .present, .resume: ([], false)
        }
    }
}
