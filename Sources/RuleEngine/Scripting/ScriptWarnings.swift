// What scripts are told beside their answer during one evaluation: each thing once, and not without end. A thing is known by
// its code and path, so that no sentence is made for what has been told or is not told any more.
import PushMessage

struct ScriptWarnings {
    private(set) var list: [Warning] = []
    private var told: Set<Thing> = []
    private static let most = 20

    private struct Thing: Hashable {
        let code: WarningCode
        let about: ExactText
    }

    /// - Parameter thing: what it is about, as exactly as the sentence says it.
    mutating func add(_ code: WarningCode, about thing: String, _ make: () -> Warning) {
        guard list.count < ScriptWarnings.most, told.insert(Thing(code: code, about: ExactText(thing))).inserted else { return }
        let warning = make()
        if !list.contains(warning) { list.append(warning) }
    }
}
