// An answer as bytes of HTTP/1.1: the head, a body with its length, or chunks. Called by Connection, which knows whether the
// connection goes on; writes into memory only.

struct AnswerWriting {
    var bytes: [UInt8] = []
    var date = DateField()

    /// A very large answer leaves no room behind.
    mutating func clear() { bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 20) }

    /// - Parameter closes: nothing comes after it on this connection.
    mutating func write(_ answer: Answer, to head: RequestHead, closes: Bool) {
        begin(answer.status, answer.fields, head, closes: closes)
        // RFC 9110 section 8.6: these two never have a body.
        let hasBody = answer.status != 204 && answer.status != 304
        if hasBody {
            bytes += AnswerWriting.length
            writeNumber(answer.body.count)
            bytes += AnswerWriting.twoEnds
        } else {
            bytes += AnswerWriting.end
        }
        if hasBody, head.wantsBody { bytes += answer.body }
    }

    /// The head of an answer of unknown length.
    mutating func writeHead(_ status: Int, _ fields: AnswerFields, to head: RequestHead, closes: Bool) {
        begin(status, fields, head, closes: closes)
        if !head.isOld { bytes += AnswerWriting.chunked }
        bytes += AnswerWriting.end
    }

    mutating func writeChunk(_ content: [UInt8], to head: RequestHead) {
        guard !content.isEmpty, head.wantsBody else { return }
        if head.isOld {
            bytes += content
        } else {
            bytes += Array(String(content.count, radix: 16).utf8)
            bytes += AnswerWriting.end
            bytes += content
            bytes += AnswerWriting.end
        }
    }

    mutating func writeLastChunk(to head: RequestHead) {
        if !head.isOld, head.wantsBody { bytes += AnswerWriting.lastChunk }
    }

    mutating func writeContinue() { bytes += AnswerWriting.goOn }

    private mutating func begin(_ status: Int, _ fields: AnswerFields, _ head: RequestHead, closes: Bool) {
        bytes += StatusWords.line(status)
        bytes += fields.bytes
        bytes += AnswerWriting.requestID
        bytes += head.requestID.utf8
        bytes += AnswerWriting.end
        if let trace = head.trace {
            bytes += AnswerWriting.traceparent
            bytes += trace.bytes
            bytes += AnswerWriting.end
        }
        bytes += date.bytes
        if closes { bytes += AnswerWriting.close } else if head.isOld { bytes += AnswerWriting.keepAlive }
    }

    private mutating func writeNumber(_ number: Int) {
        if number >= 10 { writeNumber(number / 10) }
        bytes.append(UInt8(0x30 + number % 10))
    }

    private static let end: [UInt8] = [0x0d, 0x0a]
    private static let twoEnds: [UInt8] = [0x0d, 0x0a, 0x0d, 0x0a]
    private static let requestID = Array("X-Request-Id: ".utf8)
    private static let traceparent = Array("traceparent: ".utf8)
    private static let length = Array("Content-Length: ".utf8)
    private static let close = Array("Connection: close\r\n".utf8)
    private static let keepAlive = Array("Connection: keep-alive\r\n".utf8)
    private static let chunked = Array("Transfer-Encoding: chunked\r\n".utf8)
    private static let lastChunk = Array("0\r\n\r\n".utf8)
    private static let goOn = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
}
