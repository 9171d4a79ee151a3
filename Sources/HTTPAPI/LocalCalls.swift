// Without tokens only programs of this machine may ask. A web page that somebody looks at on this machine is not one of them,
// although its browser is: so every name in a request has to be plainly one of this machine, and Origin none of another site. Names that only
// some programs take for this machine are refused.
import HTTPServer
import RuleHosting

enum LocalCalls {
    /// nil: it is one.
    static func problem(of head: RequestHead) -> HostProblem? {
        // HTTP/1.0 may leave it out; a browser never does. Two are refused by whoever reads heads.
        let host = head.value(of: "host")
        for name in [host, head.authority] {
            guard let name, !isLocal(name) else { continue }
            return APIProblem.hostNotLocal.problem(
                "without tokens this host is asked by the names of this machine only", "write localhost, 127.0.0.1 or [::1]")
        }
        let own = head.authority ?? host ?? ""
        for origin in head.values(of: "origin") where own.isEmpty || origin != "http://\(own)" && origin != "https://\(own)" {
            return APIProblem.originForeign.problem("a page of another site asks", "without tokens, only pages of this host may")
        }
        return nil
    }

    /// `localhost`, an address of 127.0.0.0/8 in four plain numbers, or `[::1]`; with or without a port.
    private static func isLocal(_ host: String) -> Bool {
        var name = Substring(host)
        if let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") {
            guard isNumber(host[host.index(after: colon)...], most: 65_535) else { return false }
            name = host[..<colon]
        }
        if name == "[::1]" || name.lowercased() == "localhost" { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { isNumber($0, most: 255) }
    }

    /// In digits, without zeros before it: some read those as octal.
    private static func isNumber(_ text: Substring, most: Int) -> Bool {
        guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), text == "0" || !text.hasPrefix("0"), text.utf8.count <= 5 else { return false }
        return Int(text).map { $0 <= most } ?? false
    }
}
