// The benchmark measures what it says: the answers are right, and the messages differ.
import Foundation
import RuleLab
import Testing

@Suite struct BenchmarkTests {
    /// The build puts it beside the tests that are running.
    private static let program =
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
        + "/rulehost"

    @Test("The reference job answers the five situations as every engine must, and every row can be measured")
    func measures() throws {
        // Making it checks the answers.
        let benchmark = try Benchmark(program: Self.program)
        for name in Benchmark.Name.allCases {
            let row = try benchmark.measure(name, rounds: 1)
            #expect(row.name == name.rawValue)
            #expect(row.nanoseconds > 0)
            #expect(row.perSecond > 0)
        }
    }

    @Test("The thousand messages are all different, and the same on every run")
    func messages() {
        let messages = Benchmark.messages()
        #expect(Set(messages).count == 1_000)
        #expect(messages == Benchmark.messages())
        #expect(messages.allSatisfy { (900...1_200).contains($0.count) })
    }
}
