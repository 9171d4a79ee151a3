// Tells a server of an app's owner what was decided about messages whose time had come: one POST each, signed, repeated until it is
// taken. Listens to a host; has a thread of its own, because the other end may be slow. What waits here is in memory: the decisions
// themselves are in the state.
import CNettle
import CWebhook
import EffectStore
import Glibc
import JSONDocument
import PushMessage

public final class Webhook: HostListening {
    public struct Settings: Sendable {
        /// http or https.
        public var url: String
        /// Bytes with which bodies are signed.
        public var secret: [UInt8]
        /// Milliseconds for one POST.
        public var patience = 10_000
        /// Milliseconds after the first attempt that failed; doubled with each.
        public var pause: Int64 = 1_000
        public var longestPause: Int64 = 300_000
        /// Milliseconds after which it is given up.
        public var life: Int64 = 24 * 3_600_000
        /// What waits; beyond it the oldest is given up.
        public var mostWaiting = 10_000

        public init(url: String, secret: [UInt8]) {
            self.url = url
            self.secret = secret
        }
    }

    public struct Counts: Sendable, Equatable {
        public var taken = 0
        public var waiting = 0
        /// Refused, or too old, or too many.
        public var givenUp = 0
    }

    private struct Post {
        let body: [UInt8]
        /// Who gets it twice knows it by this.
        let key: String
        let since: Int64
        var attempts = 0
        var notBefore: Int64
    }

    private struct State {
        var posts: [Post] = []
        var counts = Counts()
        var isClosed = false
    }

    private let settings: Settings
    private let state = Monitor(State())
    private let thread = Monitor<pthread_t?>(nil)

    public init(_ settings: Settings) throws(HostStartFault) {
        self.settings = settings
        guard wh_available() != 0 else {
            throw HostStartFault(
                code: "fetch_unavailable", message: "nobody can be told over HTTP: libcurl is not installed",
                hint: "install it (on Debian: apt-get install libcurl4)")
        }
        guard let started = HostThread.start({ [self] in work() }) else { throw .noThread }
        thread.withLock { $0 = started }
    }

    /// What is still waiting is given up.
    public func close() {
        state.change { $0.isClosed = true }
        let started = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        if let started { pthread_join(started, nil) }
    }

    public var counts: Counts {
        state.withLock { state in
            var counts = state.counts
            counts.waiting = state.posts.count
            return counts
        }
    }

    // MARK: what is told

    public func heard(_ event: HostEvent) {
        guard case .due(let due) = event.kind else { return }
        let body = Webhook.body(event, due)
        let now = HostClock.ticks()
        let post = Post(body: body, key: Webhook.hex(Webhook.digest(body).prefix(16)), since: now, notBefore: now)
        state.change { state in
            state.posts.append(post)
            if state.posts.count > settings.mostWaiting {
                state.posts.removeFirst()
                state.counts.givenUp += 1
            }
        }
    }

    private static func body(_ event: HostEvent, _ due: DueDecision) -> [UInt8] {
        var writer = JSONWriter(reserving: due.decision.count + 256)
        writer.beginObject()
        for (key, text) in [
            ("type", "due"), ("app", event.app), ("recipient", due.recipient), ("deferred_id", due.id), ("at", event.at.text),
        ] {
            writer.key(key)
            writer.string(text)
        }
        writer.key("decision")
        writer.raw(due.decision)
        writer.endObject()
        return writer.bytes
    }

    // MARK: the thread

    private func work() {
        while let post = next() {
            let answer = send(post)
            state.change { state in settle(post, answer.status, &state) }
        }
    }

    /// The one that is to be sent next, when its time has come; nil: there is an end.
    private func next() -> Post? {
        while true {
            let now = HostClock.ticks()
            let found = state.withLock { state -> (post: Post?, pause: Int64)? in
                if state.isClosed { return nil }
                guard let place = state.posts.indices.min(by: { state.posts[$0].notBefore < state.posts[$1].notBefore }) else {
                    return (nil, 60_000)
                }
                let wait = state.posts[place].notBefore - now
                return wait > 0 ? (nil, wait) : (state.posts.remove(at: place), 0)
            }
            guard let (post, pause) = found else { return nil }
            if let post { return post }
            _ = state.wait(milliseconds: Int(pause)) { state in
                state.isClosed || state.posts.contains { $0.notBefore <= HostClock.ticks() } ? true : nil
            }
        }
    }

    private func settle(_ post: Post, _ status: Int32, _ state: inout State) {
        switch status {
        case 200..<300: state.counts.taken += 1
        // Not now: too many, too early, or the other end has failed.
        case 0, 408, 425, 429, 500...:
            var again = post
            again.attempts += 1
            again.notBefore = HostClock.ticks() + min(settings.longestPause, settings.pause << min(20, again.attempts - 1))
            if again.notBefore - again.since > settings.life { state.counts.givenUp += 1 } else { state.posts.append(again) }
        default: state.counts.givenUp += 1
        }
    }

    private func send(_ post: Post) -> wh_answer {
        let seconds = String(HostClock.now().milliseconds / 1000)
        let headers = [
            "Content-Type: application/json", "Idempotency-Key: \(post.key)",
            "X-Rulehost-Signature: t=\(seconds),v1=\(Webhook.hex(signature(post.body, at: seconds)[...]))", "Expect:",
        ]
        let texts = headers.map { strdup($0) }
        defer { for text in texts { free(text) } }
        let pointers = texts.map { UnsafePointer<CChar>($0) }
        return settings.url.withCString { url in
            pointers.withUnsafeBufferPointer { pointers in
                post.body.withUnsafeBufferPointer { body in
                    var request = wh_request()
                    request.url = url
                    request.headers = pointers.baseAddress
                    request.header_count = pointers.count
                    request.body = body.baseAddress
                    request.length = body.count
                    request.milliseconds = settings.patience
                    return wh_post(&request)
                }
            }
        }
    }

    /// HMAC-SHA256 over the seconds, a dot, and the body: who checks it refuses old ones.
    private func signature(_ body: [UInt8], at seconds: String) -> [UInt8] {
        var context = hmac_sha256_ctx()
        nettle_hmac_sha256_set_key(&context, settings.secret.count, settings.secret)
        let head = Array("\(seconds).".utf8)
        nettle_hmac_sha256_update(&context, head.count, head)
        nettle_hmac_sha256_update(&context, body.count, body)
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
        nettle_hmac_sha256_digest(&context, digest.count, &digest)
        return digest
    }

    private static func digest(_ bytes: [UInt8]) -> [UInt8] {
        var context = sha256_ctx()
        nettle_sha256_init(&context)
        nettle_sha256_update(&context, bytes.count, bytes)
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
        nettle_sha256_digest(&context, digest.count, &digest)
        return digest
    }

    private static func hex(_ bytes: ArraySlice<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
