// How long the rest will take.
import Testing

@testable import rulehost

struct ProgressBarTests {
    @Test(
        "The time that is left follows from what is done, and is not told before that says something",
        arguments: [
            (10.0, 0.5, "10 s"), (10.0, 0.99, "1 s"), (30.0, 0.1, "5 min"), (50.0, 0.334, "2 min"), (0.1, 0.5, nil), (10.0, 0.01, nil),
            (10.0, 1.0, nil),
        ] as [(Double, Double?, String?)])
    func left(_ seconds: Double, _ part: Double?, _ words: String?) {
        #expect(ProgressBar.left(after: seconds, part: part) == words)
    }

    @Test("Where the whole is not known nothing is said of the rest")
    func unknown() { #expect(ProgressBar.left(after: 10, part: nil) == nil) }
}
