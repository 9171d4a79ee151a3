// The versions of one stage as one can go back through them: what came stands above what was there before; going back takes off what was
// above. Both keepings of a host build it, the store from the audit, so that they give the same way back. It knows nothing of rules.
public struct StageHistory: Sendable, Equatable {
    /// The hash of the one that is on the stage comes last. None stands beside itself.
    public private(set) var hashes: [String] = []

    /// So far can be gone back.
    static let most = 256

    package init() {}

    /// A version has come to the stage for all.
    /// - Parameter isWayBack: whoever brought it went back to it: what stood above it was not wanted, and is no way back any more, wherever
    ///   else it stands.
    package mutating func came(_ hash: String, isWayBack: Bool) {
        if isWayBack, let place = hashes.lastIndex(of: hash) {
            let unwanted = Set(hashes[(place + 1)...])
            hashes.removeSubrange((place + 1)...)
            for other in unwanted where other != hash { forget(other) }
        }
        if hashes.last != hash { hashes.append(hash) }
        if hashes.count > StageHistory.most { hashes.removeFirst(hashes.count - StageHistory.most) }
    }

    /// It is not kept any more.
    package mutating func forget(_ hash: String) {
        guard hashes.contains(hash) else { return }
        var others: [String] = []
        for other in hashes where other != hash && other != others.last { others.append(other) }
        hashes = others
    }

    /// nil: there is none.
    public func before(_ hash: String) -> String? {
        guard let place = hashes.lastIndex(of: hash), place > 0 else { return nil }
        return hashes[place - 1]
    }
}
