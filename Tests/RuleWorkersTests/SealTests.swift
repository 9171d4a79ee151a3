// A child has one file, the socket, and can do nothing but read and write it, use memory, look at clocks and end.
import Foundation
import LuaSandbox
import RuleEngine
import Testing

@testable import RuleWorkers

@Suite("The wall around a child", .serialized) struct SealTests {
    @Test(
        "A call that is not on the list ends the child",
        arguments: [
            "open", "create", "socket", "connect", "fork", "vfork", "thread", "exec", "ptrace", "kill", "limit", "code", "make-code",
            "other-file", "other-output", "sleep", "polite", "signal", "memory-of",
        ])
    func refuses(call: String) throws {
        let app = try Scene.app(in: Scene.pool())
        let errors = app.evaluate([try Scene.question("double:\(call)")])[0].decision.errors
        #expect(errors.map(\.code) == ["worker_died"])
        // SIGSYS
        #expect(errors.first?.message.contains("signal 31") == true, "\(errors)")
    }

    /// The sanitizers reserve terabytes, so that under them the address space has no limit, and one has a thread of its own.
    private static let isSanitized = ScriptLimits.slowness > 1

    @Test(
        "What glibc does without is refused without an end; memory beyond the limit as well",
        arguments: isSanitized ? ["sysinfo"] : ["sysinfo", "memory"])
    func refusesMildly(call: String) throws {
        let app = try Scene.app(in: Scene.pool())
        let answer = app.evaluate([try Scene.question("double:\(call)")])[0]
        #expect(answer.decision.errors.isEmpty, "\(answer.decision.errors)")
    }

    @Test("A child has the socket open and nothing else, not even what its parent has")
    func files() throws {
        let file = open("/etc/hostname", O_RDONLY)
        defer { close(file) }
        // Two children: neither has the other's socket.
        let pool = Scene.pool(workers: 2)
        _ = try Scene.app("one", in: pool)
        _ = try Scene.app("two", in: pool)
        #expect(pool.processes.count == 2)
        for pid in pool.processes {
            let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd")
            #expect(open == ["0"])
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/fd/0").hasPrefix("socket:"))
        }
    }

    @Test("A child is sealed, has no environment of its parent, and may open, write, start and dump nothing")
    func limits() throws {
        setenv("SECRET_OF_THE_PARENT", "1", 1)
        let pool = Scene.pool()
        _ = try Scene.app(in: pool)
        let pid = try #require(pool.processes.first)
        let read = { (name: String) in
            String(decoding: FileManager.default.contents(atPath: "/proc/\(pid)/\(name)") ?? Data(), as: UTF8.self)
        }
        let status = read("status")
        #expect(status.contains("NoNewPrivs:\t1") && status.contains("Seccomp:\t2"))
        #expect(Self.isSanitized || status.contains("Threads:\t1"))
        #expect(!read("environ").contains("SECRET"))
        let limits = read("limits").split(separator: "\n").map {
            $0.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
        }
        for line in [
            "Max file size 0 0", "Max core file size 0 0", "Max open files 1 1", "Max processes 0 0",
        ] {
            #expect(limits.contains { $0.hasPrefix(line) }, "\(line)")
        }
        #expect(Self.isSanitized || limits.contains { $0.hasPrefix("Max address space") && !$0.contains("unlimited") })
        #expect(limits.contains { $0.hasPrefix("Max cpu time 2") })
    }
}
