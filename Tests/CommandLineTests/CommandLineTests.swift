// Runs the cases of Tests/Cases/cli on the built program.
import Foundation
import Testing

struct CommandLineTests {
    static let folder = BuiltProgram.house.appendingPathComponent("Tests/Cases/cli")

    /// Each file with its cases; made once.
    static let files: [(url: URL, cases: [CommandLineCase])] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()) ?? []
        return names.filter { $0.hasSuffix(".test") }.map { name in
            let url = folder.appendingPathComponent(name)
            let text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
            return (url, CommandLineCase.parse(text))
        }
    }()

    @Test("There are cases in every file, each with a command")
    func casesAreThere() {
        #expect(Self.files.count >= 1)
        for file in Self.files {
            #expect(!file.cases.isEmpty, "\(file.url.lastPathComponent)")
            for test in file.cases { #expect(!test.script.isEmpty && test.exitCode >= 0, "\(test.name)") }
        }
    }

    /// The thread sanitizer keeps what it knows in files, so that a program under it cannot live without any.
    private static let canDoWithoutFiles = ProcessInfo.processInfo.environment["RULEHOST_SANITIZER"] != "thread"

    @Test(
        "The built program answers as written",
        arguments: files.flatMap(\.cases).filter { canDoWithoutFiles || !$0.script.contains { $0.contains("ulimit -f") } })
    func answers(_ test: CommandLineCase) throws {
        let answer = try BuiltProgram.run(test)
        #expect(answer.output == test.output)
        #expect(answer.errors == test.errors)
        #expect(answer.exitCode == test.exitCode)
    }

    @Test(
        "The expectations are written anew when that is asked for",
        .enabled(if: ProcessInfo.processInfo.environment["RULEHOST_UPDATE"] != nil))
    func update() throws {
        for (url, cases) in Self.files {
            var texts: [String] = []
            for var test in cases {
                let answer = try BuiltProgram.run(test)
                test.output = answer.output
                test.errors = answer.errors
                test.exitCode = answer.exitCode
                texts.append(test.text)
            }
            let head = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").prefix { !$0.hasPrefix("## ") }
            try Data(((head.isEmpty ? "" : head.joined(separator: "\n") + "\n\n") + texts.joined(separator: "\n")).utf8).write(
                to: url)
        }
    }
}
