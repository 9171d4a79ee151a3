// Names a ruleset by its content: SHA-256 over the sorted paths and bytes of all files that can change a decision.
// Each part is preceded by its length, so that no two sets of files give the same input.
import CNettle

enum RulesetHash {
    /// 64 hex digits.
    static func full(of files: [SourceFile]) -> String {
        var context = sha256_ctx()
        nettle_sha256_init(&context)
        for file in files.sorted(by: { $0.path < $1.path }) {
            update(&context, Array(file.path.utf8))
            update(&context, file.bytes)
        }
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
        nettle_sha256_digest(&context, digest.count, &digest)
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The first 12 of them: what decisions carry.
    static func short(of files: [SourceFile]) -> String { String(full(of: files).prefix(12)) }

    private static func update(_ context: inout sha256_ctx, _ bytes: [UInt8]) {
        var length = UInt64(bytes.count).bigEndian
        withUnsafeBytes(of: &length) { raw in
            nettle_sha256_update(&context, raw.count, raw.bindMemory(to: UInt8.self).baseAddress)
        }
        nettle_sha256_update(&context, bytes.count, bytes)
    }
}
