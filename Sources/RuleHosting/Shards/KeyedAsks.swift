// Requests of one app that have a key: those that are not answered yet, and those that repeat them; what was answered before is answered
// again. Belongs to the app's seat.
import EffectStore
import PushMessage

struct KeyedAsks {
    private var underWay: [IdempotencyKey: UnderWay] = [:]

    private struct UnderWay {
        let question: [UInt8]
        var repeated: [Ask] = []
    }

    /// What the store knows of keys; a problem: it cannot say.
    typealias Known = Result<[IdempotencyKey: KeptAnswer], HostProblem>

    enum Way {
        /// It is decided.
        case fresh
        /// It is answered with the one that it repeats.
        case waits
        case answered(HostAnswer)
    }

    var isEmpty: Bool { underWay.isEmpty }

    /// What requests with these keys were answered, looked up for all of them at once.
    func known(to asks: [Ask], of app: String, in keeping: any HostKeeping, now: Instant) -> Known {
        let keys = asks.compactMap { ask in ask.key.flatMap { $0.isUsable && underWay[$0] == nil ? $0 : nil } }
        guard !keys.isEmpty else { return .success([:]) }
        do throws(EffectStoreFault) {
            return .success(try keeping.answers(app: app, keys: keys, now: now))
        } catch {
            return .failure(HostProblem(error))
        }
    }

    /// - Parameter behind: where those wait that repeat others.
    mutating func way(of ask: Ask, _ known: Known, behind: inout BehindQueue) -> Way {
        guard let key = ask.key else { return .fresh }
        guard key.isUsable else { return .answered(HostAnswer(tag: ask.request.tag, .badKey)) }
        let question = RequestDigest.of(ask.request)
        if let first = underWay[key] {
            guard first.question == question else { return .answered(HostAnswer(tag: ask.request.tag, .mismatch)) }
            guard behind.keep([ask]) == 1 else { return .answered(HostAnswer(tag: ask.request.tag, .queueFull)) }
            underWay[key]?.repeated.append(ask)
            return .waits
        }
        switch known {
        case .failure(let problem): return .answered(HostAnswer(tag: ask.request.tag, problem))
        case .success(let answers):
            guard let known = answers[key] else {
                underWay[key] = UnderWay(question: question)
                return .fresh
            }
            guard known.question == question else { return .answered(HostAnswer(tag: ask.request.tag, .mismatch)) }
            return .answered(HostAnswer(tag: ask.request.tag, status: known.status, body: known.answer))
        }
    }

    /// What is kept, so that it is answered again; nil: the request has no key.
    func kept(of decided: Decided) -> KeptAnswer? {
        guard let key = decided.ask.key, let question = underWay[key]?.question else { return nil }
        return KeptAnswer(token: key.token, key: key.key, question: question, status: decided.status, answer: decided.body)
    }

    /// Those that have repeated a request which is answered now.
    mutating func takeRepeated(_ ask: Ask, behind: inout BehindQueue) -> [Ask] {
        let asks = ask.key.flatMap { underWay.removeValue(forKey: $0)?.repeated } ?? []
        behind.letGo(asks)
        return asks
    }
}
