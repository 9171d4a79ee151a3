// The first line of a request: method, target, version (RFC 9112 section 3). Read for HeadReader. The version is looked at
// first, because a client that speaks another one may mean anything by the rest.

struct RequestLine {
    let method: Method
    let target: RequestTarget
    /// HTTP/1.0.
    let isOld: Bool

    init(_ line: UnsafeRawBufferPointer) throws(Refusal) {
        let space = UInt8(ascii: " ")
        guard let first = unsafe line.firstIndex(of: space), let last = unsafe line.lastIndex(of: space), first < last else {
            throw .malformedHead
        }
        let version = unsafe UnsafeRawBufferPointer(rebasing: line[(last + 1)...])
        guard unsafe version.count == 8 && version.starts(with: "HTTP/".utf8) && version[6] == UInt8(ascii: ".") else {
            throw .malformedHead
        }
        let (major, minor) = unsafe (version[5], version[7])
        guard 0x30...0x39 ~= major, 0x30...0x39 ~= minor else { throw .malformedHead }
        guard major == 0x31, minor <= 0x31 else { throw .versionUnknown }
        isOld = minor == 0x30
        let word = unsafe UnsafeRawBufferPointer(rebasing: line[..<first])
        guard unsafe word.allSatisfy(FieldBytes.isToken) else { throw .malformedHead }
        guard let method = unsafe Method(word) else { throw .methodUnknown }
        self.method = method
        let target = unsafe UnsafeRawBufferPointer(rebasing: line[first + 1..<last])
        guard target.count <= HeadLimits.target else { throw .targetTooLong }
        guard unsafe !target.isEmpty && target.allSatisfy(FieldBytes.isTarget) else { throw .malformedHead }
        self.target = unsafe try RequestTarget(target, method)
    }
}
