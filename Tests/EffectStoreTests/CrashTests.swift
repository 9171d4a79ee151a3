// A host that is killed while it commits, folds or opens. What it has acknowledged is there afterwards, once and in order; the
// one commit that was under way for a recipient is there whole or not at all.
import Foundation
import PushMessage
import RuleEngine
import Testing

@testable import EffectStore

struct CrashTests {
    @Test("Of a host that is killed fifty times, each acknowledged commit is there exactly once and no other is half there")
    func killed() throws {
        let scene = try Scene()
        var random = SeededNumbers(seed: 20_261_130)
        var everyone: [String: Int] = [:]
        for round in 0..<50 {
            // By the clock it also ends before its first commit; by what it says, after some on any machine.
            let said = round.isMultiple(of: 2) ? 0 : Int.random(in: 1...80, using: &random)
            let acknowledged = try commitUntilKilled(
                scene, "r\(round)", having: said, after: UInt32.random(in: 1...(said == 0 ? 160 : 8), using: &random))
            // Whoever only looks sees the same as the next host, also before there is one.
            let found = acknowledged.isEmpty ? nil : try StoreView(scene.path).everything(app: "load")
            let store = try scene.open()
            for person in 0..<4 {
                let recipient = "r\(round)-\(person)"
                let count = try store.view.recipient(app: "load", recipient).inbox.count
                if let found { #expect(found.recipients[recipient]?.inbox.count ?? 0 == count, "\(recipient)") }
                let sure = acknowledged[recipient] ?? 0
                #expect(count == sure || count == sure + 1, "\(recipient): \(count) of \(sure)")
                try expectWhole(recipient, count, in: store)
                everyone[recipient] = count
            }
        }
        let store = try scene.open()
        try store.tidy(now: Scene.noon)
        let all = try store.view.everything(app: "load")
        for (recipient, count) in everyone { #expect(all.recipients[recipient]?.inbox.count ?? 0 == count, "\(recipient)") }
        // Else nothing was proved.
        #expect(everyone.values.reduce(0, +) > 500)
    }

    @Test("A log that ends anywhere, as a power cut may leave it, is a whole number of commits from the first on")
    func cutOff() throws {
        let scene = try Scene()
        let store = try scene.open()
        for number in 0..<60 {
            let text = Array("\(number)".utf8)
            try store.commit(
                Commit(
                    app: "load", recipient: "u",
                    effects: [.keepInInbox(text), .setValue(scope: .app, key: "u", value: StoredValue(json: text))]))
        }
        let log = try Data(contentsOf: URL(fileURLWithPath: "\(scene.path)-wal"))
        var random = SeededNumbers(seed: 7)
        var counts: Set<Int> = []
        for _ in 0..<40 {
            let copy = try Scene()
            try FileManager.default.copyItem(atPath: scene.path, toPath: copy.path)
            try log.prefix(Int.random(in: 0...log.count, using: &random)).write(to: URL(fileURLWithPath: "\(copy.path)-wal"))
            let other = try copy.open()
            let state = try other.view.everything(app: "load")
            let inbox = state.recipients["u"]?.inbox ?? []
            #expect(inbox == (0..<inbox.count).map { Array("\($0)".utf8) })
            #expect(state.shared["u"]?.json == inbox.last)
            counts.insert(inbox.count)
        }
        #expect(counts.count > 10)
    }

    /// How many commits of each recipient were acknowledged.
    private func commitUntilKilled(
        _ scene: Scene, _ round: String, having said: Int, after milliseconds: UInt32
    ) throws -> [String: Int] {
        let (process, output) = try Scene.start("commit", scene.path, round)
        var words = Data()
        while words.count(where: { $0 == UInt8(ascii: "\n") }) < said {
            let more = output.availableData
            guard !more.isEmpty else { break }
            words += more
        }
        usleep(milliseconds * 1_000)
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        var acknowledged: [String: Int] = [:]
        words += try output.readToEnd() ?? Data()
        let text = String(decoding: words, as: UTF8.self)
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            let recipient = String(words[0])
            #expect(words.count == 2 && Int(words[1]) == acknowledged[recipient, default: 0], "\(line)")
            acknowledged[recipient, default: 0] += 1
        }
        return acknowledged
    }

    /// Every part of the last commit, and none of one after it.
    private func expectWhole(_ recipient: String, _ count: Int, in store: EffectStore) throws {
        let state = try store.view.recipient(app: "load", recipient)
        #expect(state.inbox == (0..<count).map { Array("\($0)".utf8) }, "\(recipient)")
        let last = count > 0 ? "\(count - 1)" : nil
        #expect(try store.view.shared(app: "load")[recipient].map { String(decoding: $0.json, as: UTF8.self) } == last, "\(recipient)")
        let due = try store.view.look { (connection) throws(EffectStoreFault) in
            try connection.integer("SELECT at / 1000 FROM due WHERE recipient = ?", [.text(recipient)])
        }
        #expect(due.map(Int.init) == (count > 0 ? count - 1 : nil), "\(recipient)")
        let answers = try store.view.look { (connection) throws(EffectStoreFault) in
            try connection.integer("SELECT count(*) FROM answer WHERE token = ?", [.text(recipient)])
        }
        #expect(answers == Int64(count), "\(recipient)")
    }
}
