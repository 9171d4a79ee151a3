// How the files below some folders stand at one moment, without their content: enough to see which of them have changed
// since. Called by whoever watches folders, before it reads them.
import Glibc

public struct FileSnapshot: Sendable {
    private struct Stand: Sendable, Equatable {
        let device: UInt
        let number: UInt
        let size: Int
        let content: [Int]
        let change: [Int]
    }

    private var files: [String: Stand] = [:]
    private static let deepest = 16

    /// - Parameter roots: folders, as the paths of their files are to begin. Those that are not there hold nothing.
    public init(of roots: [String]) {
        for root in roots { take(root, depth: 0) }
    }

    private mutating func take(_ folder: String, depth: Int) {
        let entries: [FolderListing.Entry]
        // It has just gone, or may not be read: whoever reads it says so.
        do { entries = try FolderListing.entries(of: folder) } catch { return }
        for entry in entries {
            let path = "\(folder)/\(entry.name)"
            if entry.kind == .folder {
                if depth < FileSnapshot.deepest { take(path, depth: depth + 1) }
                continue
            }
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

    /// Files that are new, gone or not as they were, sorted.
    public func changes(since before: FileSnapshot) -> [String] {
        var changed = files.filter { before.files[$0.key] != $0.value }.map(\.key)
        changed += before.files.keys.filter { files[$0] == nil }
        return changed.sorted()
    }
}
