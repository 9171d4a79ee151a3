// Says when something changes in folders: files written, replaced, renamed, removed, folders that come and go. It waits on the
// system (inotify(7)), not on a clock, and gathers what comes in quick succession, so that a checkout of many files is told once.
// What has changed is not its business: FileSnapshot compares. One thread at a time.
import Glibc

public final class FolderWatch {
    public enum Waking: Sendable { case changed, stopped }

    private let roots: [String]
    private let events: Int32
    /// By the number of its watch.
    private var folders: [Int32: String] = [:]

    /// After the last change nothing must happen for so many milliseconds ...
    private static let quiet: Int64 = 40
    /// ... but no longer than this after the first.
    private static let longest: Int64 = 500
    /// A folder deeper than this is not watched.
    private static let deepest = 16
    private static let mask =
        UInt32(IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF)
        | UInt32(IN_ONLYDIR)

    /// - Parameter roots: folders, with all folders in them. They need not be there: then their coming is a change.
    public init(_ roots: [String]) throws(StoreFault) {
        self.roots = roots
        events = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard events >= 0 else { throw FolderWatch.unavailable(roots.first ?? ".", errno) }
    }

    deinit { close(events) }

    /// Watches the folders that are there now, and no others. To be called before they are read: what changes from then on is told.
    public func follow() throws(StoreFault) {
        var present: [Int32: String] = [:]
        for root in roots {
            // Where it stands, or would stand: a folder that has vanished is noticed when it comes back.
            try watch(FolderWatch.nearest(above: root), &present)
            try follow(root, depth: 0, &present)
        }
        for (number, _) in folders where present[number] == nil { inotify_rm_watch(events, number) }
        folders = present
    }

    private func follow(_ folder: String, depth: Int, _ present: inout [Int32: String]) throws(StoreFault) {
        try watch(folder, &present)
        guard depth < FolderWatch.deepest else { return }
        let entries: [FolderListing.Entry]
        do { entries = try FolderListing.entries(of: folder) } catch { return }
        for entry in entries where entry.kind == .folder {
            let inner = "\(folder)/\(entry.name)"
            // A link may lead back into a folder that is watched.
            if !isLink(inner) || depth == 0 { try follow(inner, depth: depth + 1, &present) }
        }
    }

    private func watch(_ folder: String, _ present: inout [Int32: String]) throws(StoreFault) {
        let number = inotify_add_watch(events, folder, FolderWatch.mask)
        if number >= 0 {
            present[number] = folder
        } else if errno == ENOSPC || errno == ENOMEM {
            throw FolderWatch.unavailable(folder, errno)
        }
        // Anything else: the folder has gone, or may not be read; whoever reads it says so.
    }

    private func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    private static func nearest(above path: String) -> String {
        var folder = path
        repeat {
            folder = folder.lastIndex(of: "/").map { $0 == folder.startIndex ? "/" : String(folder[..<$0]) } ?? "."
        } while folder != "/" && folder != "." && FileBytes.resolved(folder) == nil
        return folder
    }

    // MARK: waiting

    /// Returns when something has changed and it is quiet again, or when one of `stops` can be read or has lost its other end.
    public func wait(stops: [Int32]) -> Waking {
        if isStopped(within: -1, stops) { return .stopped }
        let first = FolderWatch.now()
        while true {
            drain()
            let left = first + FolderWatch.longest - FolderWatch.now()
            guard left > 0 else { return .changed }
            switch look(within: min(left, FolderWatch.quiet), stops) {
            case .stop: return .stopped
            case .nothing: return .changed
            case .events: break
            }
        }
    }

    private enum Seen { case events, nothing, stop }

    private func isStopped(within milliseconds: Int64, _ stops: [Int32]) -> Bool {
        while true {
            switch look(within: milliseconds, stops) {
            case .stop: return true
            case .events: return false
            case .nothing: continue
            }
        }
    }

    private func look(within milliseconds: Int64, _ stops: [Int32]) -> Seen {
        var places = [pollfd(fd: events, events: Int16(POLLIN), revents: 0)]
        // Of what is written to, only that nobody reads it any more.
        places += stops.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let count = poll(&places, nfds_t(places.count), Int32(clamping: milliseconds))
        guard count > 0 else { return .nothing }
        if places.dropFirst().contains(where: { $0.revents != 0 }) { return .stop }
        return places[0].revents != 0 ? .events : .nothing
    }

    /// What the events say is not looked at: also of those that the system has dropped the snapshot tells.
    private func drain() {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while read(events, &buffer, buffer.count) > 0 {}
    }

    /// Milliseconds of a clock that only goes forward.
    private static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    static func unavailable(_ path: String, _ code: Int32) -> StoreFault {
        StoreFault(
            .watchUnavailable, path: path, message: "its changes cannot be noticed: \(StoreFault.reason(code))",
            hint: code == ENOSPC
                ? "raise fs.inotify.max_user_watches (sysctl), or end other programs that watch folders"
                : "end other programs, or raise fs.inotify.max_user_instances (sysctl) or the limit of open files (ulimit -n)")
    }
}
