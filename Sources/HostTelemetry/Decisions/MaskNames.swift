// What stands in the place of a masked text: the same for the same text as long as the host runs. Used by Masking and EarlierTexts.
import CNettle

struct MaskNames {
    let salt: [UInt8]
    static let mark = "masked-"

    /// 64 bits of a digest that nobody can make who does not know the salt.
    func name(of text: [UInt8]) -> String {
        var context = sha256_ctx()
        nettle_sha256_init(&context)
        nettle_sha256_update(&context, salt.count, salt)
        nettle_sha256_update(&context, text.count, text)
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
        nettle_sha256_digest(&context, digest.count, &digest)
        let hex = digest.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return "\(MaskNames.mark)\(hex)"
    }
}
