// The head of one request: its bytes in one piece, as they came, and where in them things stand. Made by HeadReader, handed to
// the handler; nobody changes it. Fields are looked for in the bytes when somebody asks, which is once or twice a request.

/// What a request says before its body.
public struct RequestHead: Sendable {
    public let method: Method
    /// Whom the request line names, when it is a whole address: that counts, and not Host (RFC 9112 section 3.2.2). nil: nobody.
    public let authority: String?
    /// Decoded segments: `/v1/apps/chat` is three, `/` is none. A slash at the end is an empty last segment.
    public let path: [String]
    /// Decoded, in the order in which they came. A name without `=` has an empty value.
    public let query: [QueryItem]
    /// As the client sent it, or made up here.
    public let requestID: String
    /// As it goes on from here: in the trace that the client names, or in a new one. nil: the head could not be read.
    public internal(set) var trace: TraceContext?

    let bytes: [UInt8]
    let fields: Range<Int>
    let isOld: Bool
    let staysOpen: Bool
    let expectsContinue: Bool
    let body: BodyFraming

    /// The value of the first field of that name, without blanks around it.
    ///
    /// - Parameter name: in small letters.
    public func value(of name: StaticString) -> String? {
        var at = fields.lowerBound
        return next(name, from: &at)
    }

    /// Of all fields of that name, in their order.
    public func values(of name: StaticString) -> [String] {
        var at = fields.lowerBound
        var values: [String] = []
        while let value = next(name, from: &at) { values.append(value) }
        return values
    }

    private func next(_ name: StaticString, from at: inout Int) -> String? {
        unsafe bytes.withUnsafeBytes { all in
            name.withUTF8Buffer { name in
                while at < fields.upperBound, let end = unsafe all.firstLineFeed(from: at) {
                    let start = at
                    at = end + 1
                    if end - start > name.count, unsafe all[start + name.count] == UInt8(ascii: ":"),
                        unsafe all.hasName(name, at: start)
                    {
                        return unsafe String(decoding: all.trimmed(start + name.count + 1..<end - 1), as: UTF8.self)
                    }
                }
                return nil
            }
        }
    }

    /// Whether somebody sees the answer's body.
    var wantsBody: Bool { method != .head }
}

/// How the end of a body is known.
enum BodyFraming: Sendable, Equatable {
    case none
    case length(Int)
    case chunked
}

/// One name and its value in a query.
public struct QueryItem: Sendable, Hashable {
    public let name: String
    public let value: String
}

extension UnsafeRawBufferPointer {
    /// - Parameter name: in small letters.
    func hasName(_ name: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
        guard start + name.count <= count else { return false }
        for index in 0..<name.count {
            let byte = unsafe self[start + index]
            let small = byte &- 0x41 < 26 ? byte | 0x20 : byte
            if unsafe small != name[index] { return false }
        }
        return true
    }

    /// Where what stands between separators is; empty ones too.
    func pieces(between separator: UInt8) -> [Range<Int>] {
        var pieces: [Range<Int>] = []
        var start = 0
        for index in 0..<count where unsafe self[index] == separator {
            pieces.append(start..<index)
            start = index + 1
        }
        return pieces + [start..<count]
    }

    /// Without blanks at either end.
    func trimmed(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        var (start, end) = (range.lowerBound, range.upperBound)
        while unsafe start < end && FieldBytes.isBlank(self[start]) { start += 1 }
        while unsafe start < end && FieldBytes.isBlank(self[end - 1]) { end -= 1 }
        return unsafe UnsafeRawBufferPointer(rebasing: self[start..<end])
    }
}

extension RequestHead {
    /// In place of one that could not be read.
    static func unread(_ id: String) -> RequestHead {
        RequestHead(
            method: .get, authority: nil, path: [], query: [], requestID: id, trace: nil, bytes: [], fields: 0..<0, isOld: false,
            staysOpen: false,
            expectsContinue: false, body: .none)
    }
}
