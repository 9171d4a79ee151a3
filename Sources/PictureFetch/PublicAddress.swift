// Which addresses of the internet are open to everybody. A picture is fetched from nowhere else: an address inside the
// network of the machine that runs this is nobody's business, least of all a message's.

enum PublicAddress {
    /// - Parameter bytes: 4 or 16 in network order.
    static func isPublic(_ bytes: [UInt8]) -> Bool {
        switch bytes.count {
        case 4: isPublicV4(bytes)
        case 16: isPublicV6(bytes)
        default: false
        }
    }

    static func isLoopback(_ bytes: [UInt8]) -> Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes.count == 16 && bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
    }

    /// The special blocks of IANA's IPv4 registry (RFC 6890), multicast and what is reserved.
    private static func isPublicV4(_ b: [UInt8]) -> Bool {
        switch (b[0], b[1], b[2]) {
        case (0, _, _), (10, _, _), (127, _, _), (224..., _, _): false
        case (100, 64...127, _): false
        case (169, 254, _): false
        case (172, 16...31, _): false
        case (192, 0, 0), (192, 0, 2), (192, 88, 99), (192, 168, _): false
        case (198, 18...19, _), (198, 51, 100): false
        case (203, 0, 113): false
        default: true
        }
    }

    /// Global unicast alone (2000::/3), without what is for documentation (2001:db8::/32, 3fff::/20) and what carries another
    /// address inside: protocol assignments with Teredo (2001::/23), 6to4 (2002::/16).
    private static func isPublicV6(_ b: [UInt8]) -> Bool {
        if b.prefix(10).allSatisfy({ $0 == 0 }), b[10] == 0xFF, b[11] == 0xFF { return isPublicV4(Array(b[12...])) }
        switch (b[0], b[1], b[2], b[3]) {
        case (0x20, 0x01, 0x00...0x01, _): return false
        case (0x20, 0x01, 0x0D, 0xB8): return false
        case (0x20, 0x02, _, _): return false
        case (0x3F, 0xFF, 0x00...0x0F, _): return false
        case (0x20...0x3F, _, _, _): return true
        default: return false
        }
    }
}
