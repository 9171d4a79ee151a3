// Tells a request that is repeated from another one with the same key: SHA-256 of what was asked and how.
import CNettle

enum RequestDigest {
    static func of(_ request: DecideRequest) -> [UInt8] {
        var context = sha256_ctx()
        nettle_sha256_init(&context)
        let trace: UInt8 =
            switch request.options.trace {
            case .none: 0
            case .rules: 1
            case .lines: 2
            }
        let options = [trace | (request.options.measuresUsage ? 4 : 0)]
        nettle_sha256_update(&context, options.count, options)
        nettle_sha256_update(&context, request.body.count, request.body)
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
        nettle_sha256_digest(&context, digest.count, &digest)
        return digest
    }
}
