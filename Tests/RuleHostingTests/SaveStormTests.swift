// Hundreds of saves of apps that are being asked all the time. Whatever is in the folder at some moment, a decision is by rules that
// were saved whole, and the last of them are in force when the saving is over. How long a save takes to be in force is printed.
//
// `make test` saves two hundred and fifty times; RULEHOST_WHOLE=1 saves a thousand times in each kind of isolation, which takes a minute or two.
import EffectStore
import Foundation
import Glibc
import struct LuaSandbox.ScriptLimits
import PushMessage
import RuleEngine
import Testing

@testable import RuleHosting

/// An app whose saves the test counts: what a decision may say, and when it said it first.
private final class StormApp: Sendable {
    struct Book {
        /// The generation that each ruleset is, of all that were saved whole.
        var whole: [String: String] = [:]
        /// Nanoseconds at which a decision was by that ruleset, for the first time.
        var seen: [String: UInt64] = [:]
        /// Decisions by what was not saved whole: when, and what they said.
        var wrong: [(at: UInt64, text: String)] = []
        var wrongCount = 0
        var count = 0
        /// How many generations were saved, and the place of each among them.
        var saves = 0
        var places: [String: Int] = [:]
        /// The save with that place took so long that its halves stood still as long as a host waits for quiet: then each of them is a
        /// save of its own. They count until that generation or a later one decides.
        var torn: Int?
        var tornCount = 0
        var isOver = false
    }

    let name: String
    let folder: String
    let book = Monitor(Book())
    /// Modules that have to be of one generation.
    let modules: Int

    init(_ name: String, in rules: String, modules: Int) {
        (self.name, folder, self.modules) = (name, "\(rules)/\(name)", modules)
    }

    /// Files that belong together. A decision tells the generation of each, so that half of a save loads, and shows.
    func files(_ generation: String) -> [(path: String, text: String)] {
        let numbers = (0..<modules).map { String(format: "%02d", $0) }
        let required = numbers.map { "require \"lib.m\($0)\".of" }.joined(separator: ", ")
        return [
            ("a.lua", "rule \"A\" { on = \"present\", decide = function() return { labels = { a = \"\(generation)\" } } end }\n"),
            ("app.lua", "return { api = 1, guards = { duplicate = false } }\n"),
            (
                "b.lua",
                """
                local all = { \(required) }
                rule "B" {
                  on = "present",
                  decide = function()
                    local seen = all[1]
                    for _, one in ipairs(all) do if one ~= seen then seen = "mixed" end end
                    return { title = seen }
                  end,
                }

                """
            ),
            ("c.lua", "rule \"C\" { on = \"present\", decide = function() return show { \"banner\", reason = \"\(generation)\" } end }\n"),
        ]
            + numbers.map {
                ("lib/m\($0).lua", "-- \(String(repeating: "padding ", count: 60))\nreturn { of = \"\(generation)\" }\n")
            }
    }

    /// - Returns: the ruleset's hash.
    @discardableResult
    func register(_ generation: String) -> String {
        let hash = AppCrossing.hash(of: files(generation).map { SourceFile(path: $0.path, bytes: Array($0.text.utf8)) })
        book.withLock { book in
            book.whole[hash] = generation
            book.saves += 1
            book.places[hash] = book.saves
        }
        return hash
    }

    /// A save is over.
    /// - Parameter pause: the longest in it, in nanoseconds.
    func saved(since start: UInt64, pause: UInt64) {
        guard pause > StormApp.longestPause else { return }
        book.change { book in
            book.torn = book.saves
            let before = book.wrong.count
            book.wrong.removeAll { $0.at >= start }
            book.tornCount += before - book.wrong.count
            book.wrongCount -= before - book.wrong.count
        }
    }

    /// Half of what a host waits for.
    private static let longestPause: UInt64 = 20_000_000

    func look(at answer: HostAnswer) {
        let now = DispatchTime.now().uptimeNanoseconds
        let json = answer.json
        let ruleset = json["ruleset"] as? String ?? "none"
        let told = [
            (json["labels"] as? [String: Any])?["a"], (json["content"] as? [String: Any])?["title"],
            (json["display"] as? [String: Any])?["reason"],
        ].map { $0 as? String ?? "-" }
        book.change { book in
            book.count += 1
            if book.seen[ruleset] == nil { book.seen[ruleset] = now }
            let generation = book.whole[ruleset]
            if let torn = book.torn, book.places[ruleset] ?? 0 >= torn { book.torn = nil }
            if answer.status != 200 || generation == nil || told.contains(where: { $0 != generation }) {
                if book.torn != nil {
                    book.tornCount += 1
                    return
                }
                book.wrongCount += 1
                guard book.wrong.count < 100 else { return }
                book.wrong.append((now, "\(answer.status) \(ruleset) \(told) \(generation ?? "of no save") \(answer.code ?? "")"))
            }
        }
    }
}

/// The ways in which editors and people save.
private enum SaveKind: CaseIterable {
    case written, renamed, halves, editor, broken, switched
}

@Suite(.serialized) struct SaveStormTests {
    private static let isWhole = ProcessInfo.processInfo.environment["RULEHOST_WHOLE"] == "1"

    private static func write(_ text: String, _ path: String) throws {
        let file = try #require(fopen(path, "w"))
        fputs(text, file)
        fclose(file)
    }

    @discardableResult
    private static func git(_ folder: String, _ words: String...) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["git", "-C", folder, "-c", "user.name=rulehost", "-c", "user.email=rulehost@localhost"] + words
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Ten cases that do not speak of generations.
    private static let cases =
        "["
        + (0..<10).map {
            #"{"name": "case \#($0)", "message": {"aps": {"alert": "x"}}, "device": {"state": "foreground"}, "event": "present", "expect": {"display": {"action": "show"}}}"#
        }.joined(separator: ",\n") + "]\n"

    /// Saves in place, one kind after the other.
    private static func save(_ app: StormApp, _ generation: String, _ kind: SaveKind) throws {
        let start = DispatchTime.now().uptimeNanoseconds
        var (last, pause) = (start, UInt64(0))
        func look() {
            let now = DispatchTime.now().uptimeNanoseconds
            (last, pause) = (now, max(pause, now - last))
        }
        defer { app.saved(since: start, pause: pause) }
        for (name, text) in app.files(generation) {
            defer { look() }
            let path = "\(app.folder)/\(name)"
            switch kind {
            case .written: try write(text, path)
            case .renamed, .switched, .broken:
                try write(text, "\(path).tmp")
                #expect(rename("\(path).tmp", path) == 0)
            case .halves:
                // Truncated, then one half, then the other.
                let file = try #require(fopen(path, "w"))
                fputs(String(text.prefix(text.count / 2)), file)
                fflush(file)
                if name == "a.lua" { usleep(3_000) }
                fputs(String(text.dropFirst(text.count / 2)), file)
                fclose(file)
            case .editor:
                #expect(rename(path, "\(path)~") == 0)
                try write(text, path)
                #expect(unlink("\(path)~") == 0)
            }
        }
    }

    private struct Outcome {
        var saves = 0
        /// Milliseconds from the end of a save to the first decision by it.
        var times: [Double] = []
    }

    /// Saves of one app, some of them waited for, others followed by the next at once.
    private static func storm(_ app: StormApp, saves: Int, seed: UInt64, commits: [String], in rules: String) throws -> Outcome {
        var outcome = Outcome()
        var random = seed
        func draw(_ below: UInt64) -> UInt64 {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (random >> 33) % below
        }
        var last = ""
        for number in 0..<saves {
            let kind = commits.isEmpty ? SaveKind.allCases[number % 5] : .switched
            let isLast = number == saves - 1
            if kind == .broken, !isLast {
                let path = "\(app.folder)/a.lua"
                try write("rule \"A\" { on = \"present\", decide = function( end }\n", path)
            } else if kind == .switched {
                let commit = commits[number % commits.count]
                last = app.register(commit)
                app.book.withLock { $0.seen[last] = nil }
                let start = DispatchTime.now().uptimeNanoseconds
                #expect(try git(rules, "checkout", "-q", "-f", commit) == 0)
                // Where in it git has paused is not known.
                app.saved(since: start, pause: DispatchTime.now().uptimeNanoseconds - start)
            } else {
                let generation = "g\(number)"
                last = app.register(generation)
                try save(app, generation, kind)
            }
            outcome.saves += 1
            let end = DispatchTime.now().uptimeNanoseconds
            let isWaitedFor = draw(2) == 0 || isLast
            if kind == .broken || !isWaitedFor {
                // Up to half as long again as a host waits for quiet: some of the saves begin while the one before is read.
                usleep(UInt32(draw(60_000)))
                continue
            }
            let seen = app.book.wait(milliseconds: 60_000 * ScriptLimits.slowness) { [last] book in book.seen[last] }
            outcome.times.append(Double(max(try #require(seen, "\(app.name): \(last) is not in force"), end) - end) / 1e6)
        }
        return outcome
    }

    @Test(
        "Whatever is saved and however, decisions are by rules that were saved whole, and in the end by the last ones",
        arguments: isWhole ? HostSettings.Isolation.allCases : [.process])
    func storm(_ isolation: HostSettings.Isolation) throws {
        let scene = try Scene()
        let apps = (0..<5).map { StormApp("app-\($0)", in: scene.rules, modules: $0 == 0 ? 46 : 4) }
        for app in apps {
            for folder in ["lib", "cases"] {
                try FileManager.default.createDirectory(atPath: "\(app.folder)/\(folder)", withIntermediateDirectories: true)
            }
            app.register("start")
            for (name, text) in app.files("start") { try Self.write(text, "\(app.folder)/\(name)") }
            try Self.write(Self.cases, "\(app.folder)/cases/ten.json")
        }
        // The rules folder is a repository in which the first app has a branch for each of its generations.
        let commits = (0..<8).map { "branch-\($0)" }
        #expect(try Self.git(scene.rules, "init", "-q") == 0)
        for commit in commits {
            for (name, text) in apps[0].files(commit) { try Self.write(text, "\(apps[0].folder)/\(name)") }
            #expect(try Self.git(scene.rules, "checkout", "-q", "-b", commit) == 0)
            #expect(try Self.git(scene.rules, "add", apps[0].name) == 0)
            #expect(try Self.git(scene.rules, "commit", "-q", "-m", commit) == 0)
            apps[0].register(commit)
        }
        let host = try scene.host(.memory, isolation)
        let clients = DispatchGroup()
        for app in apps {
            for client in 0..<2 {
                DispatchQueue(label: "client").async(group: clients) {
                    var number = 0
                    while !app.book.withLock({ $0.isOver }) {
                        number += 1
                        app.look(at: host.ask(app.name, Scene.body("p-\(client)", id: "\(number)")))
                        usleep(1_000)
                    }
                }
            }
        }
        // A checkout of fifty files is slow to read in a build that is not optimised.
        let counts = Self.isWhole ? [40, 240, 240, 240, 240] : [10, 60, 60, 60, 60]
        let outcomes = Monitor<[Outcome]>([])
        let savers = DispatchGroup()
        for (place, app) in apps.enumerated() {
            DispatchQueue(label: "saver").async(group: savers) {
                do {
                    let outcome = try Self.storm(
                        app, saves: counts[place], seed: UInt64(place + 1), commits: place == 0 ? commits : [], in: scene.rules)
                    outcomes.withLock { $0.append(outcome) }
                } catch {
                    Issue.record(error)
                }
            }
        }
        savers.wait()
        for app in apps { app.book.withLock { $0.isOver = true } }
        clients.wait()
        for (place, app) in apps.enumerated() {
            let book = app.book.withLock { $0 }
            #expect(book.wrong.map(\.text).prefix(5).isEmpty, "\(app.name): \(book.wrongCount) of \(book.count)")
            print("saves: \(app.name): \(book.tornCount) of \(book.count) decisions were by halves that stood still for too long")
            #expect(book.count > counts[place])
        }
        let all = outcomes.withLock { $0 }
        #expect(all.map(\.saves).reduce(0, +) == counts.reduce(0, +))
        let times = all.flatMap(\.times).sorted()
        #expect(!times.isEmpty)
        if let worst = times.last {
            let count = book(apps) { $0.count }
            print(
                "saves: \(counts.reduce(0, +)) of \(apps.count) apps at once, \(isolation.rawValue), \(count) decisions;",
                "from save to effect \(Int(times[times.count / 2].rounded())) ms in the median, \(Int(worst.rounded())) ms at worst")
        }
        host.close()
    }

    private func book(_ apps: [StormApp], _ number: (StormApp.Book) -> Int) -> Int {
        apps.map { $0.book.withLock { number($0) } }.reduce(0, +)
    }
}
