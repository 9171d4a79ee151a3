// One hostile script of Tests/Cases/attacks with what its first line says of it, and the ways in which it is run.
import Foundation
import RuleEngine

struct Script {
    enum Expectation: String { case stopped, denied, harmless }

    let name: String
    let kind: String
    let expectation: Expectation
    let source: String

    private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    static func all() throws -> [Script] {
        let folder = tests.appending(path: "Cases/attacks")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return try files.filter { $0.pathExtension == "lua" }.sorted { $0.path < $1.path }.map { try Script($0) }
    }

    private init(_ file: URL) throws {
        name = file.lastPathComponent
        source = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        let head = source.prefix { $0 != "\n" && $0 != "\r\n" }.split(separator: ";", maxSplits: 2).map {
            $0.split(separator: " ").last ?? ""
        }
        guard head.count == 3, let expectation = Expectation(rawValue: String(head[1])) else {
            throw CocoaError(.fileReadCorruptFile, userInfo: [NSFilePathErrorKey: file.path])
        }
        kind = String(head[0])
        self.expectation = expectation
    }

    /// It looks for names that rules do not have, and may end by itself for want of them.
    var needsMissingNames: Bool {
        ["load", "coroutine", "setmetatable", "collectgarbage", "xpcall", "debug", "io", "os"].contains { source.contains("not \($0) ") }
    }

    private static let manifest = "return { api = 1, guards = { duplicate = false } }"

    static func files(_ rules: String) -> [SourceFile] {
        [SourceFile(path: "app.lua", bytes: Array(manifest.utf8)), SourceFile(path: "rules.lua", bytes: Array(rules.utf8))]
    }

    /// The script itself as a file of rules.
    var atLoad: [SourceFile] { Script.files(source) }
    /// The script as the body of a rule's decide.
    var insideDecide: [SourceFile] { Script.files(body()) }
    /// The same behind names that rules do not have.
    func inWiderWorld() throws -> [SourceFile] {
        Script.files(body(try String(contentsOf: Script.tests.appending(path: "AttackTable/world.lua"), encoding: .utf8)))
    }

    private func body(_ before: String = "") -> String {
        """
        rule "attack" { on = "present", decide = function(msg, device) local HOST = { state_set = state.set, state_get = state.get, \
        ud_a = msg, ud_b = device, readonly = string }
        \(before)
        \(source)
        end }
        """
    }
}
