// Every place that a page names exists: `Sources/…/File.swift:symbol` is declared there, every relative link leads to
// a file or a folder.
import Foundation
import Testing

@Suite("The places that pages name exist")
struct NamedPlaces {
    @Test("every hop of ARCHITECTURE.md names a file, and something that it declares")
    func hops() throws {
        let page = try #require(try Page.all().first { $0.path == "ARCHITECTURE.md" })
        var count = 0
        for (index, line) in page.lines.enumerated() {
            for place in line.matches(of: /`(Sources\/[^`:]+):([A-Za-z_.]+)`/) {
                count += 1
                let file = String(place.output.1)
                let symbol = String(place.output.2)
                let source = try? String(contentsOf: Repository.root.appendingPathComponent(file), encoding: .utf8)
                #expect(source != nil, "ARCHITECTURE.md:\(index + 1): no file \(file)")
                guard let source else { continue }
                // `Type.member`: each part is declared in that file.
                for part in symbol.split(separator: ".") {
                    #expect(
                        Self.declares(source, String(part), isC: !file.hasSuffix(".swift")),
                        "ARCHITECTURE.md:\(index + 1): \(file) does not declare \(part)")
                }
            }
        }
        #expect(count >= 10, "the way of a message has more than \(count) hops")
    }

    @Test("every relative link of a page leads somewhere")
    func links() throws {
        for page in try Page.all() {
            let folder = Repository.root.appendingPathComponent(page.path).deletingLastPathComponent()
            for (index, line) in page.lines.enumerated() {
                for link in line.matches(of: /\]\(([^)#:\s]+)(?:#[^)]*)?\)/) {
                    let target = folder.appendingPathComponent(String(link.output.1)).path
                    #expect(FileManager.default.fileExists(atPath: target), "\(page.path):\(index + 1): \(link.output.1)")
                }
            }
        }
    }

    private static func declares(_ source: String, _ name: String, isC: Bool) -> Bool {
        let word = NSRegularExpression.escapedPattern(for: name)
        let pattern =
            isC
            ? "(?m)^[A-Za-z_][^;\\n]*\\b\(word)\\b\\s*\\("
            : "\\b(?:func|struct|class|enum|actor|protocol|extension|var|let|case|typealias)\\s+\(word)\\b|\\b\(word)\\s*(?:\\(|\\?)[^\\n]*\\{"
        return source.range(of: pattern, options: .regularExpression) != nil
    }
}
