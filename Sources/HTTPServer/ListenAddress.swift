// Where a server listens, as words. From the command line or a test; no name is looked up on the network.
import Glibc

/// `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080` or `unix:/run/rulehost.sock`; port 0 is one that is free.
public enum ListenAddress: Sendable, Hashable, CustomStringConvertible {
    case ipv4(UInt32, port: UInt16)
    case ipv6([UInt8], port: UInt16)
    case unix(String)

    /// nil when the words are none.
    public init?(_ words: String) {
        if words.hasPrefix("unix:") {
            let path = String(words.dropFirst(5))
            if path.isEmpty || path.utf8.contains(0) { return nil }
            self = .unix(path)
            return
        }
        guard let colon = words.lastIndex(of: ":"), let port = ListenAddress.port(words[words.index(after: colon)...]) else { return nil }
        let host = words[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            var address = in6_addr()
            guard unsafe inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &address) == 1 else { return nil }
            self = .ipv6(unsafe withUnsafeBytes(of: &address) { unsafe Array($0) }, port: port)
        } else {
            var address = in_addr()
            guard unsafe inet_pton(AF_INET, host == "localhost" ? "127.0.0.1" : String(host), &address) == 1 else { return nil }
            self = .ipv4(UInt32(bigEndian: address.s_addr), port: port)
        }
    }

    /// The system chooses one that is free, another one each time.
    public var isAnyPort: Bool {
        switch self {
        case .ipv4(_, let port), .ipv6(_, let port): port == 0
        case .unix: false
        }
    }

    /// Nobody from another machine gets there.
    public var isLocal: Bool {
        switch self {
        case .ipv4(let address, _): address >> 24 == 127
        case .ipv6(let address, _): address == [UInt8](repeating: 0, count: 15) + [1]
        case .unix: true
        }
    }

    public var description: String {
        switch self {
        case .ipv4(let address, let port):
            [24, 16, 8, 0].map { String(address >> UInt32($0) & 0xff) }.joined(separator: ".") + ":\(port)"
        case .ipv6(let address, let port): "[\(ListenAddress.text(address))]:\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }

    func with(port: UInt16) -> ListenAddress {
        switch self {
        case .ipv4(let address, _): .ipv4(address, port: port)
        case .ipv6(let address, _): .ipv6(address, port: port)
        case .unix: self
        }
    }

    private static func port(_ text: Substring) -> UInt16? {
        guard !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return UInt16(text)
    }

    private static func text(_ address: [UInt8]) -> String {
        var text = [UInt8](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let isWritten = unsafe address.withUnsafeBytes { address in
            unsafe text.withUnsafeMutableBytes { text in
                unsafe inet_ntop(AF_INET6, address.baseAddress, text.baseAddress, socklen_t(text.count)) != nil
            }
        }
        return isWritten ? String(decoding: text.prefix { $0 != 0 }, as: UTF8.self) : "?"
    }
}
