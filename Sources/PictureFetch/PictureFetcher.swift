// Fetches a picture to see whether a phone could: over https, within a phone's limits of size and time, from public
// addresses only, and without keeping it. Used by `eval --fetch` alone; the one place in rulehost that goes to the network
// on its own.
internal import CPictureFetch
internal import Glibc
internal import RuleEngine

public struct FetchUnavailable: Error {}

public final class PictureFetcher {
    private let trusted: String?
    private let reachesLoopback: Bool
    private let milliseconds: Int

    /// - Throws: when libcurl is not installed.
    public convenience init() throws(FetchUnavailable) {
        try self.init(trusting: nil, reachesLoopback: false, milliseconds: FetchedAttachment.budget * 1000)
    }

    /// For tests: a server of their own on this machine.
    /// - Parameter trusting: a file of certificates that are trusted in place of the system's.
    init(trusting: String?, reachesLoopback: Bool, milliseconds: Int) throws(FetchUnavailable) {
        guard pf_available() != 0 else { throw FetchUnavailable() }
        trusted = trusting
        self.reachesLoopback = reachesLoopback
        self.milliseconds = milliseconds
    }

    /// Returns after at most the time that a phone's extension has.
    public func fetch(_ url: String) -> FetchReport {
        let reading = Reading(reachesLoopback: reachesLoopback)
        let answer = withExtendedLifetime(reading) { request(url, reading) }
        return reading.report(url, answer)
    }

    private func request(_ url: String, _ reading: Reading) -> pf_answer {
        var request = unsafe pf_request()
        unsafe request.milliseconds = milliseconds
        unsafe request.most_bytes = Int64(AttachmentKind.largestOfAll)
        // SAFETY: `reading` lives until the call is over, and libcurl calls back only during it.
        unsafe request.context = unsafe Unmanaged.passUnretained(reading).toOpaque()
        unsafe request.may_connect = mayConnect
        unsafe request.take = take
        return unsafe url.withCString { url in
            unsafe request.url = unsafe url
            guard let trusted else { return unsafe pf_fetch(&request) }
            return unsafe trusted.withCString { trusted in
                unsafe request.trusted = unsafe trusted
                return unsafe pf_fetch(&request)
            }
        }
    }
}

private let mayConnect: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<UInt8>?, Int) -> CInt = { context, start, count in
    guard let context = unsafe context else { return 0 }
    let reading = unsafe Unmanaged<Reading>.fromOpaque(context).takeUnretainedValue()
    return unsafe reading.mayConnect(Array(UnsafeBufferPointer(start: start, count: count))) ? 1 : 0
}

private let take: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<UInt8>?, Int) -> CInt = { context, start, count in
    guard let context = unsafe context else { return 0 }
    let reading = unsafe Unmanaged<Reading>.fromOpaque(context).takeUnretainedValue()
    return unsafe reading.take(UnsafeBufferPointer(start: start, count: count)) ? 1 : 0
}

/// One fetch under way: counts what comes and looks at its beginning, and keeps nothing else.
private final class Reading {
    private let reachesLoopback: Bool
    private var start: [UInt8] = []
    private var bytes = 0
    private var isTooLarge = false

    init(reachesLoopback: Bool) { self.reachesLoopback = reachesLoopback }

    func mayConnect(_ address: [UInt8]) -> Bool {
        PublicAddress.isPublic(address) || reachesLoopback && PublicAddress.isLoopback(address)
    }

    /// false: there is nothing more to find out.
    func take(_ content: UnsafeBufferPointer<UInt8>) -> Bool {
        if start.count < ContentType.needed { unsafe start += content.prefix(ContentType.needed - start.count) }
        bytes += content.count
        guard start.count >= ContentType.needed else { return true }
        guard case .attachment(let kind) = ContentType(start) else { return false }
        isTooLarge = bytes > kind.largest
        return !isTooLarge
    }

    func report(_ url: String, _ answer: pf_answer) -> FetchReport {
        var report = FetchReport(url: url)
        report.status = answer.status == 0 ? nil : Int(answer.status)
        report.seconds = answer.seconds
        if bytes > 0 {
            report.type = ContentType(start).name
            report.bytes = bytes
        }
        let detail = unsafe withUnsafeBytes(of: answer.detail) { raw in
            unsafe String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
        }
        switch answer.outcome {
        case PF_DONE: if report.status == 200, bytes == 0 { report.bytes = 0 }
        case PF_STOPPED: if isTooLarge { report.failure = .tooLarge }
        case PF_TOO_LARGE: report.failure = .tooLarge
        case PF_TIMEOUT: report.failure = .timeout
        case PF_TRUNCATED: report.failure = .truncated
        case PF_INSECURE: report.failure = .insecureRedirect
        case PF_REFUSED: report.failure = .privateAddress
        default:
            report.failure = .unreachable
            if !detail.isEmpty { report.detail = detail }
        }
        // What was read of something that goes on is not its size.
        if report.failure == .tooLarge || isStopped(answer) { report.bytes = nil }
        return report
    }

    private func isStopped(_ answer: pf_answer) -> Bool { answer.outcome == PF_STOPPED }
}
