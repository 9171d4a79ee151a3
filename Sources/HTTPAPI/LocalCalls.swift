// Without tokens only programs of this machine may ask. A web page that somebody looks at on this machine is not one of them,
// although its browser is: so the name in Host has to be one of this machine, and Origin none of another site.
import HTTPServer
import RuleHosting

enum LocalCalls {
    /// nil: it is one.
    static func problem(of head: RequestHead) -> HostProblem? {
        // HTTP/1.0 may leave it out; a browser never does.
        let host = head.value(of: "host")
        if let host, !isLocal(host) {
            return APIProblem.hostNotLocal.problem(
                "without tokens this host is asked by the names of this machine only", "write localhost, 127.0.0.1 or [::1]")
        }
        if let origin = head.value(of: "origin"), origin != "http://\(host ?? "")", origin != "https://\(host ?? "")" {
            return APIProblem.originForeign.problem("a page of another site asks", "without tokens, only pages of this host may")
        }
        return nil
    }

    /// With or without a port.
    private static func isLocal(_ host: String) -> Bool {
        var name = Substring(host)
        if name.hasPrefix("[") {
            name = name.prefix { $0 != "]" }
            return name == "[::1"
        }
        name = name.prefix { $0 != ":" }
        if name.isEmpty || name.lowercased() == "localhost" { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
