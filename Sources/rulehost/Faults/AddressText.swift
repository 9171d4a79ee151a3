// Addresses as they are repeated to people. Used by FaultReport: what somebody has typed wrongly is shown to him, and to whoever reads the log of
// a build, so that a name and a password in it must not be.

extension String {
    /// `…@` in the place of what stands before the last `@` of an address, or of `name:password@host`.
    var withoutUserinfo: String {
        let bytes = Array(utf8)
        guard let mark = bytes.lastIndex(of: UInt8(ascii: "@")) else { return self }
        let scheme = Array("://".utf8)
        let start = bytes[..<mark].indices.first { bytes[$0..<mark].starts(with: scheme) }.map { $0 + scheme.count } ?? bytes.startIndex
        guard start > bytes.startIndex || bytes[..<mark].contains(UInt8(ascii: ":")) else { return self }
        return String(decoding: bytes[..<start], as: UTF8.self) + "…" + String(decoding: bytes[mark...], as: UTF8.self)
    }
}
