// The tokens of a host as its file lists them: hashed, each with a name, roles and apps. Read from bytes that whoever starts the host
// hands over; asked for each request. A token itself is kept nowhere.
//
//     # name  SHA-256 of the token             roles         apps
//     mina    sha256:9f86d081884c7d659a2f…     decide,read   chat,shop
//     deploy  sha256:60303ae22b998861bce3…     operate       *
import CNettle
import RuleStore

public struct TokenTable: Sendable {
    private var callers: [Caller] = []
    private static let mark = "sha256:"

    public init(_ bytes: [UInt8]) throws(TokenFault) {
        var names: Set<String> = []
        var lines: [[UInt8]: Int] = [:]
        for (index, line) in bytes.split(separator: 0x0a, omittingEmptySubsequences: false).enumerated() {
            let words = String(decoding: line, as: UTF8.self).split { $0 == " " || $0 == "\t" || $0 == "\r" }.map(String.init)
            if words.isEmpty || words[0].hasPrefix("#") { continue }
            let caller = try TokenTable.caller(words, line: index + 1)
            guard names.insert(caller.name).inserted else {
                throw TokenFault(
                    line: index + 1, message: "there is a token of this name already", hint: "names stand in the audit: give each its own")
            }
            // Else requests and streams could take whoever comes with it for two people.
            if let same = lines[caller.digest] {
                throw TokenFault(
                    line: index + 1, message: "this is the token of line \(same) under another name",
                    hint: "who comes with it could be either: give each a token of his own")
            }
            lines[caller.digest] = index + 1
            callers.append(caller)
        }
        if callers.isEmpty { throw TokenFault(line: 1, message: "there is no token", hint: TokenTable.form) }
    }

    private static let form = "a line is NAME sha256:HEX ROLES APPS, as in: mina sha256:9f86… decide,read chat"

    private static func caller(_ words: [String], line: Int) throws(TokenFault) -> Caller {
        guard words.count == 4 else { throw TokenFault(line: line, message: "a token has four words", hint: form) }
        guard words[1].hasPrefix(mark), let digest = bytes(ofHex: words[1].dropFirst(mark.count)), digest.count == 32 else {
            throw TokenFault(
                line: line, message: "the second word is no SHA-256", hint: "printf %s TOKEN | sha256sum, and `sha256:` before it")
        }
        var roles: Set<Route.Role> = []
        for word in words[2].split(separator: ",", omittingEmptySubsequences: false) {
            guard let role = Route.Role(rawValue: String(word)), role != .anybody else {
                throw TokenFault(
                    line: line, message: word.isEmpty ? "a role is missing between commas" : "there is no role `\(word.prefix(32))`",
                    hint: "the roles are decide, read, edit, operate, metrics"
                )
            }
            roles.insert(role)
        }
        let apps = words[3] == "*" ? nil : try apps(words[3], line: line)
        return Caller(name: words[0], digest: digest, roles: roles, apps: apps)
    }

    private static func apps(_ word: String, line: Int) throws(TokenFault) -> Set<String> {
        var apps: Set<String> = []
        for (place, app) in word.split(separator: ",", omittingEmptySubsequences: false).map(String.init).enumerated() {
            guard RulesFolder.isAppName(app) else {
                throw TokenFault(
                    line: line,
                    message: app.isEmpty
                        ? "an app is missing between commas"
                        : app == "*"
                            ? "`*` stands for all apps, and stands alone" : "number \(place + 1) of the apps is not the name of one",
                    hint: "name apps with commas between them, as in: chat,shop; or write * for all")
            }
            apps.insert(app)
        }
        return apps
    }

    private static func bytes(ofHex text: Substring) -> [UInt8]? {
        let digits = text.utf8.map { UInt8($0) }
        guard digits.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        for place in stride(from: 0, to: digits.count, by: 2) {
            guard let high = Character(UnicodeScalar(digits[place])).hexDigitValue,
                let low = Character(UnicodeScalar(digits[place + 1])).hexDigitValue
            else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return bytes
    }

    /// Takes as long whichever it is, and whether it is one: every entry is compared, to its last byte.
    func caller(of token: String) -> Caller? {
        var context = sha256_ctx()
        nettle_sha256_init(&context)
        let bytes = Array(token.utf8)
        nettle_sha256_update(&context, bytes.count, bytes)
        var digest = [UInt8](repeating: 0, count: 32)
        nettle_sha256_digest(&context, digest.count, &digest)
        var found: Caller?
        for caller in callers {
            var difference: UInt8 = 0
            for place in 0..<32 { difference |= caller.digest[place] ^ digest[place] }
            if difference == 0 { found = caller }
        }
        return found
    }

    /// The token of somebody who has been let in, as it is here; nil: there is none like it.
    func caller(like known: Caller) -> Caller? { callers.first { $0.digest == known.digest } }
}

/// What is wrong with a file of tokens. Says nothing of what stands in it.
public struct TokenFault: Error, Sendable, Equatable {
    public let line: Int
    public let message: String
    public let hint: String
}
