// Effects of every kind, made up from a seed, about few keys so that they meet.
import PushMessage

@testable import RuleEngine

struct MadeUpEffects {
    private var random: SeededNumbers

    init(seed: UInt64) { random = SeededNumbers(seed: seed) }

    mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

    mutating func list() -> [Effect] { (0..<number(1..<6)).map { _ in one() } }

    private mutating func one() -> Effect {
        let key = ["a", "b", "é", "zero\0byte"][number(0..<4)]
        let later = Instant(milliseconds: Scene.noon.milliseconds + Int64(number(1..<1_000_000)))
        switch number(0..<16) {
        case 0, 1:
            return .setValue(
                scope: number(0..<2) == 0 ? .app : .recipient, key: key,
                value: StoredValue(json: Array("[\(number(0..<9))]".utf8), expiresAt: number(0..<3) == 0 ? later : nil))
        case 2: return .deleteValue(scope: number(0..<2) == 0 ? .app : .recipient, key: key)
        case 3: return .setChannel(code: key, on: number(0..<2) == 0)
        case 4: return number(0..<4) == 0 ? .resetChannels : .setAppPush(number(0..<2) == 0)
        case 5: return .setBadge(number(0..<100))
        case 6, 7: return .sawMessage(mark(later))
        case 8: return .countForCap(key: key, at: later, limit: number(1..<4), span: Int64(number(1..<100_000_000)))
        case 9: return .setTopics(wanted: number(0..<2) == 0 ? nil : [key], confirmed: ["x", key])
        case 10:
            var tokens = StoredTokens()
            tokens.apns = key
            return .setTokens(tokens)
        case 11: return .keepDeferred(deferred(key, number(0..<2) == 0 ? later : nil))
        case 12: return .dropDeferred(id: key)
        case 13: return .keepInInbox(Array("\"\(number(0..<9))\"".utf8))
        case 14: return number(0..<3) == 0 ? .takeInbox : .takePendingRoutes
        default: return .keepPendingRoute(Array("{\"url\":\"a://\(number(0..<9))\"}".utf8))
        }
    }

    private mutating func mark(_ instant: Instant) -> SeenMark {
        let id = "m-\(number(0..<5))"
        var message = SeenMessage(id: id, first: instant, events: SeenEvents(.present))
        message.caps = number(0..<2) == 0 ? ["cap"] : []
        message.openRoute = number(0..<2) == 0 ? Array("{}".utf8) : nil
        return SeenMark(record: number(0..<2) == 0 ? id : nil, message: message, window: 28 * Scene.day)
    }

    private func deferred(_ id: String, _ at: Instant?) -> DeferredMessage {
        DeferredMessage(
            id: id, event: .send, message: Array(#"{"aps":{}}"#.utf8), format: .apns, device: Array("{}".utf8),
            until: at.map { .at($0, local: "", zone: "UTC") } ?? .resume, rule: "r")
    }
}
