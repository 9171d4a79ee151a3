// The field `traceparent`, read as strictly as its specification says, and what goes out for it.
import HTTPClient
import Testing

@testable import HTTPServer

struct TraceTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let parent = "00f067aa0ba902b7"

    @Test(
        "What is not of the form is as if it were not there",
        arguments: [
            "", "00", "00-\(trace)-\(parent)", "00-\(trace)-\(parent)-", "00-\(trace)-\(parent)-0", "00-\(trace)-\(parent)-0g",
            "ff-\(trace)-\(parent)-01", "0-\(trace)-\(parent)-01", "00-\(trace)-\(parent)-01-", "00-\(trace)-\(parent)-01-extra",
            "00-\(trace)-\(parent)-01 ", " 00-\(trace)-\(parent)-01", "00_\(trace)-\(parent)-01", "00-\(trace)-\(parent)_01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-\(parent)-01", "00-\(trace)-00F067AA0BA902B7-01",
            "00-00000000000000000000000000000000-\(parent)-01", "00-\(trace)-0000000000000000-01", "0g-\(trace)-\(parent)-01",
            "01-\(trace)-\(parent)-01extra", "00-\(trace)g-\(parent)-01", "00-\(trace)\(parent)--01",
        ])
    func malformed(_ header: String) {
        #expect(TraceContext(header) == nil)
    }

    @Test("The trace goes on under a name of our own, with the flag that says whether it is recorded")
    func goesOn() throws {
        var numbers = TraceNumbers()
        for (flags, told) in [("00", "00"), ("01", "01"), ("ff", "01"), ("02", "00")] {
            let context = try #require(TraceContext("00-\(Self.trace)-\(Self.parent)-\(flags)"))
            #expect(context.header == "00-\(Self.trace)-\(Self.parent)-\(told)")
            let next = context.next(&numbers).header
            #expect(next.hasPrefix("00-\(Self.trace)-") && next.hasSuffix("-\(told)") && !next.contains(Self.parent))
            #expect(TraceContext(next)?.header == next)
        }
    }

    @Test("A later version may say more behind it, and is answered in ours")
    func later() throws {
        let context = try #require(TraceContext("01-\(Self.trace)-\(Self.parent)-01-what-comes-one-day"))
        #expect(context.header == "00-\(Self.trace)-\(Self.parent)-01")
    }

    @Test("Each answer says its trace: that of the request, or a new one where there is none, a malformed one, or more than one")
    func answers() throws {
        let scene = try Scene()
        func told(_ fields: String) throws -> TraceContext {
            let client = try scene.client()
            client.send("GET /short HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")
            return try #require(TraceContext(try client.readAnswer().fields["traceparent"] ?? ""))
        }
        let one = "traceparent: 00-\(Self.trace)-\(Self.parent)-01\r\n"
        let kept = try told(one)
        #expect(kept.header.hasPrefix("00-\(Self.trace)-") && kept.header.hasSuffix("-01") && !kept.header.contains(Self.parent))
        for fields in ["", "traceparent: 00-\(Self.trace)-\(Self.parent)-1\r\n", one + one] {
            let new = try told(fields)
            #expect(!new.header.contains(Self.trace) && new.header.hasSuffix("-00"))
        }
        #expect(try told("").header != told("").header)
    }
}
