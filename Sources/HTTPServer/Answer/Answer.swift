// What a request is answered with, whole. Made by routes on any thread, written by the loop that has the connection. Framing
// (Content-Length, Connection, Date, X-Request-Id, traceparent) is not in here: it is the server's.

/// A status, fields, and all bytes of a body.
public struct Answer: Sendable {
    public var status: Int
    public var fields: AnswerFields
    public var body: [UInt8]

    public init(status: Int, _ fields: AnswerFields, _ body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}
