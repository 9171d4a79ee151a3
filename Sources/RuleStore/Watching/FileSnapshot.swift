// How the files below some folders stand at one moment, without their content: enough to see which of them have changed
// since. Called by whoever watches folders, before it reads them.
import Glibc

public struct FileSnapshot: Sendable, Equatable {
    private struct Stand: Sendable, Equatable {
        let device: UInt
        let number: UInt
        let size: Int
        let content: [Int]
        let change: [Int]
    }

    private var files: [String: Stand] = [:]
    private static let deepest = 16

    /// - Parameters:
    ///   - roots: folders, as the paths of their files are to begin. Those that are not there hold nothing.
    ///   - endings: of names; others are left out.
    public init(of roots: [String], endings: [String] = [""]) {
        for root in roots { take(root, endings, depth: 0) }
    }

    private mutating func take(_ folder: String, _ endings: [String], depth: Int) {
        let entries: [FolderListing.Entry]
        // It has just gone, or may not be read: whoever reads it says so.
        do { entries = try FolderListing.entries(of: folder) } catch { return }
        for entry in entries {
            let path = "\(folder)/\(entry.name)"
            if entry.kind == .folder {
                if depth < FileSnapshot.deepest { take(path, endings, depth: depth + 1) }
                continue
            }
            guard endings.contains(where: { entry.name.hasSuffix($0) }) else { continue }
            var status = stat()
            guard stat(path, &status) == 0 else {
                // A link that leads nowhere is something too.
                files[path] = Stand(device: 0, number: 0, size: -1, content: [], change: [])
                continue
            }
            files[path] = Stand(
                device: UInt(status.st_dev), number: UInt(status.st_ino), size: Int(status.st_size),
                content: [status.st_mtim.tv_sec, status.st_mtim.tv_nsec], change: [status.st_ctim.tv_sec, status.st_ctim.tv_nsec])
        }
    }

    /// Milliseconds since a file was changed for the last time; nil: there is none, or a clock was set back since then.
    public var age: Int64? {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let ages = files.values.compactMap { stand in
            stand.change.isEmpty
                ? nil : Int64(now.tv_sec - stand.change[0]) * 1_000 + Int64(now.tv_nsec - stand.change[1]) / 1_000_000
        }
        return ages.min().flatMap { $0 < 0 ? nil : $0 }
    }

    /// Files that are new, gone or not as they were, sorted.
    public func changes(since before: FileSnapshot) -> [String] {
        var changed = files.filter { before.files[$0.key] != $0.value }.map(\.key)
        changed += before.files.keys.filter { files[$0] == nil }
        return changed.sorted()
    }
}
