// A copy of what the documentation speaks of (rules and examples) in a folder of its own, and a shell that works there
// with the built program first in its path. Pages may edit rules and write files; the repository stays as it is.
import Foundation
import LuaSandbox

final class Desk {
    let folder: URL

    init() throws {
        let files = FileManager.default
        folder = files.temporaryDirectory.appendingPathComponent("rulehost-desk-\(UUID().uuidString)")
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in ["rules", "examples"] {
            try files.copyItem(at: Repository.root.appendingPathComponent(name), to: folder.appendingPathComponent(name))
        }
    }

    deinit {
        // The folder is in the temporary directory; if it cannot be removed the system will.
        _ = try? FileManager.default.removeItem(at: folder)
    }

    struct Answer {
        /// Both streams in the order in which they were written, as a person would see them.
        let output: String
        let exitCode: Int32
    }

    /// Runs the commands in one shell, so that `$?` and variables of one reach the next, and gives the output of each.
    func run(_ commands: [String]) throws -> [Answer] {
        let mark = "--- \(UUID().uuidString) "
        var script = ""
        for command in commands {
            script += command + "\nrulehost_exit=$?\nprintf '\\n%s%d\\n' '\(mark)' $rulehost_exit\n(exit $rulehost_exit)\n"
        }
        let pieces = try shell(script).components(separatedBy: "\n" + mark)
        return zip(pieces, pieces.dropFirst()).enumerated().map { index, pair in
            // The first line of a piece ends the mark before it: the exit code of that command.
            let body = index == 0 ? pair.0 : String(pair.0.drop { $0 != "\n" }.dropFirst())
            let code = pair.1.prefix { $0 != "\n" }
            return Answer(output: body, exitCode: Int32(code) ?? -1)
        }
    }

    private func shell(_ script: String) throws -> String {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", "ulimit -t \(60 * ScriptLimits.slowness)\n" + script]
        process.currentDirectoryURL = folder
        process.environment = [
            "PATH": try Repository.products().path + ":/usr/local/bin:/usr/bin:/bin",
            "HOME": folder.path, "LC_ALL": "C.UTF-8", "TERM": "dumb", "TZ": "Pacific/Chatham",
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self)
    }
}
