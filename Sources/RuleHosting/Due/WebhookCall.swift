// One POST of a webhook: the headers that say whose and which it is, and what came of it. Belongs to one thread, whose connections stay
// open from one to the next.
import CHTTPCall
import Glibc
import PushMessage

final class WebhookCall {
    enum Outcome: Sendable, Equatable {
        case taken
        /// A status, or in a word why there was none; and seconds after which it is to be tried again, where the other end says so.
        case failed(String, retryAfter: Int64? = nil)
        /// The host is about to end.
        case stopped
    }

    private let settings: Webhook.Settings
    private let caller: OpaquePointer?

    init(_ settings: Webhook.Settings) {
        self.settings = settings
        caller = hc_open()
    }

    deinit { hc_close(caller) }

    /// - Parameter mayGoOn: asked meanwhile.
    func send(_ body: [UInt8], secret: [UInt8], mayGoOn: () -> Bool) -> Outcome {
        guard let caller else { return .failed("no_library") }
        let seconds = String(HostClock.now().milliseconds / 1000)
        let headers = [
            "Content-Type: application/json", "Idempotency-Key: \(DuePost.key(of: body))",
            "X-Rulehost-Signature: t=\(seconds),v1=\(DuePost.signature(body, at: seconds, by: secret))",
        ]
        let texts = headers.map { strdup($0) }
        defer { for text in texts { free(text) } }
        let answer = withoutActuallyEscaping(mayGoOn) { mayGoOn in
            var question = mayGoOn
            return withUnsafeMutablePointer(to: &question) { question in call(caller, texts, body, question) }
        }
        return outcome(of: answer)
    }

    private func call(
        _ caller: OpaquePointer, _ texts: [UnsafeMutablePointer<CChar>?], _ body: [UInt8], _ question: UnsafeMutablePointer<() -> Bool>
    ) -> hc_answer {
        let pointers = texts.map { UnsafePointer<CChar>($0) }
        return settings.url.withCString { url in
            "POST".withCString { method in
                pointers.withUnsafeBufferPointer { pointers in
                    body.withUnsafeBufferPointer { body in
                        var request = hc_request()
                        (request.method, request.url) = (method, url)
                        (request.headers, request.header_count) = (pointers.baseAddress, pointers.count)
                        (request.body, request.length) = (body.baseAddress, body.count)
                        (request.connect_milliseconds, request.milliseconds) = (settings.patience, settings.patience)
                        request.is_local = settings.isLocal ? 1 : 0
                        // What is answered beside the status is not looked at, and not waited for without end.
                        request.may_go_on = { question in
                            question?.assumingMemoryBound(to: (() -> Bool).self).pointee() ?? false ? 1 : 0
                        }
                        request.context = UnsafeMutableRawPointer(question)
                        guard let trusted = settings.trusted else { return hc_call(caller, &request) }
                        return trusted.withCString { trusted in
                            request.trusted = trusted
                            return hc_call(caller, &request)
                        }
                    }
                }
            }
        }
    }

    private func outcome(of answer: hc_answer) -> Outcome {
        // The status counts, whatever became of the rest.
        if (200..<300).contains(answer.status) { return .taken }
        switch answer.outcome {
        case HC_DONE: return .failed("\(answer.status)", retryAfter: answer.retry_after > 0 ? answer.retry_after : nil)
        case HC_STOPPED: return .stopped
        case HC_TIMEOUT: return .failed("timeout")
        case HC_UNTRUSTED, HC_MISNAMED: return .failed("untrusted")
        case HC_NOT_LOCAL: return .failed("not_local")
        case HC_BROKEN: return .failed("broken")
        default: return .failed("unreachable")
        }
    }
}
