// The header `traceparent`, read as strictly as its specification says.
import HostTelemetry
import Testing

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
        for (flags, told) in [("00", "00"), ("01", "01"), ("ff", "01"), ("02", "00")] {
            let context = try #require(TraceContext("00-\(Self.trace)-\(Self.parent)-\(flags)"))
            #expect(context.trace == Self.trace && context.parent == Self.parent)
            let next = context.next()
            #expect(next.header.hasPrefix("00-\(Self.trace)-"))
            #expect(next.header.hasSuffix("-\(told)"))
            #expect(next.parent != Self.parent)
            #expect(TraceContext(next.header) == TraceContext(next.header) && TraceContext(next.header) != nil)
        }
    }

    @Test("A later version may say more behind it, and is answered in ours")
    func later() throws {
        let context = try #require(TraceContext("01-\(Self.trace)-\(Self.parent)-01-what-comes-one-day"))
        #expect(context.header == "00-\(Self.trace)-\(Self.parent)-01")
    }

    @Test("Without one, or with a malformed one, a trace begins that nobody has asked to record")
    func begins() {
        for header in [nil, "nonsense"] {
            let context = TraceContext.of(header)
            #expect(TraceContext(context.header) == context)
            #expect(context.header.hasSuffix("-00"))
        }
        #expect(TraceContext.of(nil).trace != TraceContext.of(nil).trace)
    }
}
