// The id of a message as it is remembered: by SeenMessages and DeferredMessages, and in the effects that fill them. Decisions
// and rules get the id as it came.
import CNettle

public enum KeptID {
    /// Bytes of an id that is remembered as it is. For four weeks a longer one would take room that others need.
    public static let longest = 256
    public static let mark = "sha256:"

    /// The id itself, or of a long one "sha256:" and 64 hexadecimal digits; of these the same.
    public static func of(_ id: String) -> String { id.utf8.count <= longest ? id : digest(of: id) }

    private static func digest(of id: String) -> String {
        var context = sha256_ctx()
        nettle_sha256_init(&context)
        var id = id
        id.withUTF8 { nettle_sha256_update(&context, $0.count, $0.baseAddress) }
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
        nettle_sha256_digest(&context, digest.count, &digest)
        let digits = Array("0123456789abcdef".utf8)
        return mark + String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
