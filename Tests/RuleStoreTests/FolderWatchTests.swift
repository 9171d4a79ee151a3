// That a change of files is noticed, and which files it was. Nothing here waits for a clock: a pipe says when it is enough.
import Foundation
import Glibc
import RuleStore
import Testing

struct FolderWatchTests {
    private let root = FileManager.default.temporaryDirectory.appendingPathComponent("rulehost-\(UUID().uuidString)")

    private func write(_ path: String, _ text: String) throws {
        let file = root.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    @Test("A snapshot names what is new, gone, written again or replaced, and nothing else")
    func snapshot() throws {
        for name in ["a/same.lua", "a/gone.lua", "a/b/longer.json", "a/replaced.lua", "a/.hidden.lua"] { try write(name, "x") }
        let path = root.appendingPathComponent("a").path
        let before = FileSnapshot(of: [path, "\(path)/none"])
        #expect(FileSnapshot(of: [path, "\(path)/none"]).changes(since: before).isEmpty)
        try write("a/new.lua", "x")
        try FileManager.default.removeItem(at: root.appendingPathComponent("a/gone.lua"))
        try write("a/b/longer.json", "xx")
        try write("a/.hidden.lua", "xx")
        try write("other", "y")
        #expect(rename(root.appendingPathComponent("other").path, "\(path)/replaced.lua") == 0)
        let changes = FileSnapshot(of: [path]).changes(since: before)
        #expect(changes == ["b/longer.json", "gone.lua", "new.lua", "replaced.lua"].map { "\(path)/\($0)" })
    }

    @Test("A change wakes, in folders that came later too; without one only the stop does")
    func waking() throws {
        try write("a/one.lua", "x")
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        defer { ends.forEach { close($0) } }
        let watch = try FolderWatch([root.appendingPathComponent("a").path])
        try watch.follow()
        try write("a/one.lua", "y")
        #expect(watch.wait(stops: [ends[0]]) == .changed)
        try write("a/b/c/two.lua", "x")
        #expect(watch.wait(stops: [ends[0]]) == .changed)
        try watch.follow()
        try write("a/b/c/two.lua", "y")
        #expect(watch.wait(stops: [ends[0]]) == .changed)
        try FileManager.default.removeItem(at: root.appendingPathComponent("a"))
        #expect(watch.wait(stops: [ends[0]]) == .changed)
        try watch.follow()
        try write("a/one.lua", "z")
        #expect(watch.wait(stops: [ends[0]]) == .changed)
        #expect(Glibc.write(ends[1], "x", 1) == 1)
        #expect(watch.wait(stops: [ends[0]]) == .stopped)
    }
}
