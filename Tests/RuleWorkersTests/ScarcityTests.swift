// Where the machine gives no process, file or thread, rules are not asked: the answer for errors is given at once and says
// what to do. Nothing hangs, and no message is lost. And who may not do much here gets a child that may do nothing either.
import Foundation
import LuaSandbox
import RuleEngine
import Testing

@testable import RuleWorkers

@Suite("A machine that gives nothing", .serialized) struct ScarcityTests {
    /// Output of a shell line in which $DOUBLE asks; nil: it did not come to an end within 30 seconds.
    private func output(_ line: String) throws -> String? {
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", line]
        shell.environment = ["DOUBLE": Scene.double, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]
        shell.currentDirectoryURL = URL(fileURLWithPath: "/")
        let pipe = Pipe()
        shell.standardOutput = pipe
        try shell.run()
        let isOver = eventually(within: 30) { !shell.isRunning }
        if !isOver { shell.terminate() }
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        return isOver ? text : nil
    }

    /// For somebody without rights; nil: this user cannot become that.
    private var asNobody: String? { getuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : nil }

    /// A sanitizer's runtime needs one to begin with.
    @Test(
        "Without descriptors the answer says to raise the limit of open files",
        arguments: ScriptLimits.slowness > 1 ? [5, 6] : [4, 5, 6])
    func files(limit: Int) throws {
        let text = try #require(try output("ulimit -n \(limit); exec $DOUBLE ask one"))
        #expect(text.contains("worker_died") && text.contains("`ulimit -n`"), "\(text)")
    }

    /// With 1 there is no thread for the keeper, with 2 no child.
    @Test(
        "Without threads or processes the answer says to raise the limit of processes",
        .enabled(if: ScriptLimits.slowness == 1, "a sanitizer starts one of its own when the program ends"), arguments: [1, 2])
    func processes(limit: Int) throws {
        guard let asNobody else { return }
        let text = try #require(try output("exec \(asNobody) prlimit --nproc=\(limit):\(limit) $DOUBLE ask one"))
        #expect(text.contains("worker_died") && text.contains("`ulimit -u`"), "\(text)")
    }

    @Test(
        "Whoever starts it, rules start no process: the filter stands before the limit",
        arguments: ["fork", "vfork", "thread", "exec", "open", "kill", "ptrace"])
    func unprivileged(call: String) throws {
        guard let asNobody else { return }
        let text = try #require(try output("exec \(asNobody) $DOUBLE ask one double:\(call) two"))
        let lines = text.split(separator: "\n")
        #expect(lines.count == 3 && lines[0] == "decided" && lines[1].contains("signal 31") && lines[2] == "decided", "\(text)")
    }

    @Test("A program whose file is gone goes on, and so do its children")
    func replaced() throws {
        let copy = "/tmp/rulehost-near-\(getpid())"
        try FileManager.default.copyItem(atPath: Scene.double, toPath: copy)
        // The first child is there when the file goes; the second is started from what is left.
        let text = try #require(
            try output(
                "cp /bin/true \(copy)-other; (sleep 1; mv \(copy)-other \(copy)) & "
                    + "exec \(copy) ask one double:segfault pause two"))
        try FileManager.default.removeItem(atPath: copy)
        let lines = text.split(separator: "\n")
        #expect(lines.count == 4 && lines[1].contains("signal 11") && lines[3] == "decided", "\(text)")
    }
}
