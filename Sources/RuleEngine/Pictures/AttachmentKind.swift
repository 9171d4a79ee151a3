// The pictures, sounds and films that a phone puts into a notification: an allow-list. What a file is called follows from
// its kind alone, never from a text that somebody sent.

public enum AttachmentKind: String, CaseIterable, Sendable {
    case jpeg, png, gif
    case aiff, wav, mp3, m4a
    case mpeg, mp4, avi

    /// As HTTP names it.
    public var mimeType: String {
        switch self {
        case .jpeg, .png, .gif: "image/\(rawValue)"
        case .aiff, .wav: "audio/\(rawValue)"
        case .mp3: "audio/mpeg"
        case .m4a: "audio/mp4"
        case .mpeg, .mp4: "video/\(rawValue)"
        case .avi: "video/x-msvideo"
        }
    }

    /// What a file of this kind ends in, without the dot.
    public var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .mpeg: "mpg"
        default: rawValue
        }
    }

    /// The most that a phone takes, in bytes.
    public var largest: Int {
        switch self {
        case .jpeg, .png, .gif: 10 << 20
        case .aiff, .wav, .mp3, .m4a: 5 << 20
        case .mpeg, .mp4, .avi: 50 << 20
        }
    }

    /// The most of any kind.
    public static let largestOfAll = 50 << 20

    /// For sentences: "JPEG", "GIF".
    public var noun: String { rawValue.uppercased() }

    /// - Parameter type: a MIME type or the end of a file's name, in any capitals.
    public init?(type: String) {
        guard let kind = AttachmentKind.byType[type.lowercased()] else { return nil }
        self = kind
    }

    private static let byType: [String: AttachmentKind] = [
        "jpg": .jpeg, "jpeg": .jpeg, "image/jpeg": .jpeg, "image/jpg": .jpeg, "png": .png, "image/png": .png, "gif": .gif,
        "image/gif": .gif,
        "aif": .aiff, "aiff": .aiff, "audio/aiff": .aiff, "audio/x-aiff": .aiff, "wav": .wav, "audio/wav": .wav,
        "audio/x-wav": .wav, "audio/wave": .wav, "audio/vnd.wave": .wav, "mp3": .mp3, "audio/mpeg": .mp3, "audio/mp3": .mp3,
        "m4a": .m4a, "audio/mp4": .m4a, "audio/m4a": .m4a, "audio/x-m4a": .m4a,
        "mpg": .mpeg, "mpeg": .mpeg, "video/mpeg": .mpeg, "mp4": .mp4, "video/mp4": .mp4, "avi": .avi, "video/avi": .avi,
        "video/x-msvideo": .avi, "video/msvideo": .avi,
    ]
}
