// How much is told of one kind: of the faults of one load, of the unknown keys of one device. Whoever meets more than
// anybody reads counts the rest, makes no sentence for it, and searches for no hint.

public final class TellingRoom {
    public static let most = 100
    /// Things that are told with what was probably meant; those after them have the plain hint.
    public static let mostSuggestions = 20

    private var told = 0
    /// Those that there was no room for.
    public private(set) var untold = 0
    /// Questions for what was meant, for tests too.
    public private(set) var suggestions = 0

    public init() {}

    /// Whether one more is told; else it is counted.
    public func take() -> Bool {
        guard told < TellingRoom.most else {
            untold += 1
            return false
        }
        told += 1
        return true
    }

    public func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
        guess { DidYouMean.nearest(to: word, among: candidates) }
    }

    /// What was meant, where finding it out takes more than a list.
    public func guess(_ find: () -> String?) -> String? {
        guard suggestions < TellingRoom.mostSuggestions else { return nil }
        suggestions += 1
        return find()
    }

    /// The hint of the last one that is told, with how many more there are.
    public static func hint(_ hint: String?, untold: Int) -> String? {
        guard untold > 0 else { return hint }
        let rest = untold == 1 ? "one more is not told" : "\(untold) more are not told"
        return hint.map { "\($0); \(rest)" } ?? rest
    }
}

extension TellingRoom {
    /// The warnings that there was room for, the last one with how many more there are.
    public func closed(_ warnings: [Warning]) -> [Warning] {
        guard untold > 0, let last = warnings.last else { return warnings }
        return warnings.dropLast() + [
            Warning(code: last.code, path: last.path, message: last.message, hint: TellingRoom.hint(last.hint, untold: untold))
        ]
    }
}
