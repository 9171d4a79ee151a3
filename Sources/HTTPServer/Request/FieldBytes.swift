// Which bytes may stand where in a head (RFC 9110 section 5.6.2, RFC 9112, RFC 3986). Tables, because each byte of each head
// is looked up; used by what reads heads and by what writes them.

enum FieldBytes {
    static func isToken(_ byte: UInt8) -> Bool { kinds[Int(byte)] & token != 0 }

    /// In a field's value: a tab, what can be seen, and bytes beyond ASCII.
    static func isValue(_ byte: UInt8) -> Bool { (byte >= 0x20 && byte != 0x7f) || byte == 0x09 }

    /// In a target: what can be seen, of ASCII.
    static func isTarget(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7f }

    static func isHost(_ byte: UInt8) -> Bool { kinds[Int(byte)] & host != 0 }

    static func isRequestID(_ byte: UInt8) -> Bool { kinds[Int(byte)] & requestID != 0 }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static let token: UInt8 = 1
    private static let host: UInt8 = 2
    private static let requestID: UInt8 = 4

    private static let kinds: [UInt8] = {
        var kinds = [UInt8](repeating: 0, count: 256)
        let words = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
        for byte in (words + "!#$%&'*+-.^_`|~").utf8 { kinds[Int(byte)] |= token }
        for byte in (words + "-._~!$&'()*+,;=%:[]").utf8 { kinds[Int(byte)] |= host }
        for byte in (words + "-._~:/+=@").utf8 { kinds[Int(byte)] |= requestID }
        return kinds
    }()
}
