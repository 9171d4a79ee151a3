// What is read before its turn comes is what would be read then, and never what stands for another request.
import RuleEngine
import Testing

@testable import RuleHosting

struct ReadAheadTests {
    private static let many = ReadAheadLane.count * 3

    private static func asks(_ count: Int, named: String = "u", wrong: Set<Int> = []) -> [Ask] {
        (0..<count).map {
            let body = wrong.contains($0) ? Array(#"{"message":3}"#.utf8) : Scene.body("\(named)-\($0)", id: "m-\($0)")
            return Ask(DecideRequest(app: "chat", body: body), Waiting())
        }
    }

    private static func lane() -> ReadAheadLane { ReadAheadLane { RequestReader(Manifest(), limit: 1 << 16) } }

    private static func recipients(of work: ReadAheadWork, _ places: Range<Int>) -> [String?] { places.map { work.take($0)?.recipient } }

    @Test("The reader goes as far ahead as there is room, and on as the shard comes after")
    func room() {
        let work = ReadAhead().begin(Self.asks(Self.many), in: Self.lane())
        var seen: [String?] = []
        var sleeps = 0
        work.read { isEnough in
            sleeps += 1
            #expect(!isEnough())
            while !isEnough(), seen.count < Self.many { seen.append(work.take(seen.count + 1)?.recipient) }
        }
        #expect(sleeps > 2)
        seen += Self.recipients(of: work, (seen.count + 1)..<Self.many)
        #expect(seen == (1..<Self.many).map { "u-\($0)" })
    }

    @Test("What is wrong with a request is left to whoever decides it")
    func wrong() {
        let work = ReadAhead().begin(Self.asks(16, wrong: [3, 7]), in: Self.lane())
        work.read { _ in Issue.record("there is room for all") }
        let seen = Self.recipients(of: work, 1..<16)
        #expect(seen.enumerated().filter { $1 == nil }.map { $0.offset + 1 } == [3, 7])
    }

    @Test("What was read for one batch is not taken for another")
    func batches() {
        let ahead = ReadAhead()
        let lane = Self.lane()
        let before = ahead.begin(Self.asks(16), in: lane)
        before.read { _ in }
        before.end()
        let after = ahead.begin(Self.asks(16, named: "v"), in: lane)
        #expect(Self.recipients(of: after, 0..<16).allSatisfy { $0 == nil })
    }

    @Test("A shard that is ahead of its reader is not given what it has decided")
    func late() {
        let work = ReadAhead().begin(Self.asks(16), in: Self.lane())
        #expect(work.take(9) == nil)
        work.read { _ in }
        #expect(Self.recipients(of: work, 9..<16) == [nil] + (10..<16).map { "u-\($0)" })
        work.end()
        work.read { _ in Issue.record("there is nothing to wait for") }
    }

    @Test("Answers come while the reader sleeps, wakes and ends, batch after batch")
    func together() throws {
        let scene = try Scene()
        try scene.write("chat")
        let host = try scene.host(shards: 1) { $0.readsAhead = true }
        var counts: [Int: Int] = [:]
        for round in 0..<20 {
            let answers = host.askAll((0..<200).map { ("chat", Scene.body("u-\($0 % 7)", id: "m-\(round)-\($0)"), DecideOptions()) })
            for (number, answer) in answers.enumerated() {
                counts[number % 7, default: 0] += 1
                #expect(answer.label("count") == "\(counts[number % 7] ?? 0)")
            }
        }
        host.close()
    }
}
