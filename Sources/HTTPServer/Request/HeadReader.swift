// From the bytes of a whole head to a RequestHead, or to the reason why it is refused (RFC 9112). Called by Connection once
// HeadScan has found the end. Strict on purpose: whatever two programs could read differently is refused, because one of them
// may be a proxy in front of this one.

struct HeadReader {
    private var hosts = 0
    private var lengths = 0
    private var codings = 0
    private var length = 0
    private var isChunked = false
    private var closes = false
    private var keepsAlive = false
    private var expectsContinue = false
    private var requestID: String?
    private var traces = 0
    private var trace: TraceContext?

    /// - Parameters:
    ///   - bytes: from the first byte to the empty line at the end.
    ///   - madeUpID: what the request is called unless it brings a name.
    static func read(_ bytes: UnsafeRawBufferPointer, madeUpID: () -> String) throws(Refusal) -> RequestHead {
        var reader = HeadReader()
        return unsafe try reader.read(bytes, madeUpID)
    }

    private mutating func read(_ bytes: UnsafeRawBufferPointer, _ madeUpID: () -> String) throws(Refusal) -> RequestHead {
        guard let lineEnd = unsafe bytes.firstLineFeed(from: 0) else { throw .malformedHead }
        let line = unsafe try RequestLine(UnsafeRawBufferPointer(rebasing: bytes[0..<lineEnd - 1]))
        let fields = lineEnd + 1..<bytes.count - 2
        var at = fields.lowerBound
        while at < fields.upperBound, let end = unsafe bytes.firstLineFeed(from: at) {
            unsafe try readField(UnsafeRawBufferPointer(rebasing: bytes[at..<end - 1]))
            at = end + 1
        }
        guard hosts == 1 || (hosts == 0 && line.isOld) else { throw .invalidHost }
        guard lengths + codings <= 1, !(line.isOld && codings > 0) else { throw .ambiguousLength }
        // RFC 9110 section 10.1.1: an old client cannot wait for it.
        return RequestHead(
            method: line.method, authority: line.target.authority, path: line.target.path, query: line.target.query,
            requestID: requestID ?? madeUpID(),
            trace: traces == 1 ? trace : nil,
            bytes: unsafe [UInt8](bytes), fields: fields, isOld: line.isOld, staysOpen: line.isOld ? keepsAlive && !closes : !closes,
            expectsContinue: expectsContinue && !line.isOld, body: isChunked ? .chunked : length > 0 ? .length(length) : .none)
    }

    private mutating func readField(_ line: UnsafeRawBufferPointer) throws(Refusal) {
        var colon = 0
        while unsafe colon < line.count && FieldBytes.isToken(line[colon]) { colon += 1 }
        if colon == 0, let first = unsafe line.first, FieldBytes.isBlank(first) { throw .invalidFieldValue }
        guard unsafe colon > 0 && colon < line.count && line[colon] == UInt8(ascii: ":") else { throw .invalidFieldName }
        let value = unsafe line.trimmed(colon + 1..<line.count)
        guard unsafe value.allSatisfy(FieldBytes.isValue) else { throw .invalidFieldValue }
        switch colon {
        case 4 where unsafe line.isNamed("host"): unsafe try readHost(value)
        case 6 where unsafe line.isNamed("expect"):
            guard unsafe value.isWord("100-continue") else { throw .expectationUnknown }
            expectsContinue = true
        case 10 where unsafe line.isNamed("connection"): unsafe readConnection(value)
        case 11 where unsafe line.isNamed("traceparent"):
            traces += 1
            trace = unsafe TraceContext(value)
        case 12 where unsafe line.isNamed("x-request-id"):
            if unsafe 1...128 ~= value.count && value.allSatisfy(FieldBytes.isRequestID) {
                requestID = unsafe String(decoding: value, as: UTF8.self)
            }
        case 14 where unsafe line.isNamed("content-length"): unsafe try readLength(value)
        case 17 where unsafe line.isNamed("transfer-encoding"): unsafe try readCoding(value)
        default: break
        }
    }

    private mutating func readHost(_ value: UnsafeRawBufferPointer) throws(Refusal) {
        hosts += 1
        guard unsafe hosts == 1 && value.allSatisfy(FieldBytes.isHost) else { throw .invalidHost }
    }

    private mutating func readLength(_ value: UnsafeRawBufferPointer) throws(Refusal) {
        lengths += 1
        guard lengths == 1 else { throw .ambiguousLength }
        guard unsafe !value.isEmpty && value.allSatisfy({ 0x30...0x39 ~= $0 }) else { throw .invalidLength }
        // More digits than any body has bytes; with zeros in front, somebody wants to be misread.
        guard value.count <= 18 else { throw .bodyTooLarge }
        length = unsafe value.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private mutating func readCoding(_ value: UnsafeRawBufferPointer) throws(Refusal) {
        codings += 1
        guard codings == 1 else { throw .ambiguousLength }
        guard unsafe value.isWord("chunked") else { throw .codingUnknown }
        isChunked = true
    }

    private mutating func readConnection(_ value: UnsafeRawBufferPointer) {
        for range in unsafe value.pieces(between: UInt8(ascii: ",")) {
            let word = unsafe value.trimmed(range)
            if unsafe word.isWord("close") { closes = true }
            if unsafe word.isWord("keep-alive") { keepsAlive = true }
        }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func isNamed(_ name: StaticString) -> Bool { name.withUTF8Buffer { unsafe hasName($0, at: 0) } }

    /// Nothing but that word, in letters of any size.
    fileprivate func isWord(_ word: StaticString) -> Bool { unsafe count == word.utf8CodeUnitCount && isNamed(word) }
}
