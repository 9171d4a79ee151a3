// How a webhook works, and what whoever watches a host is told of it. Settings are chosen by whoever starts the host: nothing that a
// message or a rule says has a part in where a webhook leads.
import EffectStore
public import PushMessage

extension Webhook {
    public struct Settings: Sendable {
        /// https, or http to this machine; see `isUsable`.
        public var url: String
        /// Bytes with which bodies are signed.
        public var secret: [UInt8]
        /// Milliseconds for one POST.
        public var patience = 10_000
        /// Posts that are under way at the same time.
        public var lanes = 4
        /// Milliseconds after the first try that failed; doubled with each.
        public var pause: Int64 = 1_000
        public var longestPause: Int64 = 300_000
        /// Milliseconds for which nobody is asked when the other end fails again and again, at most.
        public var longestRest: Int64 = 60_000
        /// Milliseconds that the other end may ask for, by Retry-After, at most.
        public var longestRetry: Int64 = 3_600_000
        /// Milliseconds after the decision from which on a try that fails was the last.
        public var life: Int64 = 24 * 3_600_000
        /// Milliseconds that a POST under way has when the host ends.
        public var farewell: Int64 = 2_000
        /// A file of certificates that are trusted in place of the system's.
        public var trusted: String?

        public init(url: String, secret: [UInt8]) {
            self.url = url
            self.secret = secret
        }

        /// Milliseconds of pause that are heeded of those that the other end asks for; 0 where it asks for none.
        func retry(after seconds: Int64?) -> Int64 { seconds.map { min(max(0, $0), longestRetry / 1_000) * 1_000 } ?? 0 }

        /// Without encryption only programs of this machine are told.
        var isLocal: Bool { url.prefix(7).lowercased() == "http://" }

        /// Whether a webhook may lead there: https to anywhere, http to this machine, and nobody's name or password in it.
        public static func isUsable(_ url: String) -> Bool {
            guard url.utf8.count <= 2_048, url.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != 0x5c }) else { return false }
            let lower = url.lowercased()
            guard let scheme = ["https://", "http://"].first(where: { lower.hasPrefix($0) }) else { return false }
            let authority = lower.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
            guard !authority.isEmpty, !authority.contains("@"), !lower.contains("#"), hasPort(authority) else { return false }
            return scheme == "https://" || isOfThisMachine(authority)
        }

        /// A number, or none.
        private static func hasPort(_ authority: Substring) -> Bool {
            let rest = authority.hasPrefix("[") ? authority.drop { $0 != "]" }.dropFirst() : authority.drop { $0 != ":" }
            return rest.isEmpty || rest.hasPrefix(":") && UInt16(rest.dropFirst()) != nil && !rest.contains("+")
        }

        private static func isOfThisMachine(_ authority: Substring) -> Bool {
            if authority.hasPrefix("[") { return authority.prefix { $0 != "]" } == "[::1" }
            let name = authority.prefix { $0 != ":" }
            let parts = name.split(separator: ".", omittingEmptySubsequences: false)
            return name == "localhost" || parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
        }
    }

    public struct Facts: Sendable, Equatable {
        public var taken = 0
        /// Tries that failed.
        public var failures = 0
        /// Too old.
        public var expired = 0
        /// Made way for newer ones, because too much waited.
        public var dropped = 0
        public var waiting = 0
        /// When the oldest of them was decided.
        public var oldest: Instant?
    }

    /// What a person should know of it.
    public enum Word: Sendable, Equatable {
        /// Nothing is taken any more: a status, or in a word why there is none.
        case failing(String)
        /// It is again.
        case works
        /// So many are not told any more: nobody has taken them for too long.
        case expired(Int)
        /// So many are not told any more: too much waited.
        case dropped(Int)
    }
}
