// A target of a request, taken apart and decoded once: path and query (RFC 3986, RFC 9112 section 3.2). Read for RequestLine.
// Segments are cut before they are decoded, so that an encoded slash is a letter of its segment and never a border.

struct RequestTarget {
    /// Of a target that is a whole address.
    var authority: String?
    var path: [String] = []
    var query: [QueryItem] = []

    /// - Parameter target: visible ASCII.
    init(_ target: UnsafeRawBufferPointer, _ method: Method) throws(Refusal) {
        if unsafe method == .options && target.count == 1 && target[0] == UInt8(ascii: "*") { return }
        var rest = unsafe target[...]
        for scheme in ["http://", "https://"] where unsafe target.starts(with: scheme.utf8) {
            let authority = unsafe target[scheme.utf8.count...]
            let end = unsafe authority.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? authority.endIndex
            guard unsafe end > authority.startIndex else { throw .invalidTarget }
            self.authority = unsafe String(decoding: authority[..<end], as: UTF8.self)
            unsafe rest = target[end...]
        }
        // An address without a path means the root.
        let isAddress = unsafe rest.startIndex > 0
        guard unsafe rest.first == UInt8(ascii: "/") || (isAddress && rest.first.map { $0 == UInt8(ascii: "?") } != false) else {
            throw .invalidTarget
        }
        guard unsafe !rest.contains(UInt8(ascii: "#")) else { throw .invalidTarget }
        let mark = unsafe rest.firstIndex(of: UInt8(ascii: "?")) ?? rest.endIndex
        unsafe try readPath(rest[..<mark])
        if unsafe mark < rest.endIndex { unsafe try readQuery(rest[(mark + 1)...]) }
    }

    private mutating func readPath(_ text: Slice<UnsafeRawBufferPointer>) throws(Refusal) {
        let text = unsafe text.dropFirst()
        guard unsafe !text.isEmpty else { return }
        let segments = unsafe text.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        unsafe path.reserveCapacity(segments.count)
        for index in unsafe segments.indices {
            let segment = unsafe try RequestTarget.decoded(segments[index], plusIsSpace: false)
            guard segment != ".", segment != "..", unsafe !segment.isEmpty || index == segments.count - 1 else { throw .invalidPath }
            path.append(segment)
        }
    }

    private mutating func readQuery(_ text: Slice<UnsafeRawBufferPointer>) throws(Refusal) {
        for range in unsafe UnsafeRawBufferPointer(rebasing: text).pieces(between: UInt8(ascii: "&")) where !range.isEmpty {
            let item = unsafe text[text.startIndex + range.lowerBound..<text.startIndex + range.upperBound]
            let mark = unsafe item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
            let value = unsafe mark < item.endIndex ? item[(mark + 1)...] : item[mark...]
            query.append(
                QueryItem(
                    name: unsafe try RequestTarget.decoded(item[..<mark], plusIsSpace: true),
                    value: unsafe try RequestTarget.decoded(value, plusIsSpace: true)))
        }
    }

    private static func decoded(_ text: Slice<UnsafeRawBufferPointer>, plusIsSpace: Bool) throws(Refusal) -> String {
        var bytes: [UInt8] = []
        unsafe bytes.reserveCapacity(text.count)
        var at = unsafe text.startIndex
        while unsafe at < text.endIndex {
            let byte = unsafe text[at]
            switch byte {
            case UInt8(ascii: "%"):
                guard unsafe at + 2 < text.endIndex, let high = unsafe digit(text[at + 1]), let low = unsafe digit(text[at + 2]) else {
                    throw .invalidPath
                }
                bytes.append(high << 4 | low)
                at += 3
                continue
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(0x20)
            default: bytes.append(byte)
            }
            at += 1
        }
        guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7f }), let text = String(validating: bytes, as: UTF8.self) else {
            throw .invalidPath
        }
        return text
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
