// Who a server says it is: a certificate with its chain, and the key to it. Made by whoever starts a server, and again when the files have
// changed; loops make sessions of it. Reads no files and keeps no bytes of a key.
import CTLS

/// Immutable: a new certificate is another identity.
// SAFETY: the library lets any number of threads make sessions of one.
@safe public final class TLSIdentity: @unchecked Sendable {
    /// Why there is none.
    public enum Fault: Error, Sendable, Hashable {
        /// This machine has no OpenSSL 3.
        case noLibrary
        case noCertificate
        case noKey
        /// The key needs a password.
        case keyLocked
        /// The key is another certificate's.
        case keyOfAnother
        /// With the library's words, such as that the key is too small.
        case refused(String)
    }

    /// Seconds since 1970 between which clients believe it.
    public let from: Int64
    public let until: Int64
    private let identity: OpaquePointer

    /// - Parameters:
    ///   - certificate: PEM, the server's own first, then those that it leads to.
    ///   - key: PEM, without a password.
    public init(certificate: [UInt8], key: [UInt8]) throws(Fault) {
        let loaded = unsafe certificate.withUnsafeBufferPointer { certificate in
            unsafe key.withUnsafeBufferPointer { key in
                unsafe tls_load(
                    tls_text(bytes: certificate.baseAddress, count: certificate.count), tls_text(bytes: key.baseAddress, count: key.count))
            }
        }
        guard let identity = unsafe loaded.identity else { throw unsafe TLSIdentity.fault(loaded) }
        unsafe self.identity = identity
        unsafe (from, until) = (loaded.from, loaded.until)
    }

    deinit { unsafe tls_identity_free(identity) }

    private static func fault(_ loaded: tls_loaded) -> Fault {
        switch unsafe loaded.outcome {
        case TLS_NO_LIBRARY: .noLibrary
        case TLS_NO_CERTIFICATE: .noCertificate
        case TLS_NO_KEY: .noKey
        case TLS_KEY_LOCKED: .keyLocked
        case TLS_KEY_OTHER: .keyOfAnother
        default:
            .refused(
                unsafe withUnsafeBytes(of: loaded.words) { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
        }
    }

    /// nil: there is no memory for it.
    func session(_ descriptor: Int32) -> TLSSession? {
        unsafe tls_session_make(identity, descriptor).map { unsafe TLSSession($0) }
    }
}

/// Holds the identity that new connections get. Any thread may put another in its place; connections that are there keep theirs.
public final class TLSKeeper: Sendable {
    private let held: Guarded<TLSIdentity>

    public init(_ identity: TLSIdentity) { held = Guarded(identity) }

    public var identity: TLSIdentity { held.withLock { $0 } }

    public func replace(with identity: TLSIdentity) { held.withLock { $0 = identity } }
}
