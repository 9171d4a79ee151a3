// The date of an answer, as the protocol wants it.
import Testing

@testable import HTTPServer

struct DateTests {
    @Test(
        "A moment is written as day, date, time, GMT",
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (1_709_164_800, "Thu, 29 Feb 2024 00:00:00 GMT"),
        ])
    func text(second: Int, text: String) { #expect(DateField.text(second) == text) }
}
