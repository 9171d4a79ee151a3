// Puts a recipient into one of a hundred buckets, the same on every machine and for as long as app, salt and recipient
// are the same. What `bucket(salt)` and shares of recipients are made of.
import CNettle

enum Bucket {
    /// 0…99; 99 - in no share below 100 percent - when there is no recipient.
    static func of(app: String, salt: String, recipient: String?) -> Int {
        guard let recipient, !recipient.isEmpty else { return 99 }
        var context = sha256_ctx()
        nettle_sha256_init(&context)
        let input = Array(app.utf8) + [0] + Array(salt.utf8) + [0] + Array(recipient.utf8)
        nettle_sha256_update(&context, input.count, input)
        var digest = [UInt8](repeating: 0, count: 8)
        nettle_sha256_digest(&context, digest.count, &digest)
        let number = digest.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(number % 100)
    }
}
