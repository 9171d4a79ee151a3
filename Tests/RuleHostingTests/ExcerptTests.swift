// What is shown of the line that a fault stands on, however long that is.
import RuleEngine
import Testing

@testable import RuleHosting

struct ExcerptTests {
    @Test("Of a long line its beginning is shown, and no more bytes of it than a person reads")
    func long() {
        #expect(AppFault.line(1, of: Array(String(repeating: "x", count: 5_000).utf8)) == String(repeating: "x", count: 200))
        // One character, for whoever counts characters.
        let marks = "e" + String(repeating: "\u{301}", count: 100_000)
        #expect(AppFault.line(2, of: Array("first\n\(marks)\nlast".utf8)).map { (1...1_024).contains($0.utf8.count) } == true)
    }

    @Test("A line is not cut within a scalar", arguments: 0..<4)
    func scalars(before: Int) {
        let marks = String(repeating: "a", count: before) + "e" + String(repeating: "\u{20DD}", count: 1_000)
        let shown = AppFault.line(1, of: Array(marks.utf8))
        #expect(shown.map { marks.unicodeScalars.starts(with: $0.unicodeScalars) } == true)
        #expect(shown.map { $0.unicodeScalars.count > 300 } == true)
    }

    @Test("Lines are counted from 1; the last may be empty, and none comes behind it")
    func places() {
        let text = Array("one\r\ntwo\n".utf8)
        #expect((0...4).map { AppFault.line($0, of: text) } == [nil, "one", "two", "", nil])
        #expect(AppFault.line(1, of: []) == "")
    }
}
