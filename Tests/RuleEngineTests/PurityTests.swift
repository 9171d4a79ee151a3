// The engine knows no clock, no file, no environment and no source of chance: it does not even import what has them.
import Foundation
import Testing

@Suite struct PurityTests {
    @Test("No source of the engine imports the C library or Foundation")
    func imports() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/RuleEngine")
        let files = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
        let allowed: Set<String> = ["JSONDocument", "PushMessage", "CivilTime", "LuaSandbox", "CNettle"]
        var count = 0
        for case let file as URL in files where file.pathExtension == "swift" {
            count += 1
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                let words = line.split(separator: " ").map(String.init)
                guard let place = words.firstIndex(of: "import"), place <= 1, words.count == place + 2 else { continue }
                #expect(allowed.contains(words[place + 1]), "\(file.lastPathComponent) imports \(words[place + 1])")
            }
        }
        #expect(count > 20)
    }
}
