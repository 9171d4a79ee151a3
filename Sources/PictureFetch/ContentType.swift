// What content is, told by its first bytes alone: neither the name of the address nor what the server says counts.
import RuleEngine

enum ContentType: Equatable {
    case attachment(AttachmentKind)
    /// Something that phones do not put into a notification, as HTTP names it.
    case other(String)

    /// Bytes that are enough to tell.
    static let needed = 64

    /// For decisions.
    var name: String {
        switch self {
        case .attachment(let kind): kind.mimeType
        case .other(let name): name
        }
    }

    init(_ start: [UInt8]) {
        if let kind = ContentType.kind(start) { self = .attachment(kind) } else { self = .other(ContentType.otherName(start)) }
    }

    private static func kind(_ start: [UInt8]) -> AttachmentKind? {
        if start.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
        if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
        if start.starts(with: "GIF87a".utf8) || start.starts(with: "GIF89a".utf8) { return .gif }
        if start.starts(with: "RIFF".utf8), start.holds("WAVE", at: 8) { return .wav }
        if start.starts(with: "RIFF".utf8), start.holds("AVI ", at: 8) { return .avi }
        if start.starts(with: "FORM".utf8), start.holds("AIFF", at: 8) || start.holds("AIFC", at: 8) { return .aiff }
        if start.holds("ftyp", at: 4) {
            if start.holds("M4A", at: 8) || start.holds("M4B", at: 8) { return .m4a }
            return ["isom", "iso2", "iso4", "iso5", "iso6", "mp41", "mp42", "avc1", "M4V", "MSNV", "dash"]
                .contains { start.holds($0, at: 8) } ? .mp4 : nil
        }
        if start.starts(with: "ID3".utf8) { return .mp3 }
        // A frame of MPEG audio, layer 3: eleven bits set, then version and layer.
        if start.count > 1, start[0] == 0xFF, [0xFB, 0xFA, 0xF3, 0xF2, 0xE3, 0xE2].contains(start[1]) { return .mp3 }
        if start.starts(with: [0, 0, 1, 0xBA]) || start.starts(with: [0, 0, 1, 0xB3]) { return .mpeg }
        return nil
    }

    private static func otherName(_ start: [UInt8]) -> String {
        if start.starts(with: "RIFF".utf8), start.holds("WEBP", at: 8) { return "image/webp" }
        if start.holds("ftyp", at: 4) {
            if start.holds("avi", at: 8) { return "image/avif" }
            return ["hei", "hev", "mif1", "msf1"].contains { start.holds($0, at: 8) } ? "image/heic" : "video/quicktime"
        }
        if start.starts(with: "BM".utf8) { return "image/bmp" }
        if start.starts(with: [0x49, 0x49, 0x2A, 0]) || start.starts(with: [0x4D, 0x4D, 0, 0x2A]) { return "image/tiff" }
        if start.starts(with: "%PDF".utf8) { return "application/pdf" }
        let text = String(decoding: start, as: UTF8.self).lowercased()
        if text.contains("<svg") { return "image/svg+xml" }
        if text.contains("<html") || text.contains("<!doctype html") { return "text/html" }
        return "unknown data"
    }
}

extension [UInt8] {
    fileprivate func holds(_ text: String, at place: Int) -> Bool { count > place && self[place...].starts(with: text.utf8) }
}
