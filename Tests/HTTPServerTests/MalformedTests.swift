// What is no request of HTTP/1.1, or could be read in two ways, is refused with the right status, and the connection ends.
import HTTPClient
import HTTPServer
import Testing

struct MalformedTests {
    static let ok: String = "GET /short HTTP/1.1\r\nHost: a\r\n"
    static let post: String = "POST /echo HTTP/1.1\r\nHost: a\r\n"

    /// A request, told in one short line when it fails.
    struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        let status: Int
        let code: String

        init(_ text: String, _ status: Int, _ code: String) {
            self.text = text
            self.status = status
            self.code = code
        }

        var testDescription: String { String(text.debugDescription.prefix(90)) }
    }

    static let cases: [Case] = [
        Case("nonsense\r\n\r\n", 400, "malformed_head"),
        Case("GET /short\r\n\r\n", 400, "malformed_head"),
        Case("GET  /short HTTP/1.1\r\nHost: a\r\n\r\n", 400, "malformed_head"),
        Case("GET /sh ort HTTP/1.1\r\nHost: a\r\n\r\n", 400, "malformed_head"),
        Case("GET /short HTTP/1.1 \r\nHost: a\r\n\r\n", 400, "malformed_head"),
        Case("GET /short http/1.1\r\nHost: a\r\n\r\n", 400, "malformed_head"),
        Case("GET /short\u{1} HTTP/1.1\r\nHost: a\r\n\r\n", 400, "malformed_head"),
        Case("GET /ä HTTP/1.1\r\nHost: a\r\n\r\n", 400, "malformed_head"),
        Case("\u{16}\u{3}\u{1}", 400, "malformed_head"),
        Case("\r\n\r\nGET /short HTTP/1.1\r\nHost: a\r\n\r\n", 400, "malformed_head"),
        Case("GET /short HTTP/1.1\nHost: a\n\n", 400, "bare_line_feed"),
        Case("GET /short HTTP/1.1\r\nHost: a\n\r\n", 400, "bare_line_feed"),
        Case("GET /short HTTP/1.1\r\nHost: a\r\nA: b\rc: d\r\n\r\n", 400, "invalid_field_value"),
        Case(ok + "A b: c\r\n\r\n", 400, "invalid_field_name"),
        Case(ok + "A : c\r\n\r\n", 400, "invalid_field_name"),
        Case(ok + "A\u{0}: c\r\n\r\n", 400, "invalid_field_name"),
        Case(ok + ": c\r\n\r\n", 400, "invalid_field_name"),
        Case(ok + "A\r\n\r\n", 400, "invalid_field_name"),
        Case(ok + "A: b\r\n c\r\n\r\n", 400, "invalid_field_value"),
        Case(ok + "A: b\u{0}c\r\n\r\n", 400, "invalid_field_value"),
        Case(ok + "A: b\u{7f}c\r\n\r\n", 400, "invalid_field_value"),
        Case("GET /short HTTP/1.1\r\n\r\n", 400, "invalid_host"),
        Case(ok + "Host: a\r\n\r\n", 400, "invalid_host"),
        Case("GET /short HTTP/1.1\r\nHost: a/b\r\n\r\n", 400, "invalid_host"),
        Case("GET /short HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", 400, "invalid_host"),
        Case("GET short HTTP/1.1\r\nHost: a\r\n\r\n", 400, "invalid_target"),
        Case("GET ftp://a/short HTTP/1.1\r\nHost: a\r\n\r\n", 400, "invalid_target"),
        Case("GET http:///short HTTP/1.1\r\nHost: a\r\n\r\n", 400, "invalid_target"),
        Case("GET /short#a HTTP/1.1\r\nHost: a\r\n\r\n", 400, "invalid_target"),
        Case("GET /a/../short HTTP/1.1\r\nHost: a\r\n\r\n", 400, "invalid_path"),
        Case("GET /a/%2e%2E/short HTTP/1.1\r\nHost: a\r\n\r\n", 400, "invalid_path"),
        Case("GET /./short HTTP/1.1\r\nHost: a\r\n\r\n", 400, "invalid_path"),
        Case("GET //short HTTP/1.1\r\nHost: a\r\n\r\n", 400, "invalid_path"),
        Case("GET /a%00 HTTP/1.1\r\nHost: a\r\n\r\n", 400, "invalid_path"),
        Case("GET /a%4 HTTP/1.1\r\nHost: a\r\n\r\n", 400, "invalid_path"),
        Case("GET /a%zz HTTP/1.1\r\nHost: a\r\n\r\n", 400, "invalid_path"),
        Case("GET /%ff HTTP/1.1\r\nHost: a\r\n\r\n", 400, "invalid_path"),
        Case("GET /short?a=%ff HTTP/1.1\r\nHost: a\r\n\r\n", 400, "invalid_path"),
        Case(post + "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc", 400, "ambiguous_length"),
        Case(post + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", 400, "ambiguous_length"),
        Case(post + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400, "ambiguous_length"),
        Case(post + "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n", 400, "ambiguous_length"),
        Case(post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400, "ambiguous_length"),
        Case("POST /echo HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400, "ambiguous_length"),
        Case(post + "Content-Length: 3, 3\r\n\r\nabc", 400, "invalid_length"),
        Case(post + "Content-Length: +3\r\n\r\nabc", 400, "invalid_length"),
        Case(post + "Content-Length: 0x3\r\n\r\nabc", 400, "invalid_length"),
        Case(post + "Content-Length:\r\n\r\n", 400, "invalid_length"),
        Case(post + "Content-Length: -1\r\n\r\n", 400, "invalid_length"),
        Case(post + "Transfer-Encoding: gzip\r\n\r\n", 501, "coding_unknown"),
        Case(post + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501, "coding_unknown"),
        Case(post + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", 501, "coding_unknown"),
        Case(post + "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n", 501, "coding_unknown"),
        Case(post + "Transfer-Encoding: chunked\r\n\r\n3\nabc\r\n0\r\n\r\n", 400, "invalid_chunk"),
        Case(post + "Transfer-Encoding: chunked\r\n\r\n3\r\nabcXY0\r\n\r\n", 400, "invalid_chunk"),
        Case(post + "Transfer-Encoding: chunked\r\n\r\n 3\r\nabc\r\n0\r\n\r\n", 400, "invalid_chunk"),
        Case(post + "Transfer-Encoding: chunked\r\n\r\n0x3\r\nabc\r\n0\r\n\r\n", 400, "invalid_chunk"),
        Case(post + "Transfer-Encoding: chunked\r\n\r\n-3\r\nabc\r\n0\r\n\r\n", 400, "invalid_chunk"),
        Case(post + "Transfer-Encoding: chunked\r\n\r\n\r\n", 400, "invalid_chunk"),
        Case(post + "Transfer-Encoding: chunked\r\n\r\n3;\u{0}\r\nabc\r\n0\r\n\r\n", 400, "invalid_chunk"),
        Case(post + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nabc", 400, "invalid_chunk"),
        Case(post + "Transfer-Encoding: chunked\r\n\r\n0\r\nA: \u{0}\r\n\r\n", 400, "invalid_chunk"),
        Case(post + "Content-Length: 65537\r\n\r\n", 413, "body_too_large"),
        Case(post + "Content-Length: 99999999999999999999\r\n\r\n", 413, "body_too_large"),
        Case(post + "Transfer-Encoding: chunked\r\n\r\n10001\r\n" + String(repeating: "a", count: 65_537), 413, "body_too_large"),
        Case(post + "Content-Length: 3\r\nExpect: a miracle\r\n\r\n", 417, "expectation_unknown"),
        Case("GET /" + String(repeating: "a", count: 8_200) + " HTTP/1.1\r\nHost: a\r\n\r\n", 414, "target_too_long"),
        Case("GET /" + String(repeating: "a", count: 20_000), 414, "target_too_long"),
        Case(ok + "A: " + String(repeating: "b", count: 17_000) + "\r\n\r\n", 431, "head_too_large"),
        Case(ok + String(repeating: "A: b\r\n", count: 100) + "\r\n", 431, "too_many_fields"),
        Case("BREW /short HTTP/1.1\r\nHost: a\r\n\r\n", 501, "method_unknown"),
        Case("get /short HTTP/1.1\r\nHost: a\r\n\r\n", 501, "method_unknown"),
        Case("CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", 501, "method_unknown"),
        Case("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505, "http_version_unknown"),
        Case("GET /short HTTP/1.2\r\nHost: a\r\n\r\n", 505, "http_version_unknown"),
        Case("GET /short HTTP/3.0\r\nHost: a\r\n\r\n", 505, "http_version_unknown"),
    ]

    @Test("A request that is none is refused, and nothing more is read", arguments: cases)
    func refused(_ request: Case) throws {
        let scene = try Scene()
        let client = try scene.client()
        client.send(request.text + Self.ok + "\r\n")
        let answer = try client.readAnswer()
        #expect(answer.status == request.status && answer.text.contains("\"code\":\"\(request.code)\""), "\(answer.status) \(answer.text)")
        #expect(answer.fields["content-type"] == "application/problem+json")
        #expect(answer.fields["connection"] == "close")
        client.endSending()
        #expect(try client.readToEnd() == [], "nothing is answered behind it")
        #expect(scene.server.counts.refused == 1)
    }

    @Test("Every refusal has a code of its own, a sentence, and a status that the protocol knows")
    func words() {
        #expect(Set(Refusal.allCases.map(\.code)).count == Refusal.allCases.count)
        for refusal in Refusal.allCases {
            #expect(refusal.detail.hasSuffix(".") && (400...505).contains(refusal.status))
            #expect(!Problem(refusal).answer().body.isEmpty)
        }
    }
}
