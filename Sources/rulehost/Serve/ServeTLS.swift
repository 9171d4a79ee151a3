// The certificate and key of `serve`: read before anybody is let in, and again at SIGHUP. A pair that is no good by then changes nothing;
// the host says so and goes on with the one it has. Nothing of the files is repeated.
import EffectStore
import Glibc
import HTTPServer
import HostTelemetry
import PushMessage

struct ServeTLS {
    /// What the command line names: both or neither.
    struct Files: Sendable {
        let certificate: String
        let key: String

        func read() throws(CommandFault) -> Bytes {
            Bytes(
                certificate: try InputSource.whole(certificate, limit: ServeTLS.largest),
                key: try InputSource.whole(key, limit: ServeTLS.largest))
        }
    }

    /// What they hold.
    struct Bytes: Equatable {
        let certificate: [UInt8]
        let key: [UInt8]
    }

    private let files: Files
    let keeper: TLSKeeper
    /// What is shown.
    private let shown: Monitor<Bytes>
    private static let largest = 1 << 20

    /// - Parameter bytes: of the files.
    init(_ files: Files, _ bytes: Bytes, _ journal: Journal?) throws(CommandFault) {
        self.files = files
        let identity = try ServeTLS.identity(files, bytes)
        keeper = TLSKeeper(identity)
        shown = Monitor(bytes)
        warn(of: identity, journal)
    }

    private static func identity(_ files: Files, _ bytes: Bytes) throws(CommandFault) -> TLSIdentity {
        do throws(TLSIdentity.Fault) {
            return try TLSIdentity(certificate: bytes.certificate, key: bytes.key)
        } catch {
            throw .tls(certificate: files.certificate, key: files.key, error)
        }
    }

    /// At SIGHUP, on the thread for that.
    /// - Returns: whether they are in force.
    func readAgain(_ journal: Journal?) -> Bool {
        do throws(CommandFault) {
            for path in [files.certificate, files.key] { try InputSource.mustBeFile(path) }
            let bytes = try files.read()
            let identity = try ServeTLS.identity(files, bytes)
            // SIGHUP is for tokens and logs as well: whoever reads the journal looks for the exchange.
            let isAnother = shown.withLock { shown in
                defer { shown = bytes }
                return shown != bytes
            }
            if isAnother {
                keeper.replace(with: identity)
                journal?.log(.info, "certificate", [("until", .text(ServeTLS.text(identity.until)))])
            }
            warn(of: identity, journal)
            return true
        } catch {
            journal?.log(.error, "certificate_not_taken", error.journalFields)
            return false
        }
    }

    /// Of what works, and will not for everybody or for ever.
    private func warn(of identity: TLSIdentity, _ journal: Journal?) {
        let now = Int64(time(nil))
        if identity.until <= now {
            journal?.log(.warning, "certificate_expired", [("since", .text(ServeTLS.text(identity.until)))])
        } else if identity.from > now {
            journal?.log(.warning, "certificate_not_yet", [("from", .text(ServeTLS.text(identity.from)))])
        }
        var status = stat()
        if stat(files.key, &status) == 0, status.st_mode & 0o007 != 0 {
            journal?.log(.warning, "key_open", [("file", .text(files.key)), ("hint", .text("chmod 640, or less"))])
        }
    }

    private static func text(_ seconds: Int64) -> String { Instant(milliseconds: seconds * 1_000).text }
}

extension TLSIdentity.Fault {
    func report(certificate: String, key: String) -> FaultReport {
        switch self {
        case .noLibrary:
            FaultReport(
                place: nil, message: "this machine has no OpenSSL 3, which TLS needs", excerpt: nil,
                hint: "install it (Debian: apt-get install libssl3), or let a proxy speak TLS")
        case .noCertificate:
            FaultReport(
                place: certificate, message: "the file holds no certificate", excerpt: nil,
                hint: "it is to be PEM: the server's own certificate first, then those that it leads to")
        case .noKey:
            FaultReport(place: key, message: "the file holds no key", excerpt: nil, hint: "it is to be PEM, without a password")
        case .keyLocked:
            FaultReport(
                place: key, message: "the key needs a password", excerpt: nil,
                hint: "take the password off (openssl pkey -in FILE -out FILE), and let only the host read the file")
        case .keyOfAnother:
            FaultReport(
                place: key, message: "the key is not that of the certificate \(certificate)", excerpt: nil,
                hint: "the server's own certificate has to be the first in its file")
        case .refused(let words):
            FaultReport(
                place: certificate, message: "OpenSSL does not take the certificate: \(words)", excerpt: nil,
                hint: "RSA keys have 2,048 bits or more; keys of elliptic curves are faster")
        }
    }
}
