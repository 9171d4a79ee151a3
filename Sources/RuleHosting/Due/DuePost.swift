// What a webhook is told of one message whose time had come. The bytes are made once, in the commit of the decision, and stay the same
// however often they are sent; who gets them twice knows it by their key.
import CNettle
import EffectStore
import JSONDocument
import PushMessage

enum DuePost {
    static func body(of message: DueMessage, at now: Instant, decision: [UInt8]) -> [UInt8] {
        var writer = JSONWriter(reserving: decision.count + 256)
        writer.beginObject()
        for (key, text) in [
            ("type", "due"), ("app", message.app), ("recipient", message.recipient), ("deferred_id", message.id), ("at", now.text),
        ] {
            writer.key(key)
            writer.string(text)
        }
        writer.key("decision")
        writer.raw(decision)
        writer.endObject()
        return writer.bytes
    }

    /// Of these bytes and no others.
    static func key(of body: [UInt8]) -> String {
        var context = sha256_ctx()
        nettle_sha256_init(&context)
        nettle_sha256_update(&context, body.count, body)
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
        nettle_sha256_digest(&context, digest.count, &digest)
        return hex(digest.prefix(16))
    }

    /// HMAC-SHA256 over the seconds, a dot, and the body: who checks it refuses old ones.
    static func signature(_ body: [UInt8], at seconds: String, by secret: [UInt8]) -> String {
        var context = hmac_sha256_ctx()
        nettle_hmac_sha256_set_key(&context, secret.count, secret)
        let head = Array("\(seconds).".utf8)
        nettle_hmac_sha256_update(&context, head.count, head)
        nettle_hmac_sha256_update(&context, body.count, body)
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
        nettle_hmac_sha256_digest(&context, digest.count, &digest)
        return hex(digest[...])
    }

    private static func hex(_ bytes: ArraySlice<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
