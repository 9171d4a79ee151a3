// Which pictures, sounds and films may be fetched: over https only, and of the kinds a phone shows. Judged by the type
// that the rule gave or, without one, by the end of the address; never by a path inside a type.

enum AttachmentPolicy {
    enum Verdict: Equatable, Sendable {
        case allowed
        case invalid
        case insecure
        /// The type, as it was given or as the address ends.
        case unknownType(String)
    }

    static func verdict(on attachment: Content.Attachment) -> Verdict {
        guard let address = Address(attachment.url), address.isWeb, address.host != nil else { return .invalid }
        guard address.scheme == "https" else { return .insecure }
        if let type = attachment.type {
            return types.contains(type.lowercased()) ? .allowed : .unknownType(type)
        }
        // An address that does not end in a type may still be a picture: the phone sees when it has fetched it.
        guard let ending = ending(of: attachment.url) else { return .allowed }
        return endings.contains(ending) ? .allowed : .unknownType(ending)
    }

    /// What stands after the last dot of the last step of the path, in lower case.
    private static func ending(of url: String) -> String? {
        let afterScheme = url.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst(3)
        let path = afterScheme.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let steps = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard steps.count > 1, let last = steps.last, let dot = last.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let ending = last[last.index(after: dot)...]
        guard (1...5).contains(ending.count) else { return nil }
        return String(decoding: ending, as: UTF8.self).lowercased()
    }

    private static let endings: Set<String> = [
        "jpg", "jpeg", "png", "gif", "aif", "aiff", "wav", "mp3", "m4a", "mpg", "mpeg", "mp4", "avi",
    ]

    private static let types: Set<String> = endings.union([
        "image/jpeg", "image/jpg", "image/png", "image/gif", "audio/aiff", "audio/x-aiff", "audio/wav", "audio/x-wav",
        "audio/wave", "audio/vnd.wave", "audio/mpeg", "audio/mp3", "audio/mp4", "audio/m4a", "audio/x-m4a",
        "video/mpeg", "video/mp4", "video/avi", "video/x-msvideo", "video/msvideo",
    ])
}
