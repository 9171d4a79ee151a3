// Whether what somebody gives an app to remember by hand has room: as much as its rules may keep. Beyond that every rule that writes would fail,
// and of what all share it would fail for everybody. Asked by StateWish, by RecipientDeed and by `rulehost state`; rules themselves are held to it
// by RuleEngine.
import JSONDocument
public import RuleEngine

public enum StateRoom {
    /// Who holds too much already may be given less.
    ///
    /// - Parameter path: what the change was read from.
    /// - Throws: `state_invalid`, with a pointer into a state file.
    public static func check(from before: AppState, to after: AppState, path: String) throws(StoreFault) {
        if let words = excess(of: after.shared, after: before.shared, shared) { throw fault(JSONPath([.key("app")]), words, path) }
        for (id, state) in after.recipients {
            let known = before.recipients[id]?.values ?? [:]
            if let words = excess(of: state.values, after: known, recipient) {
                throw fault(JSONPath([.key("recipients"), .key(id), .key("values")]), words, path)
            }
        }
    }

    /// Of one recipient.
    public static func check(
        from before: ExactTable<StoredValue>, to after: ExactTable<StoredValue>, path: String
    ) throws(StoreFault) {
        if let words = excess(of: after, after: before, recipient) { throw fault(.root, words, path) }
    }

    private struct Quota {
        let bytes: Int
        let keys: Int
        let owner: String
    }

    private static let recipient = Quota(
        bytes: AuthorVocabulary.recipientStateBytes, keys: AuthorVocabulary.recipientStateKeys, owner: "one recipient")
    private static let shared = Quota(bytes: AuthorVocabulary.appStateBytes, keys: AuthorVocabulary.appStateKeys, owner: "an app")

    /// nil: there is room for it.
    private static func excess(of new: ExactTable<StoredValue>, after old: ExactTable<StoredValue>, _ quota: Quota) -> String? {
        let bytes = bytes(of: new)
        if bytes > quota.bytes, bytes >= StateRoom.bytes(of: old), new != old {
            return "keys and values would have \(bytes) bytes, and at most \(quota.bytes) are kept for \(quota.owner)"
        }
        if new.count > quota.keys, new.count > old.count {
            return "there would be \(new.count) keys, and at most \(quota.keys) are kept for \(quota.owner)"
        }
        return nil
    }

    private static func bytes(of values: ExactTable<StoredValue>) -> Int {
        values.reduce(0) { $0 + $1.key.utf8.count + $1.value.json.count }
    }

    private static func fault(_ place: JSONPath, _ words: String, _ path: String) -> StoreFault {
        let pointer = place.steps.reduce("") { pointer, step in
            guard case .key(let key) = step else { return pointer }
            return "\(pointer)/\(key.pointerStep)"
        }
        return StoreFault(
            .stateInvalid, path: path, message: place.steps.isEmpty ? words : "\(place.text): \(words)",
            hint: "rules could write nothing more there: give less, or delete what nobody reads", pointer: pointer)
    }
}
