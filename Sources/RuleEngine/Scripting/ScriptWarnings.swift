// What scripts are told beside their answer during one evaluation: each thing once, and not without end.
import PushMessage

struct ScriptWarnings {
    private(set) var list: [Warning] = []
    private static let most = 20

    mutating func add(_ warning: Warning) {
        guard list.count < ScriptWarnings.most, !list.contains(warning) else { return }
        list.append(warning)
    }
}
