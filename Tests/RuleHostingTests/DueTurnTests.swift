// Which messages of one app are tried when: those that cannot be decided stand before nobody for ever.
import PushMessage
import Testing

@testable import EffectStore
@testable import RuleHosting

struct DueTurnTests {
    private static func messages(_ numbers: Range<Int>) -> [DueMessage] {
        numbers.map { DueMessage(app: "chat", recipient: "u", id: "m-\($0)", at: Instant(milliseconds: Int64($0))) }
    }

    @Test("So many are under way at a time, each once, and when half of them are decided others are asked for")
    func bound() {
        var turn = DueTurn()
        let all = Self.messages(0..<100)
        let first = turn.take(all, now: 0)
        #expect(first.map(\.id) == all.prefix(32).map(\.id) && turn.count == 32 && turn.rows(now: 0) == 0)
        let none = turn.take(all, now: 0)
        #expect(none.isEmpty)
        for (number, message) in first.enumerated() {
            // When half of them are decided.
            let wantsMore = turn.finish(message, .done, now: 0)
            #expect(wantsMore == (number >= 15))
        }
        let second = turn.take(Array(all[32...]), now: 0)
        #expect(second.first?.id == "m-32")
        #expect(!turn.isOver(now: 0))
    }

    @Test("Of very many the next are asked for as soon as half of those before are decided, to the last, and then no more")
    func veryMany() {
        var turn = DueTurn()
        var all = Self.messages(0..<1_000)
        var looks = 0
        var underWay: [DueMessage] = []
        while !all.isEmpty {
            // As the clock looks: at the first rows, and only when it is told that there are more.
            underWay += turn.take(Array(all.prefix(turn.rows(now: 0))), now: 0)
            looks += 1
            var wantsMore = false
            while !underWay.isEmpty, !wantsMore {
                let message = underWay.removeFirst()
                wantsMore = turn.finish(message, .done, now: 0)
                all.removeAll { $0.id == message.id }
            }
            #expect(wantsMore == !all.isEmpty, "\(all.count) wait for the clock to look by itself")
            guard wantsMore || all.isEmpty else { return }
        }
        #expect(looks <= 63)
    }

    @Test("An app that has been gone rests until it is back, and no longer")
    func back() {
        var turn = DueTurn()
        let all = Self.messages(0..<3)
        for message in turn.take(all, now: 0) { _ = turn.finish(message, .appIsGone, now: 0) }
        #expect(turn.rows(now: 60_000) == 0)
        turn.wake()
        #expect(turn.take(all, now: 60_000).count == 3)
    }

    @Test("An app of which nothing can be decided rests, each time for longer, until something is")
    func rests() {
        var turn = DueTurn()
        let all = Self.messages(0..<32)
        var now: Int64 = 0
        var rests: [Int64] = []
        for _ in 0..<8 {
            for message in turn.take(all, now: now) { _ = turn.finish(message, .failed, now: now) }
            let begin = now
            while turn.rows(now: now) == 0 { now += 1_000 }
            rests.append((now - begin) / 1_000)
        }
        #expect(rests == [5, 10, 20, 40, 80, 160, 300, 300])
        #expect(!turn.isOver(now: now))
        for message in turn.take(all, now: now) { _ = turn.finish(message, .done, now: now) }
        #expect(turn.isOver(now: now))
    }

    @Test("Messages that can never be decided do not stay before those that can")
    func behindOthers() {
        var turn = DueTurn()
        let all = Self.messages(0..<200)
        var now: Int64 = 0
        var isDecided = false
        // The last one alone can be decided.
        for _ in 0..<10_000 where !isDecided {
            now += 1_000
            guard turn.rows(now: now) > 0 else { continue }
            for message in turn.take(Array(all.prefix(turn.rows(now: now))), now: now) {
                isDecided = isDecided || message.id == "m-199"
                _ = turn.finish(message, message.id == "m-199" ? .done : .failed, now: now)
            }
        }
        #expect(isDecided)
    }

    @Test("An app that is gone is looked for again after a while")
    func gone() {
        var turn = DueTurn()
        let first = turn.take(Self.messages(0..<1), now: 0)
        _ = turn.finish(first[0], .appIsGone, now: 0)
        #expect(turn.rows(now: 599_999) == 0 && turn.rows(now: 600_000) > 0)
    }
}
