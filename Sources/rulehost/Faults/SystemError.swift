// The system's words for an errno.
import Glibc

enum SystemError {
    static let noSuchFile = ENOENT

    static func text(_ code: Int32) -> String {
        guard let text = strerror(code) else { return "error \(code)" }
        let words = String(cString: text)
        return words.prefix(1).lowercased() + words.dropFirst()
    }
}
