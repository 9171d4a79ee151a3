// The webhook of `serve`: where it leads and what it signs with, read from the words of the command line. The secret is read before the
// host begins, and again at SIGHUP; a file that has a fault by then changes nothing.
import HostTelemetry
import RuleHosting

extension Flag {
    static let webhook = Flag(
        "webhook", .required("URL", .text),
        "Tell this server what was decided about messages that were held back; https, or http to this machine")
    static let webhookSecret = Flag(
        "webhook-secret", .required("FILE", .file), "What --webhook signs with; read again at SIGHUP")

    static let webhookCertificates = Flag(
        "webhook-ca", .required("FILE", .file), "Certificates that the server of --webhook is trusted by, in place of the system's: PEM")

    /// In the order in which help shows them.
    static let ofWebhook: [Flag] = [.webhook, .webhookSecret, .webhookCertificates]
}

struct ServeWebhook {
    private let url: String
    private let file: SecretFile
    /// nil: those of the system are trusted.
    private let certificates: String?
    /// Bytes: less could be guessed.
    private static let leastSecret = 16

    /// nil: nobody is told.
    init?(_ arguments: Arguments) throws(CommandFault) {
        let (url, secret) = (arguments[.webhook], arguments[.webhookSecret])
        guard let url else {
            if arguments.has(.webhookCertificates) {
                throw .alone(.webhookCertificates, without: "--webhook URL", "nobody else is trusted by it")
            }
            if secret == nil { return nil }
            throw .alone(.webhookSecret, without: "--webhook URL", "nothing else is signed with it")
        }
        guard Webhook.Settings.isUsable(url) else {
            throw ServeWebhook.invalid(
                .webhook, url,
                "an address without a name or password in it, as in https://example.com/hook; http only to 127.0.0.1 or [::1]")
        }
        guard let secret else {
            throw .alone(.webhook, without: "--webhook-secret FILE", "nothing is told without a signature")
        }
        certificates = arguments[.webhookCertificates]
        if certificates != nil, !url.lowercased().hasPrefix("https://") {
            throw .alone(.webhookCertificates, without: "--webhook https://…", "nobody shows a certificate over http")
        }
        self.url = url
        file = SecretFile(path: secret)
    }

    private static func invalid(_ flag: Flag, _ value: String, _ expected: String) -> CommandFault {
        .invalidValue(flag: flag.name, value: value, expected: expected, suggestion: nil)
    }

    func secret() throws(CommandFault) -> [UInt8] { try file.bytes(atLeast: ServeWebhook.leastSecret) }

    func settings(signingWith secret: [UInt8]) throws(CommandFault) -> Webhook.Settings {
        var settings = Webhook.Settings(url: url, secret: secret)
        settings.trusted = try certificates.map(ServeWebhook.trusted)
        return settings
    }

    /// Read again for each connection, so that another one may be put in its place.
    private static func trusted(_ path: String) throws(CommandFault) -> String {
        try InputSource.mustBeFile(path)
        let mark = Array("-----BEGIN CERTIFICATE-----".utf8)
        let bytes = try InputSource.whole(path, limit: largest)
        guard bytes.split(separator: 0x0a).contains(where: { $0.starts(with: mark) }) else {
            throw invalid(.webhookCertificates, path, "a file with a certificate in it, as PEM")
        }
        return path
    }

    private static let largest = 16 << 20

    /// At SIGHUP, on the thread for that.
    /// - Parameter journal: nil: text for people is told.
    /// - Returns: whether it is in force.
    func readAgain(for host: RuleHost?, _ journal: Journal?) -> Bool {
        let console = Console()
        defer { _ = console.finish() }
        do throws(CommandFault) {
            try InputSource.mustBeFile(file.path)
            host?.exchangeWebhookSecret(try secret())
            if let journal {
                journal.log(.info, "secret_read", [("file", .text(file.path))])
            } else {
                console.writeError("rulehost: the secret of \(file.path.printable) is in force\n")
            }
            return true
        } catch {
            if let journal {
                journal.log(.error, "secret_refused", error.journalFields)
            } else {
                console.report(error)
            }
            return false
        }
    }
}
