// Which files of an app somebody may edit from afar: rules and modules in Lua, cases in JSON, where an app has them. A path that
// is one of these cannot lead anywhere else; whether there is such a file is not known here.

internal import CNettle

public struct AppFilePath: Sendable, Hashable, CustomStringConvertible {
    enum Kind { case lua, cases }

    /// From the app's folder on.
    let folders: [String]
    let name: String
    let kind: Kind
    /// Modules and what cases refer to may stand so deep.
    private static let deepest = 8

    /// - Parameter segments: of the path, decoded; nil: an app has no such file.
    public init?(_ segments: [String]) {
        guard let name = segments.last, segments.count <= AppFilePath.deepest + 2, segments.allSatisfy(AppFilePath.isName) else {
            return nil
        }
        folders = segments.dropLast()
        self.name = name
        switch folders.first {
        case nil where name.hasSuffix(".lua"), "lib" where name.hasSuffix(".lua"): kind = .lua
        case "cases" where name.hasSuffix(".json"): kind = .cases
        default: return nil
        }
    }

    /// Whether a draft may hold it: a file of an app, or what cases name beside them, whatever that is called.
    public static func isOfDraft(_ segments: [String]) -> Bool {
        if AppFilePath(segments) != nil { return true }
        return segments.first == "cases" && (2...deepest + 2).contains(segments.count) && segments.allSatisfy(isName)
    }

    static let manifest = AppFilePath(folders: [], name: "app.lua", kind: .lua)

    private init(folders: [String], name: String, kind: Kind) { (self.folders, self.name, self.kind) = (folders, name, kind) }

    /// In words, for whoever has asked for something else.
    public static let form = "an app has NAME.lua, lib/NAME.lua and cases/NAME.json; hidden files are not its own"

    public var description: String { (folders + [name]).joined(separator: "/") }

    public var isCases: Bool { kind == .cases }

    /// Hidden ones are the editors', and "..", and those that are only begun.
    private static func isName(_ word: String) -> Bool {
        (1...200).contains(word.utf8.count) && !word.hasPrefix(".") && !word.hasSuffix("~")
            && word.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "/") }
    }
}

/// What a file holds, in short: SHA-256, its first half as hexadecimal digits.
public struct FileDigest: Sendable, Hashable, CustomStringConvertible {
    public let description: String

    public init(of bytes: [UInt8]) {
        var context = sha256_ctx()
        nettle_sha256_init(&context)
        nettle_sha256_update(&context, bytes.count, bytes)
        var digest = [UInt8](repeating: 0, count: 16)
        nettle_sha256_digest(&context, digest.count, &digest)
        let digits = Array("0123456789abcdef".utf8)
        description = String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
