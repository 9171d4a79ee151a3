// What `serve` was asked: where to listen, which rules, where to keep what apps remember. Made from the words of the command line;
// opens nothing.
import EffectStore
import HTTPServer
import RuleHosting
import RuleStore

struct ServeOptions {
    enum Store {
        case memory
        case file(StorePlace)
    }

    let rules: RulesFolder
    let addresses: [ListenAddress]
    let store: Store
    /// A file.
    let tokens: String?
    /// Requests of each token in a second; nil: as many as there are.
    let rate: Int?
    /// nil: nothing is encrypted.
    let tls: ServeTLS.Files?
    let durability: Durability
    let logs: ServeLogs
    /// nil: nobody is told of what was decided about messages that were held back.
    let webhook: ServeWebhook?
    var host = HostSettings()

    init(_ arguments: Arguments) throws(CommandFault) {
        let path = arguments.rulesFolder
        rules = RulesFolder(path: path)
        tokens = arguments[.tokens]
        rate = try ServeOptions.rate(arguments)
        var addresses: [ListenAddress] = []
        for words in arguments.all(.listen) {
            let address = try ServeOptions.address(words, isOnlyLocal: tokens == nil)
            // The second one would find the first one there, and take it for another program.
            guard !addresses.contains(address) || address.isAnyPort else {
                throw .invalidValue(
                    flag: Flag.listen.name, value: words, expected: "each address once; this one stands there twice", suggestion: nil)
            }
            addresses.append(address)
        }
        self.addresses = addresses.isEmpty ? [.ipv4(0x7f00_0001, port: 8080)] : addresses
        tls = try ServeOptions.tls(arguments, self.addresses)
        logs = try ServeLogs(arguments)
        webhook = try ServeWebhook(arguments)
        switch arguments[.storeForHost] {
        case "memory": store = .memory
        case nil: store = .file(StorePlace(path: ServeOptions.beside(path)))
        default: store = .file(try StorePlace.needed(by: "serve", arguments))
        }
        if arguments[.isolationOfHost] == "thread" { host.isolation = .thread }
        try host.take(arguments)
        durability = Durability(arguments)
    }

    private static func tls(_ arguments: Arguments, _ addresses: [ListenAddress]) throws(CommandFault) -> ServeTLS.Files? {
        switch (arguments[.tlsCertificate], arguments[.tlsKey]) {
        case (nil, nil): return nil
        case (_?, nil): throw .alone(.tlsCertificate, without: "--tls-key FILE", "the key of that certificate")
        case (nil, _?): throw .alone(.tlsKey, without: "--tls-cert FILE", "the certificate that has that key")
        case (let certificate?, let key?):
            guard addresses.contains(where: { if case .unix = $0 { false } else { true } }) else {
                throw .alone(
                    .tlsCertificate, without: "--listen ADDRESS:PORT", "nothing is encrypted that goes through the file of a socket")
            }
            return ServeTLS.Files(certificate: certificate, key: key)
        }
    }

    private static func rate(_ arguments: Arguments) throws(CommandFault) -> Int? {
        guard let words = arguments[.rate] else { return nil }
        guard arguments[.tokens] != nil else { throw .alone(.rate, without: "--tokens FILE", "it is how often each token may ask") }
        guard let rate = Int(words), 1...1_000_000 ~= rate else {
            throw .invalidValue(flag: Flag.rate.name, value: words, expected: "requests in a second, 1 to 1000000", suggestion: nil)
        }
        return rate
    }

    private static func address(_ words: String, isOnlyLocal: Bool) throws(CommandFault) -> ListenAddress {
        guard let address = ListenAddress(words) else {
            throw .invalidValue(
                flag: Flag.listen.name, value: words, expected: "an address and a port, as in 127.0.0.1:8080 or [::1]:8080, or unix:PATH",
                suggestion: nil)
        }
        guard address.isLocal || !isOnlyLocal else {
            throw .invalidValue(
                flag: Flag.listen.name, value: words,
                expected: "with --tokens any address, else one of this machine: 127.0.0.1:PORT, [::1]:PORT or unix:PATH",
                suggestion: nil)
        }
        return address
    }

    /// The store that nobody named: in the folder that holds the one of the rules.
    private static func beside(_ path: String) -> String {
        var parts = path.split(separator: "/", omittingEmptySubsequences: false)
        while parts.count > 1, parts.last == "" { parts.removeLast() }
        if parts.last == "." || parts.last == ".." { parts.append("..") } else { parts.removeLast() }
        return (parts + ["rulehost.db"]).joined(separator: "/")
    }
}
