// What the app is told to do with a push token. The two kinds come in either order, and a registration token that came
// before the APNs token is no good: it is fetched again once the APNs token is there. The state keeps fingerprints only.
import CNettle
import JSONDocument
import PushMessage

struct TokenChange {
    let action: TokenAction
    /// What is known from now on.
    let known: StoredTokens

    /// - Parameter known: what was known before.
    init(_ kind: EventDetails.TokenKind, value: JSONText, known before: StoredTokens, on platform: Platform) {
        var known = before
        let fingerprint = TokenChange.fingerprint(of: value)
        switch kind {
        case .apns:
            action = before.apns == fingerprint ? .nothing : .register
            known.apns = fingerprint
            // It has to be fetched again, and may well be the same.
            if action == .register { known.waiting = nil }
        case .fcm where before.apns == nil && platform == .ios:
            action = before.waiting == fingerprint ? .nothing : .wait
            known.waiting = fingerprint
        case .fcm:
            action = before.fcm == fingerprint ? .nothing : .sendToServer
            known.fcm = fingerprint
            known.waiting = nil
        }
        self.known = known
    }

    /// The first 16 hex digits of the SHA-256.
    private static func fingerprint(of token: JSONText) -> String {
        var context = sha256_ctx()
        nettle_sha256_init(&context)
        nettle_sha256_update(&context, token.count, token.bytes.baseAddress)
        var digest = [UInt8](repeating: 0, count: 8)
        nettle_sha256_digest(&context, digest.count, &digest)
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
