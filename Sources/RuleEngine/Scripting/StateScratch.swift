// What rules have written so far, on top of the state that the evaluation was given. Each rule writes into a layer of
// its own, which joins the others only when its `decide` has returned well; a rule that fails leaves no trace.
import PushMessage

struct StateKey: Hashable {
    let scope: StateScope
    private let name: ExactText

    init(scope: StateScope, key: String) {
        self.scope = scope
        name = ExactText(key)
    }

    var key: String { name.string }
}

enum StateWrite {
    case set(StoredValue)
    case delete
}

/// One layer: the last write of every key, in the order of first writes.
struct StateLayer {
    private var writes: [StateKey: StateWrite] = [:]
    private var order: [StateKey] = []
    private var channels = ExactTable<Bool>()
    private var channelOrder: [String] = []
    private var resetsChannels = false

    var isEmpty: Bool { order.isEmpty && channelOrder.isEmpty && !resetsChannels }
    var keys: [StateKey] { order }

    subscript(key: StateKey) -> StateWrite? {
        order.isEmpty ? nil : writes[key]
    }

    mutating func write(_ write: StateWrite, to key: StateKey) {
        if writes.updateValue(write, forKey: key) == nil { order.append(key) }
    }

    enum ChannelWrite { case on, off, reset }

    func channel(_ code: String) -> ChannelWrite? {
        if let isOn = channels[code] { return isOn ? .on : .off }
        return resetsChannels ? .reset : nil
    }

    var channelCount: Int { channelOrder.count }

    mutating func setChannel(_ code: String, on: Bool) {
        if channels.updateValue(on, forKey: code) == nil { channelOrder.append(code) }
    }

    mutating func resetChannels() {
        resetsChannels = true
        channels.removeAll()
        channelOrder.removeAll()
    }

    mutating func join(_ later: StateLayer) {
        for key in later.order {
            if let write = later.writes[key] { self.write(write, to: key) }
        }
        if later.resetsChannels { resetChannels() }
        for code in later.channelOrder {
            if let isOn = later.channels[code] { setChannel(code, on: isOn) }
        }
    }

    func addEffects(to effects: inout [Effect]) {
        for key in order {
            switch writes[key] {
            case .set(let value): effects.append(.setValue(scope: key.scope, key: key.key, value: value))
            case .delete: effects.append(.deleteValue(scope: key.scope, key: key.key))
            case nil: break
            }
        }
        if resetsChannels { effects.append(.resetChannels) }
        for code in channelOrder {
            if let isOn = channels[code] { effects.append(.setChannel(code: code, on: isOn)) }
        }
    }
}

/// The layers of one evaluation over the state it was given.
struct StateScratch {
    /// Of the recipient.
    private let values: ExactTable<StoredValue>
    private let channels: ExactTable<Bool>
    private let shared: ExactTable<StoredValue>
    private let now: Instant
    /// Of rules that have returned well.
    private(set) var kept = StateLayer()
    /// Of the rule that runs.
    private var current = StateLayer()
    /// Bytes of keys and values; nil until a write asks.
    private var used: (recipient: Int?, app: Int?) = (nil, nil)
    private var usedBefore: (recipient: Int?, app: Int?) = (nil, nil)

    init(_ situation: Situation) {
        values = situation.stored.values
        channels = situation.stored.channels
        shared = situation.request.state.shared
        now = situation.request.now
    }

    mutating func keepLayer() {
        if !current.isEmpty {
            kept.join(current)
            current = StateLayer()
        }
        usedBefore = used
    }

    mutating func dropLayer() {
        if !current.isEmpty { current = StateLayer() }
        used = usedBefore
    }

    // MARK: values

    func value(_ key: StateKey) -> StoredValue? {
        switch current[key] ?? kept[key] {
        case .set(let value): return value
        case .delete: return nil
        case nil: return given(key)
        }
    }

    /// Those that are looked at for `keys`; one that is in two layers counts twice.
    func countOfKeys(_ scope: StateScope) -> Int {
        (scope == .app ? shared : values).count + kept.keys.count + current.keys.count
    }

    func keys(_ scope: StateScope, prefix: String) -> [String] {
        var names = Set<ExactText>()
        for (name, value) in scope == .app ? shared : values where isAlive(value) { names.insert(ExactText(name)) }
        for layer in [kept, current] {
            for key in layer.keys where key.scope == scope {
                if case .set = layer[key] { names.insert(ExactText(key.key)) } else { names.remove(ExactText(key.key)) }
            }
        }
        // By bytes: the same order everywhere.
        return names.filter { $0.string.utf8.starts(with: prefix.utf8) }.sorted().map(\.string)
    }

    enum Refusal {
        /// That the scope would have, more than its quota.
        case bytes(Int)
        /// It has as many as it may.
        case keys
    }

    /// - Returns: why nothing is written.
    mutating func set(_ value: StoredValue, to key: StateKey, quota: Int) -> Refusal? {
        let old = self.value(key)
        if old == nil, !hasRoomForKey(key.scope) { return .keys }
        let replaced = old.map { key.key.utf8.count + $0.json.count } ?? 0
        let before = usedBytes(key.scope)
        let total = before - replaced + key.key.utf8.count + value.json.count
        // Whoever is over quota already may still write less than before.
        guard total <= quota || total < before else { return .bytes(total) }
        current.write(.set(value), to: key)
        setUsed(key.scope, total)
        return nil
    }

    private func hasRoomForKey(_ scope: StateScope) -> Bool {
        let most = StateQuota.keys(scope)
        // Counted one by one only where it may be too many.
        guard countOfKeys(scope) >= most else { return true }
        return keys(scope, prefix: "").count < most
    }

    mutating func delete(_ key: StateKey) {
        guard let value = value(key) else { return }
        let total = usedBytes(key.scope) - key.key.utf8.count - value.json.count
        current.write(.delete, to: key)
        setUsed(key.scope, total)
    }

    private func given(_ key: StateKey) -> StoredValue? {
        let value = key.scope == .app ? shared[key.key] : values[key.key]
        return value.flatMap { isAlive($0) ? $0 : nil }
    }

    private func isAlive(_ value: StoredValue) -> Bool { value.expiresAt.map { now < $0 } ?? true }

    private mutating func usedBytes(_ scope: StateScope) -> Int {
        if let known = scope == .app ? used.app : used.recipient { return known }
        var total = 0
        for (name, value) in scope == .app ? shared : values where isAlive(value) {
            total += name.utf8.count + value.json.count
        }
        setUsed(scope, total)
        // The state that was given does not change with a rule that fails.
        if scope == .app { usedBefore.app = total } else { usedBefore.recipient = total }
        return total
    }

    private mutating func setUsed(_ scope: StateScope, _ total: Int) {
        if scope == .app { used.app = total } else { used.recipient = total }
    }

    // MARK: switches

    /// The stored switches as rules have left them.
    func channel(_ code: String) -> Bool? {
        switch current.channel(code) ?? kept.channel(code) {
        case .on: true
        case .off: false
        case .reset: nil
        case nil: channels[code]
        }
    }

    /// Whether there was room for it.
    mutating func setChannel(_ code: String, on: Bool) -> Bool {
        let isKnown = channels[code] != nil || kept.channel(code) != nil || current.channel(code) != nil
        guard isKnown || channels.count + kept.channelCount + current.channelCount < StateQuota.channels else { return false }
        current.setChannel(code, on: on)
        return true
    }

    mutating func resetChannels() { current.resetChannels() }
}
