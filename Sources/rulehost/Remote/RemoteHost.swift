// Asks a host that runs, over its HTTP API: one request, one answer. What it answers with a problem is told as the command line tells its own
// faults, with the same code; that it is not there, or is no rulehost, is told with codes of their own. Used by verbs with --host.
import CHTTPCall
import Glibc
import HTTPAPI
import JSONDocument
import RuleHosting

final class RemoteHost {
    let place: HostPlace
    /// Milliseconds until there is a connection.
    private static let patience = 10_000
    /// Bytes of an answer in memory.
    static let mostBytes = 1 << 30

    init(_ place: HostPlace) { self.place = place }

    /// Whole, as bytes of JSON.
    func ask(_ method: String, _ path: String, body: [UInt8]? = nil) throws(CommandFault) -> [UInt8] {
        let taking = Taking()
        let answer = try call(method, path, body, taking)
        return try content(of: answer, taking.bytes)
    }

    /// The content of an answer as it comes, however long the host takes to make it; a problem is thrown.
    /// - Parameter take: false: it cannot be taken.
    func receive(_ path: String, _ take: @escaping (UnsafeBufferPointer<UInt8>) -> Bool) throws(CommandFault) {
        let taking = Taking(take)
        let answer = try call("GET", path, nil, taking, isPatient: true)
        if taking.isRefused { return }
        _ = try content(of: answer, taking.bytes)
    }

    /// A flag that a host has no use for: it knows better.
    func refuse(_ flag: Flag, _ arguments: Arguments) throws(CommandFault) {
        guard arguments.has(flag) else { return }
        throw .flagsDisagree(flag.name, Flag.host.name, why: "a host that runs writes down whose token it is")
    }

    /// One segment of a path.
    static func segment(_ name: String) -> String {
        // A step in a path, as which it would lead to something else: the host says that nothing has this name.
        if name == "." || name == ".." { return String(repeating: "%2E", count: name.utf8.count) }
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in name.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e: bytes.append(byte)
            default: bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: the call

    /// What comes back: kept, or handed on when all is well.
    private final class Taking {
        var bytes: [UInt8] = []
        var isRefused = false
        let take: ((UnsafeBufferPointer<UInt8>) -> Bool)?

        init(_ take: ((UnsafeBufferPointer<UInt8>) -> Bool)? = nil) { self.take = take }

        func add(_ piece: UnsafeBufferPointer<UInt8>, status: Int32) -> Bool {
            if let take, status == 200 {
                isRefused = !take(piece)
                return !isRefused
            }
            guard bytes.count + piece.count <= RemoteHost.mostBytes else { return false }
            bytes += piece
            return true
        }
    }

    private func call(
        _ method: String, _ path: String, _ body: [UInt8]?, _ taking: Taking, isPatient: Bool = false
    ) throws(CommandFault) -> hc_answer {
        guard let caller = hc_open() else { throw unreachable("libcurl is not installed", "on Debian: apt-get install libcurl4") }
        defer { hc_close(caller) }
        var headers = ["Accept: application/json"]
        if body != nil { headers.append("Content-Type: application/json") }
        if let token = place.token { headers.append("Authorization: Bearer " + String(decoding: token, as: UTF8.self)) }
        let texts = ([method, place.url + path, place.socket, place.certificates] + headers).map { $0.map { strdup($0) } ?? nil }
        defer { for text in texts { free(text) } }
        let pointers = texts.map { UnsafePointer<CChar>($0) }
        let answer = pointers[4...].withUnsafeBufferPointer { headers in
            (body ?? []).withUnsafeBufferPointer { bytes in
                var request = hc_request()
                (request.method, request.url, request.socket, request.trusted) = (pointers[0], pointers[1], pointers[2], pointers[3])
                (request.headers, request.header_count) = (headers.baseAddress, headers.count)
                if body != nil { (request.body, request.length) = (bytes.baseAddress ?? RemoteHost.nothing, bytes.count) }
                request.connect_milliseconds = RemoteHost.patience
                request.is_local = place.isLocal ? 1 : 0
                request.is_patient = isPatient ? 1 : 0
                request.context = Unmanaged.passUnretained(taking).toOpaque()
                request.take = { context, status, bytes, count in
                    guard let context, let bytes else { return 0 }
                    let piece = UnsafeBufferPointer(start: bytes, count: count)
                    return Unmanaged<Taking>.fromOpaque(context).takeUnretainedValue().add(piece, status: status) ? 1 : 0
                }
                return hc_call(caller, &request)
            }
        }
        if answer.outcome == HC_DONE || taking.isRefused { return answer }
        throw unreachable(of: answer)
    }

    /// An empty body has a place, too.
    nonisolated(unsafe) private static let nothing = UnsafePointer(UnsafeMutablePointer<UInt8>.allocate(capacity: 1))

    // MARK: what went wrong

    private func unreachable(of answer: hc_answer) -> CommandFault {
        let detail = withUnsafeBytes(of: answer.detail) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        switch answer.outcome {
        case HC_TIMEOUT: return unreachable("nobody answers", "does the host run, and is the address right?")
        case HC_UNTRUSTED:
            return unreachable(detail, "--ca FILE names the certificates that it is trusted by")
        case HC_MISNAMED:
            return unreachable("\(detail), not for \(place.certifiedName)", "ask it by a name that it has: --host https://NAME:PORT")
        case HC_NOT_LOCAL:
            return unreachable(
                "the token is not sent to another machine without encryption", "write https://, or ask on the machine of the host")
        case HC_STOPPED: return unreachable("the answer is larger than what is taken", "ask for less, or work on the store: --store")
        case HC_BROKEN: return unreachable("the answer has ended too early, or is none", "try again; the host's journal may say more")
        default:
            return unreachable("nobody answers there", "does the host run, and is the address right?")
        }
    }

    private func unreachable(_ message: String, _ hint: String?) -> CommandFault { .hostUnreachable(place: place.name, message, hint) }

    private func content(of answer: hc_answer, _ bytes: [UInt8]) throws(CommandFault) -> [UInt8] {
        if (200..<300).contains(answer.status) { return bytes }
        let document = JSONDocument()
        do throws(JSONFault) { try document.read(bytes, limit: 1 << 20, depth: 72) } catch { throw stranger(answer) }
        guard let root = document.root, let code = root["code"]?.text?.string, let detail = root["detail"]?.text?.string else {
            throw stranger(answer)
        }
        let hint = code == APIProblem.tokenMissing.rawValue ? RemoteHost.tokenHint : root["hint"]?.text?.string
        throw .ofHost(place: place.name, HostProblem(code: code, status: Int(answer.status), detail: detail, hint: hint))
    }

    /// In the words of the command line.
    private static let tokenHint = "--token-file FILE names a file that holds one; so does RULEHOST_TOKEN itself"

    private func stranger(_ answer: hc_answer) -> CommandFault {
        unreachable("who answers there is no rulehost (status \(answer.status))", "is the address that of the host itself?")
    }
}
