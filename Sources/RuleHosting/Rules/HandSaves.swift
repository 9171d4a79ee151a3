// Who has saved which files over HTTP lately, and why: so that a version can say whose it is. Told of by RuleHost.change before anybody sees
// the change; asked by the library when it keeps a version. It must not guess: where one file came from elsewhere, nobody is named.
import EffectStore
import PushMessage
import RuleEngine
import RuleStore

final class HandSaves: Sendable {
    private struct Save {
        /// nil: the file is gone.
        let digest: FileDigest?
        let deed: Deed
    }

    /// By app and path.
    private let saves = Monitor<[String: [String: Save]]>([:])
    /// Of an app, of files that no version was made of.
    private static let most = 1_000
    private static let longestReason = 4_096
    /// Milliseconds after which a save that is in no version has been written over.
    private static let patience: Int64 = 60_000

    /// - Parameter bytes: nil: the file is to go.
    func note(_ path: AppFilePath, _ bytes: [UInt8]?, of app: String, by deed: Deed) {
        // They are no part of a version.
        if path.isCases { return }
        let save = Save(digest: bytes.map { FileDigest(of: $0) }, deed: deed)
        saves.withLock { saves in
            if (saves[app]?.count ?? 0) >= HandSaves.most { saves[app] = nil }
            saves[app, default: [:]][path.description] = save
        }
    }

    /// It was not made after all.
    func takeBack(_ path: AppFilePath, of app: String, by deed: Deed) {
        saves.withLock { saves in
            if saves[app]?[path.description]?.deed == deed { saves[app]?[path.description] = nil }
            if saves[app]?.isEmpty == true { saves[app] = nil }
        }
    }

    /// By whom a version has become what it is, and why.
    /// - Returns: nil: not all that is new in it was saved over HTTP.
    func deed(of files: [SourceFile], after old: [SourceFile], app: String) -> Deed? {
        let (before, after) = (HandSaves.digests(old), HandSaves.digests(files))
        let paths = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
        let known = saves.withLock { $0[app] ?? [:] }
        var deeds: [Deed] = []
        for path in paths {
            guard let save = known[path], save.digest == after[path] else { return nil }
            deeds.append(save.deed)
        }
        deeds.sort { ($0.at.milliseconds, $0.who, $0.why) < ($1.at.milliseconds, $1.who, $1.why) }
        guard let last = deeds.last else { return nil }
        let why = HandSaves.list(deeds.map(\.why), "; ").prefix(HandSaves.longestReason)
        return Deed(who: HandSaves.list(deeds.map(\.who), ", "), at: last.at, why: String(why))
    }

    /// A version is kept: what is in it is told of no other one, and what somebody has written over is told of none.
    func forget(_ files: [SourceFile], app: String, now: Instant) {
        let digests = HandSaves.digests(files)
        saves.withLock { saves in
            saves[app] = saves[app]?.filter { path, save in
                digests[path] != save.digest && now.milliseconds - save.deed.at.milliseconds < HandSaves.patience
            }
            if saves[app]?.isEmpty == true { saves[app] = nil }
        }
    }

    private static func digests(_ files: [SourceFile]) -> [String: FileDigest] {
        files.reduce(into: [:]) { $0[$1.path] = FileDigest(of: $1.bytes) }
    }

    /// Each once, in their order.
    private static func list(_ words: [String], _ separator: String) -> String {
        var seen: Set<String> = []
        return words.filter { !$0.isEmpty && seen.insert($0).inserted }.joined(separator: separator)
    }
}
