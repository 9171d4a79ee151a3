// Puts a recipient into one of a hundred buckets, the same on every machine and for as long as app, salt and recipient
// are the same. What `bucket(salt)`, `rollout` and `holdout` are made of.
import CNettle

/// SHA-256 over app, 0, salt, 0, recipient. App and salt are taken in once.
package struct Bucket {
    private var begun = sha256_ctx()

    init(app: String, salt: String) {
        nettle_sha256_init(&begun)
        Bucket.add(app, to: &begun)
        Bucket.add("\0", to: &begun)
        Bucket.add(salt, to: &begun)
        Bucket.add("\0", to: &begun)
    }

    /// 0…99: the first eight bytes of the hash, as a number, modulo 100.
    func number(of recipient: String) -> Int {
        var context = begun
        Bucket.add(recipient, to: &context)
        var digest: UInt64 = 0
        withUnsafeMutableBytes(of: &digest) { out in
            nettle_sha256_digest(&context, 8, out.bindMemory(to: UInt8.self).baseAddress)
        }
        return Int(UInt64(bigEndian: digest) % 100)
    }

    /// 99 - in no share below 100 percent - when there is no recipient.
    package static func of(app: String, salt: String, recipient: String?) -> Int {
        guard let recipient, !recipient.isEmpty else { return 99 }
        return Bucket(app: app, salt: salt).number(of: recipient)
    }

    private static func add(_ text: String, to context: inout sha256_ctx) {
        var copy = text
        copy.withUTF8 { nettle_sha256_update(&context, $0.count, $0.baseAddress) }
    }
}
