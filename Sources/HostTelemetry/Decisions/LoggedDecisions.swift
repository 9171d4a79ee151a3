// Looks for decisions of one app in the log of all: from the newest line back, through the files that were before, as far as is asked for and
// no further than some bytes. Called on a thread that may wait for the disk. Lines of other apps never leave this file.
import Glibc
import JSONDocument

public struct LoggedDecisions {
    /// What a line must be; nil: whatever it is.
    public struct Wish: Sendable {
        public var app: String
        /// show, suppress, defer, or none for a decision without display.
        public var action: String?
        public var rule: String?
        public var event: String?
        public var recipient: String?
        public var messageID: String?
        /// Lines.
        public var count = 100

        public init(app: String) { self.app = app }
    }

    private let wish: Wish
    private let document = JSONDocument()
    /// Of the app's name near the beginning of a line.
    private let mark: [UInt8]
    private var found: [[UInt8]] = []
    private var foundBytes = 0
    private var bytesLeft = LoggedDecisions.mostRead
    private static let mostRead = 128 << 20
    private static let mostFound = 8 << 20
    private static let block = 256 << 10

    private init(_ wish: Wish) {
        self.wish = wish
        mark = Array("\"app\":\"\(wish.app)\"".utf8)
    }

    /// Lines with their ends, the newest last.
    static func find(_ wish: Wish, in path: String, keep: Int) throws(LogFile.Fault) -> [UInt8] {
        var search = LoggedDecisions(wish)
        var seen: Set<UInt64> = []
        for number in 0...max(0, keep) where !search.isDone {
            let name = number == 0 ? path : "\(path).\(number)"
            let file = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard file >= 0 else {
                if errno == ENOENT { continue }
                throw LogFile.Fault(number: errno)
            }
            defer { close(file) }
            var status = stat()
            guard fstat(file, &status) == 0 else { throw LogFile.Fault(number: errno) }
            // While it is read a file may move on to the next number.
            guard status.st_mode & S_IFMT == S_IFREG, seen.insert(UInt64(status.st_ino)).inserted else { continue }
            try search.look(into: file, size: Int(status.st_size))
        }
        return Array(search.found.reversed().joined())
    }

    private var isDone: Bool { found.count >= wish.count || foundBytes >= LoggedDecisions.mostFound || bytesLeft <= 0 }

    /// From the end.
    private mutating func look(into file: Int32, size: Int) throws(LogFile.Fault) {
        // The beginning of what was read last, which may be the end of a line.
        var rest: [UInt8] = []
        var end = size
        var isAtEnd = true
        while end > 0, !isDone {
            let start = max(0, end - LoggedDecisions.block)
            var bytes = try LoggedDecisions.read(file, start, end - start)
            bytesLeft -= bytes.count
            bytes += rest
            // What has no end yet is still being written.
            if isAtEnd, let last = bytes.lastIndex(of: 0x0A) {
                bytes.removeSubrange((last + 1)...)
                isAtEnd = false
            }
            guard !isAtEnd else {
                rest = bytes
                end = start
                continue
            }
            var stop = bytes.count
            while stop > 0, !isDone {
                let first = bytes[..<(stop - 1)].lastIndex(of: 0x0A).map { $0 + 1 }
                guard let first = first ?? (start == 0 ? 0 : nil) else { break }
                take(bytes[first..<stop])
                stop = first
            }
            rest = Array(bytes[..<stop])
            end = start
        }
    }

    private static func read(_ file: Int32, _ start: Int, _ count: Int) throws(LogFile.Fault) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress.map { $0 + done }, count - done, off_t(start + done)) }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw LogFile.Fault(number: errno) }
            if got == 0 { break }
            done += got
        }
        return Array(bytes[..<done])
    }

    private mutating func take(_ line: ArraySlice<UInt8>) {
        guard isOfApp(line) else { return }
        let bytes = Array(line)
        // Not one of ours: somebody else writes there, too.
        do throws(JSONFault) { try document.read(bytes, limit: 16 << 20, depth: 256) } catch { return }
        guard let root = document.root, root["app"]?.text?.string == wish.app, fits(root) else { return }
        found.append(bytes)
        foundBytes += bytes.count
    }

    /// The time and the app stand first.
    private func isOfApp(_ line: ArraySlice<UInt8>) -> Bool {
        let head = line.prefix(64 + mark.count)
        guard head.count >= mark.count else { return false }
        return head.indices.dropLast(mark.count - 1).contains { head[$0...].starts(with: mark) }
    }

    private func fits(_ root: JSONValue) -> Bool {
        if let recipient = wish.recipient, root["device"]?["recipient"]?.text?.string != recipient { return false }
        guard let decision = root["decision"] else { return false }
        return decision.isArray ? decision.children.contains { fitsDecision($0) } : fitsDecision(decision)
    }

    private func fitsDecision(_ decision: JSONValue) -> Bool {
        let display = decision["display"]
        func fits(_ wish: String?, _ value: JSONValue?) -> Bool { wish == nil || value?.text?.string == wish }
        guard wish.action == nil || (display?["action"]?.text?.string ?? "none") == wish.action else { return false }
        return fits(wish.rule, display?["rule"]) && fits(wish.event, decision["event"]) && fits(wish.messageID, decision["message_id"])
    }
}
