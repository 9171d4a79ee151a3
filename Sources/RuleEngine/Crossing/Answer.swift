// The answer to a question as bytes, and what is asked of one before it counts. The process that gave it runs scripts of
// strangers: it may have been taken over, so that an answer is a claim and nothing more.
import PushMessage

extension Evaluation {
    /// For a question of another process.
    public var crossing: [UInt8] {
        var writer = CrossingWriter(reserving: 1024)
        writer.write(decision)
        writer.write(effects)
        return writer.bytes
    }

    /// Bytes of one answer; no honest one comes near.
    public static let longestCrossing = 8 << 20

    /// Reads an answer to `question`, given for `ruleset`. Throws when it is not one: a part is not what it must be, it is
    /// about somebody else, or it writes more than rules may.
    public init(crossing bytes: UnsafeRawBufferPointer, to question: Question, of ruleset: Ruleset) throws(CrossingFault) {
        var reader = CrossingReader(bytes)
        decision = try reader.decision()
        effects = try reader.effects()
        try reader.finish()
        let check = AnswerCheck(question: question, ruleset: ruleset)
        try check.look(at: decision)
        try check.look(at: effects)
    }
}

private struct AnswerCheck {
    let question: Question
    let ruleset: Ruleset

    /// Of one answer: each rule may write each key of its quota once.
    private static let mostEffects = 20_000

    func look(at decision: borrowing Decision) throws(CrossingFault) {
        guard decision.app.isExactly(ruleset.app), decision.ruleset.isExactly(ruleset.hash) else {
            throw CrossingFault("the app that was asked")
        }
        guard decision.event == question.event else { throw CrossingFault("the event that was asked about") }
        guard decision.recipient.isExactly(question.recipient) else { throw CrossingFault("the recipient who was asked about") }
        if let wanted = question.messageID, !decision.messageID.isExactly(wanted) {
            throw CrossingFault("the message that was asked about")
        }
        for held in decision.deferred where !held.app.isExactly(ruleset.app) || !held.recipient.isExactly(question.recipient) {
            throw CrossingFault("what was held back for the recipient")
        }
    }

    func look(at effects: [Effect]) throws(CrossingFault) {
        guard effects.count <= Self.mostEffects else { throw CrossingFault("no more changes than rules can make") }
        var writes: Set<StateScope> = []
        var waiting = question.stored.deferred
        var newCaps = 0
        for effect in effects {
            switch effect {
            case .setValue(let scope, let key, _):
                writes.insert(scope)
                try look(atKey: key)
            case .deleteValue(_, let key), .setChannel(let key, _): try look(atKey: key)
            case .countForCap(let key, _, _, _):
                try look(atKey: key)
                if question.stored.caps[key] == nil { newCaps += 1 }
            case .setTopics(let wanted, let confirmed): try look(atTopics: wanted, confirmed)
            case .sawMessage(let mark): for cap in mark.message.caps { try look(atKey: cap) }
            case .keepDeferred(let message):
                guard waiting.message(message.id) != nil || waiting.hasRoom(for: message.message.count + message.device.count) else {
                    throw CrossingFault("no more messages held back than may be")
                }
                waiting.keep(message)
            case .resetChannels, .setAppPush, .setBadge, .setTokens, .dropDeferred, .keepInInbox, .takeInbox,
                .keepPendingRoute, .takePendingRoutes:
                break
            }
        }
        guard newCaps == 0 || question.stored.caps.liveCount(at: question.now) + newCaps <= CapCount.mostKeys else {
            throw CrossingFault("no more keys of caps than may be")
        }
        for scope in writes { try lookAtQuota(of: scope, effects) }
    }

    private func look(atTopics wanted: [String]?, _ confirmed: [String]?) throws(CrossingFault) {
        let most = max(TopicList.most, question.stored.topicCount)
        guard max(wanted?.count ?? 0, confirmed?.count ?? 0) <= most else { throw CrossingFault("no more topics than one phone can be in") }
    }

    private func look(atKey key: String) throws(CrossingFault) {
        guard (1...StateQuota.key).contains(key.utf8.count) else { throw CrossingFault("a key of 1 to \(StateQuota.key) bytes") }
    }

    /// What is stored afterwards, of values that live now, is within the quota; what was there before counts as it does
    /// for rules.
    private func lookAtQuota(of scope: StateScope, _ effects: [Effect]) throws(CrossingFault) {
        var values = scope == .app ? question.stored.shared : question.stored.recipient
        for effect in effects {
            switch effect {
            case .setValue(scope, let key, let value): values[key] = value
            case .deleteValue(scope, let key): values[key] = nil
            default: break
            }
        }
        var total = 0
        let before = (scope == .app ? question.stored.shared : question.stored.recipient).count
        guard values.count <= max(StateQuota.keys(scope), before) else { throw CrossingFault("no more keys than may be") }
        for (key, value) in values where value.expiresAt.map({ question.now < $0 }) ?? true {
            total += key.utf8.count + value.json.count
        }
        guard total <= StateQuota.bytes(scope) else { throw CrossingFault("no more stored than may be") }
    }
}
