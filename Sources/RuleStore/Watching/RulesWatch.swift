// Says which apps of a rules folder have been touched: files written, replaced, renamed or removed, in the app's own folder, in what
// its links lead to, or in the shared modules. It waits on the system (inotify(7)), gathers what comes in quick succession, and
// names an app once. What has changed is not its business. One thread waits; any thread adds apps. Apps for which the system has no room are looked
// at in turns.
import Glibc

public final class RulesWatch: Sendable {
    /// After the last change nothing must happen for so many milliseconds ...
    public static let quiet: Int64 = 40
    /// ... but no longer than this after the first.
    public static let longest: Int64 = 500
    /// A folder deeper than this is not watched.
    private static let deepest = 8
    private static let mask =
        UInt32(IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF)
        | UInt32(IN_ONLYDIR)

    /// What a watched folder is to an app.
    private enum Use: Hashable {
        /// The rules folder stands in it, or a link on the way there: the name of that.
        case above(String)
        /// Its entries are the apps.
        case root
        case shared
        case app(String)
    }

    private struct State {
        /// By the number of its watch.
        var uses: [Int32: Set<Use>] = [:]
        var apps: Set<String> = []
        /// Those among them of which the system does not tell everything.
        var unwatched: Set<String> = []
        var isEnded = false
    }

    private let path: String
    /// Folders at most.
    private let most: Int
    private let events: Int32
    private let state: StateBox
    /// Written to, so that the one who waits looks up.
    private let wakes: (read: Int32, write: Int32)

    /// On the system's lock, as everywhere.
    private final class StateBox: @unchecked Sendable {
        // SAFETY: touched with the lock held.
        var value = State()
        let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

        init() {
            lock.initialize(to: pthread_mutex_t())
            pthread_mutex_init(lock, nil)
        }

        deinit {
            pthread_mutex_destroy(lock)
            lock.deallocate()
        }

        func with<Answer>(_ body: (inout State) -> Answer) -> Answer {
            pthread_mutex_lock(lock)
            defer { pthread_mutex_unlock(lock) }
            return body(&value)
        }
    }

    /// - Parameter most: of the folders that the system is asked to tell of; it may have room for fewer, or for none.
    public init(_ path: String, most: Int = .max) {
        self.most = most
        self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        state = StateBox()
        events = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        var ends: [Int32] = [-1, -1]
        if pipe(&ends) == 0 { for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) } }
        wakes = (ends[0], ends[1])
        _ = followRoot()
    }

    deinit {
        for descriptor in [events, wakes.read, wakes.write] where descriptor >= 0 { close(descriptor) }
    }

    // MARK: following

    /// Apps that are looked at twice a second instead, or less often when there are many.
    public var unwatched: Int { state.with { $0.unwatched.count } }

    private func followRoot() -> Bool {
        RulesWatch.turns(of: path).allSatisfy { follow($0.folder, as: .above($0.name)) } && follow(path, as: .root)
            && followTree("\(path)/_shared", as: .shared, depth: 0)
    }

    /// What may be made to lead elsewhere: each link on the way, as a release that is switched by one, and the folder at its end.
    private static func turns(of path: String) -> [(folder: String, name: String)] {
        var found: [(folder: String, name: String)] = []
        var folder = path.hasPrefix("/") ? "/" : "."
        var rest = Array(path.split(separator: "/").reversed())
        while let part = rest.popLast() {
            let whole = folder == "/" ? "/\(part)" : "\(folder)/\(part)"
            if found.count < RulesWatch.mostLinks, let target = RulesWatch.target(of: whole) {
                found.append((folder, String(part)))
                if target.hasPrefix("/") { folder = "/" }
                rest += target.split(separator: "/").reversed()
            } else {
                if rest.isEmpty { found.append((folder, String(part))) }
                folder = whole
            }
        }
        return found
    }

    /// The system follows no more (path_resolution(7)).
    private static let mostLinks = 40

    /// nil: it is no link.
    private static func target(of path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }

    /// To be called before the app is read: what changes from then on is told.
    public func follow(_ app: String) {
        state.with { _ = $0.apps.insert(app) }
        followAgain(app)
    }

    /// The folders of the app that are there now, and what every app hangs on.
    private func followAgain(_ app: String) {
        let isWatched = state.with { !$0.uses.isEmpty } && followTree("\(path)/\(app)", as: .app(app), depth: 0)
        let isNew = state.with { state in
            if isWatched {
                state.unwatched.remove(app)
                return false
            }
            return state.apps.contains(app) && state.unwatched.insert(app).inserted
        }
        if isNew { nudge() }
    }

    public func forget(_ app: String) { state.with { state in forget(app, in: &state) } }

    private func forget(_ app: String, in state: inout State) {
        state.apps.remove(app)
        state.unwatched.remove(app)
        for (number, uses) in state.uses where uses.contains(.app(app)) {
            let left = uses.subtracting([.app(app)])
            state.uses[number] = left.isEmpty ? nil : left
            if left.isEmpty { inotify_rm_watch(events, number) }
        }
    }

    private func followTree(_ folder: String, as use: Use, depth: Int) -> Bool {
        guard follow(folder, as: use) else { return false }
        guard depth < RulesWatch.deepest else { return true }
        let entries: [FolderListing.Entry]
        // It has just gone, or may not be read: whoever reads it says so.
        do { entries = try FolderListing.entries(of: folder) } catch { return true }
        for entry in entries {
            let inner = "\(folder)/\(entry.name)"
            let isLink = RulesWatch.isLink(inner)
            // A link may lead back into a folder that is watched.
            if entry.kind == .folder, !isLink || depth == 0 {
                guard followTree(inner, as: use, depth: depth + 1) else { return false }
            }
            // What a link leads to is changed where it stands.
            if entry.kind == .file, isLink, let real = FileBytes.resolved(inner), let cut = real.lastIndex(of: "/") {
                guard follow(cut == real.startIndex ? "/" : String(real[..<cut]), as: use) else { return false }
            }
        }
        return true
    }

    /// False only when the system has no room for it.
    private func follow(_ folder: String, as use: Use) -> Bool {
        if events < 0 { return false }
        return state.with { state in
            let number = inotify_add_watch(events, folder, RulesWatch.mask)
            guard number >= 0 else { return errno != ENOSPC && errno != ENOMEM }
            if state.uses[number] == nil, state.uses.count >= most {
                inotify_rm_watch(events, number)
                return false
            }
            state.uses[number, default: []].insert(use)
            return true
        }
    }

    private static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    // MARK: waiting

    /// Ends a wait.
    public func wake() {
        state.with { $0.isEnded = true }
        nudge()
    }

    /// The one who waits looks what there is to do.
    private func nudge() {
        var byte: UInt8 = 0
        if write(wakes.write, &byte, 1) < 0 { return }
    }

    /// Apps of which something has been touched, each with its first and its last touch.
    private struct Touched {
        var moments: [String: (first: Int64, last: Int64)] = [:]

        mutating func add(_ app: String, at now: Int64) { moments[app] = (moments[app]?.first ?? now, now) }

        func end(of app: String) -> Int64? {
            moments[app].map { min($0.last + RulesWatch.quiet, $0.first + RulesWatch.longest) }
        }

        var next: Int64? { moments.keys.compactMap(end).min() }
    }

    /// Calls `tell` with apps that have been touched and are quiet again, sorted, until it is woken.
    public func run(_ tell: ([String]) -> Void) {
        var touched = Touched()
        var looks = Looks()
        while true {
            look(&looks, &touched)
            let next = [touched.next, looks.next, wakes.read < 0 ? RulesWatch.now() + Looks.pause : nil].compactMap { $0 }.min()
            let patience = next.map { max(0, $0 - RulesWatch.now()) } ?? -1
            var places = [pollfd(fd: events, events: Int16(POLLIN), revents: 0), pollfd(fd: wakes.read, events: Int16(POLLIN), revents: 0)]
            poll(&places, 2, Int32(clamping: patience))
            if state.with({ $0.isEnded }) { return }
            if places[1].revents != 0 {
                var bytes = [UInt8](repeating: 0, count: 64)
                if read(wakes.read, &bytes, bytes.count) < 0 { return }
            }
            if places[0].revents != 0 { drain(&touched) }
            let now = RulesWatch.now()
            let quiet = touched.moments.keys.filter { (touched.end(of: $0) ?? 0) <= now }.sorted()
            guard !quiet.isEmpty else { continue }
            for app in quiet {
                touched.moments[app] = nil
                // Folders may have come, and links may lead elsewhere.
                followAgain(app)
            }
            tell(quiet)
        }
    }

    /// How the apps stood of which the system does not tell.
    private struct Looks {
        /// Milliseconds between two rounds, as long as one takes less than a tenth of that.
        static let pause: Int64 = 500
        var stands: [String: FileSnapshot] = [:]
        /// nil: there is nothing to look at.
        var next: Int64?
    }

    private func look(_ looks: inout Looks, _ touched: inout Touched) {
        let apps = state.with { $0.unwatched }
        guard !apps.isEmpty else {
            looks = Looks()
            return
        }
        let begin = RulesWatch.now()
        if let next = looks.next, begin < next { return }
        looks.stands = looks.stands.filter { apps.contains($0.key) }
        for app in apps {
            let stand = FileSnapshot(of: ["\(path)/\(app)", "\(path)/_shared"], endings: [".lua", ".json"])
            // The first time, too: it was read before that.
            if looks.stands.updateValue(stand, forKey: app) != stand { touched.add(app, at: begin) }
        }
        let end = RulesWatch.now()
        looks.next = end + max(Looks.pause, 10 * (end - begin))
    }

    private func drain(_ touched: inout Touched) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let now = RulesWatch.now()
        while true {
            let count = read(events, &buffer, buffer.count)
            guard count > 0 else { return }
            buffer.withUnsafeBytes { bytes in
                var place = 0
                let head = MemoryLayout<inotify_event>.size
                while place + head <= count {
                    let event = bytes.loadUnaligned(fromByteOffset: place, as: inotify_event.self)
                    let name = bytes[(place + head)..<min(count, place + head + Int(event.len))].prefix { $0 != 0 }
                    take(event, String(decoding: name, as: UTF8.self), now, &touched)
                    place += head + Int(event.len)
                }
            }
        }
    }

    private func take(_ event: inotify_event, _ name: String, _ now: Int64, _ touched: inout Touched) {
        let isLost = event.mask & UInt32(IN_Q_OVERFLOW) != 0
        let (uses, apps) = state.with { state in
            let uses = isLost ? [.above("")] : state.uses[event.wd] ?? []
            if event.mask & UInt32(IN_IGNORED) != 0 { state.uses[event.wd] = nil }
            return (uses, state.apps)
        }
        guard !RulesWatch.isOfEditor(name) else { return }
        for use in uses {
            switch use {
            case .app(let app): touched.add(app, at: now)
            case .above(let turn):
                guard name == turn || isLost else { continue }
                _ = followRoot()
                for app in apps { touched.add(app, at: now) }
            case .root where name == "_shared" || name.isEmpty:
                _ = followTree("\(path)/_shared", as: .shared, depth: 0)
                for app in apps { touched.add(app, at: now) }
            case .root:
                // A folder that has just come may be an app that nobody has asked for yet.
                let isNew = event.mask & UInt32(IN_ISDIR) != 0 && event.mask & UInt32(IN_CREATE | IN_MOVED_TO) != 0
                if isNew || apps.contains(name) { touched.add(name, at: now) }
            case .shared:
                if event.mask & UInt32(IN_ISDIR) != 0 { _ = followTree("\(path)/_shared", as: .shared, depth: 0) }
                for app in apps { touched.add(app, at: now) }
            }
        }
    }

    /// What editors keep beside a file while they write it.
    private static func isOfEditor(_ name: String) -> Bool {
        name.hasSuffix("~") || name.hasSuffix(".swp") || name.hasSuffix(".swx") || name.hasSuffix(".swpx") || name == "4913"
    }

    /// Milliseconds of a clock that only goes forward.
    private static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
