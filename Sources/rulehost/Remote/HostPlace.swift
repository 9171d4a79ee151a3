// A host that runs, as --host names it, and what is needed to be let in: made from the words of the command line by verbs that work with
// a store or with the host that has it. Asks nobody; RemoteHost does.
import Glibc

struct HostPlace {
    /// As it was written.
    let name: String
    /// Without a slash at its end.
    let url: String
    /// The file of a socket; nil: what the address says.
    let socket: String?
    let token: [UInt8]?
    let certificates: String?

    /// What its certificate has to have among its names.
    var certifiedName: String {
        let place = url.drop { $0 != "/" }.dropFirst(2)
        return place.hasPrefix("[") ? place.prefix { $0 != "]" }.dropFirst().description : place.prefix { $0 != ":" }.description
    }

    /// A token is not sent to another machine for everybody to read.
    var isLocal: Bool { socket == nil && url.hasPrefix("http://") && token != nil }

    /// nil: no host is named.
    init?(_ arguments: Arguments) throws(CommandFault) {
        guard let name = arguments[.host] else {
            for flag in [Flag.tokenFile, .hostCertificates] where arguments.has(flag) {
                throw .flagsDisagree(flag.name, "store", why: "a store is a file, and needs no token: write --host")
            }
            return nil
        }
        if arguments.has(.store) { throw .flagsDisagree("store", "host", why: "a host that runs has its store: name one of them") }
        self.name = name
        if name.hasPrefix("unix:"), name.utf8.count > 5 {
            (url, socket) = ("http://localhost", String(name.dropFirst(5)))
        } else {
            (url, socket) = (try HostPlace.address(name), nil)
        }
        token = try HostPlace.token(arguments)
        certificates = arguments[.hostCertificates]
    }

    private static func address(_ name: String) throws(CommandFault) -> String {
        let isPlain = name.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != 0x5c && $0 != 0x40 }
        let scheme = ["http://", "https://"].first { name.lowercased().hasPrefix($0) }
        var rest = name.dropFirst(scheme?.utf8.count ?? 0)
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        guard let scheme, isPlain, !rest.isEmpty, !rest.contains(where: { "/?#".contains($0) }) else {
            throw .invalidValue(
                flag: Flag.host.name, value: name,
                expected: "http://HOST:PORT, https://HOST:PORT or unix:PATH, without a name, a password or a path", suggestion: nil)
        }
        return scheme + rest
    }

    private static func token(_ arguments: Arguments) throws(CommandFault) -> [UInt8]? {
        if let path = arguments[.tokenFile] {
            let token = try SecretFile(path: path).bytes(atLeast: 1)
            guard isToken(token) else {
                throw .secret(path: path, "a token is one word of visible characters", "it is the one whose hash stands in the host's file")
            }
            return token
        }
        guard let value = getenv("RULEHOST_TOKEN"), value.pointee != 0 else { return nil }
        let token = Array(String(cString: value).utf8)
        guard isToken(token) else {
            throw .secret(
                path: "RULEHOST_TOKEN", "a token is one word of visible characters", "it is the one whose hash stands in the host's file")
        }
        return token
    }

    /// Nothing in it ends a line of a head.
    private static func isToken(_ bytes: [UInt8]) -> Bool { bytes.allSatisfy { (0x21...0x7e).contains($0) } }
}

/// Where a verb works: on a store that no host has, or beside one, or with a host that runs.
enum WorkPlace {
    case store(StorePlace)
    case host(RemoteHost)

    static func needed(by verb: String, _ arguments: Arguments) throws(CommandFault) -> WorkPlace {
        if let host = try HostPlace(arguments) { return .host(RemoteHost(host)) }
        guard let store = try StorePlace(arguments) else {
            throw .missingOperand(verb: verb, operands: "--store sqlite:PATH, or --host URL of a host that runs")
        }
        return .store(store)
    }
}
