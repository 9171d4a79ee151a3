// Which addresses a tap may lead to: the manifest's `links`, or without it every scheme but those that run or read
// something. Looked at by the link guard after the rules, whoever set the route.
import JSONDocument
import PushMessage

package struct LinkPolicy: Sendable {
    package enum Verdict: Equatable, Sendable {
        case allowed
        /// A sentence without its subject: "has the scheme `javascript`, which is never followed".
        case refused(String)
    }

    private let schemes: [String]?
    private let hosts: [String]?
    let fallback: String?

    private static let neverFollowed = ["javascript", "data", "file", "blob", "vbscript"]

    package init(_ links: Manifest.Links?) {
        schemes = links?.schemes.map { $0.map { $0.lowercased() } }
        hosts = links?.hosts.map { $0.map { $0.lowercased() } }
        fallback = links?.fallback
    }

    package func verdict(on link: String) -> Verdict {
        if fallback.isExactly(link) { return .allowed }
        guard let address = Address(link) else { return .refused("is not an absolute address") }
        if let schemes {
            guard schemes.contains(address.scheme) else {
                return .refused("has the scheme \"\(address.scheme)\", which this app does not follow")
            }
        } else if LinkPolicy.neverFollowed.contains(address.scheme) {
            return .refused("has the scheme \"\(address.scheme)\", which is never followed")
        }
        guard address.isWeb else { return .allowed }
        guard let host = address.host else { return .refused("names no host") }
        if address.isPicture { return .refused("is a picture, not a screen") }
        guard let hosts, !hosts.contains(where: { LinkPolicy.matches(host, $0) }) else { return .allowed }
        return .refused("leads to the host \"\(host)\", which this app does not follow")
    }

    /// Why nobody may follow the link, in a sentence without its subject; nil when that depends on more than its scheme.
    func whyNeverFollowed(_ link: String) -> String? {
        guard !fallback.isExactly(link), let scheme = Address(link)?.scheme, LinkPolicy.neverFollowed.contains(scheme),
            !(schemes ?? []).contains(scheme)
        else { return nil }
        return "has the scheme \"\(scheme)\", which is never followed"
    }

    /// "*.example.com" stands for every host below example.com, not for example.com itself.
    private static func matches(_ host: String, _ pattern: String) -> Bool {
        guard pattern.hasPrefix("*.") else { return host.isExactly(pattern) }
        let suffix = pattern.utf8.dropFirst()
        return host.utf8.count > suffix.count && host.utf8.suffix(suffix.count).elementsEqual(suffix)
    }
}

/// The parts of an absolute address that decide whether it is followed. Read as browsers read them, so that no
/// spelling hides the host: the last `@` ends a user name and a dot at the end does not count. A `\`, which browsers take for `/`, makes it no
/// address.
struct Address: Sendable {
    /// Lower case.
    let scheme: String
    /// Lower case; nil when there is none.
    let host: String?
    /// The path ends like the name of a picture's file, whatever query follows.
    let isPicture: Bool

    var isWeb: Bool { scheme == "http" || scheme == "https" }

    /// nil when the text is no absolute address: no scheme, empty, longer than 2048 bytes, a space, a backslash or a control
    /// character.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard (1...2048).contains(bytes.count), bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }),
            let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > 0, colon + 1 < bytes.count,
            Address.isLetter(bytes[0]), bytes[..<colon].allSatisfy(Address.mayStandInScheme)
        else { return nil }
        scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
        let rest = bytes[(colon + 1)...]
        guard rest.starts(with: "//".utf8) else {
            host = nil
            isPicture = Address.namesPicture(rest)
            return
        }
        let authority = rest.dropFirst(2).prefix { !"/?#".utf8.contains($0) }
        let place = authority.lastIndex(of: UInt8(ascii: "@")).map { authority[authority.index(after: $0)...] } ?? authority
        host = Address.host(place)
        isPicture = Address.namesPicture(rest[authority.endIndex...])
    }

    /// A way to a picture leaves the person before a screen without a way back.
    private static let pictureEndings = ["jpg", "jpeg", "png", "gif", "webp", "heic", "heif", "avif", "bmp", "tif", "tiff", "svg"]

    private static func namesPicture(_ rest: ArraySlice<UInt8>) -> Bool {
        let path = rest.prefix { !"?#".utf8.contains($0) }
        let name = path.lastIndex(of: UInt8(ascii: "/")).map { path[path.index(after: $0)...] } ?? path
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), name.endIndex - dot <= 5 else { return false }
        let ending = String(decoding: name[name.index(after: dot)...], as: UTF8.self).lowercased()
        return pictureEndings.contains(ending)
    }

    private static func host(_ place: ArraySlice<UInt8>) -> String? {
        var name = place
        if name.first == UInt8(ascii: "[") {
            guard let end = name.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            name = name[...end]
        } else {
            name = name.prefix { $0 != UInt8(ascii: ":") }
            if name.last == UInt8(ascii: ".") { name = name.dropLast() }
        }
        return name.isEmpty ? nil : String(decoding: name, as: UTF8.self).lowercased()
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte | 32) }

    private static func mayStandInScheme(_ byte: UInt8) -> Bool {
        isLetter(byte) || (48...57).contains(byte) || "+-.".utf8.contains(byte)
    }
}
