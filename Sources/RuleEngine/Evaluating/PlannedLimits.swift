// `rollout`, `holdout` and `cap` made ready for messages: the hash of a share begun, the keys of caps known, and how much
// of the past the caps of one key need.
import PushMessage

struct PlannedShare {
    let percent: Int
    private let bucket: Bucket

    init(_ share: RuleShare, app: String, rule: String) {
        percent = share.percent
        bucket = Bucket(app: app, salt: share.salt ?? rule)
    }

    func bucket(of recipient: String) -> Int { bucket.number(of: recipient) }
}

final class PlannedCap {
    let limit: Int
    let window: RuleCap.Window
    let otherwise: RuleCap.Otherwise
    /// nil: `function` gives it.
    let key: String?
    let function: Int64?
    /// The key where the function gives none.
    let rule: String
    let memory: CapMemory

    init(_ cap: RuleCap, rule: String, _ memories: CapMemories) {
        limit = cap.limit
        window = cap.window
        otherwise = cap.otherwise
        self.rule = rule
        switch cap.key {
        case .text(let text): (key, function) = (text ?? rule, nil)
        case .function(let function): (key, self.function) = (nil, function)
        }
        memory = memories[key]
    }

    /// "3 of 3 shown today"
    var sentence: String { "\(limit) of \(limit) shown \(window.words)" }
}

/// What must be kept of the messages that are counted under one key.
struct CapMemory: Equatable {
    var limit = 0
    /// Milliseconds
    var span: Int64 = 0

    mutating func include(_ cap: RuleCap) {
        limit = max(limit, cap.limit)
        span = max(span, cap.window.span)
    }
}

/// Rules may share a key and still count in different windows; a key that a function gives may be any of them.
struct CapMemories {
    private var byKey = ExactTable<CapMemory>()
    private var all = CapMemory()
    private var hasFunctions = false

    init(_ rules: [Rule]) {
        for rule in rules {
            guard let cap = rule.cap else { continue }
            all.include(cap)
            switch cap.key {
            case .text(let text): byKey[text ?? rule.name, default: CapMemory()].include(cap)
            case .function: hasFunctions = true
            }
        }
    }

    subscript(key: String?) -> CapMemory {
        guard !hasFunctions, let key else { return all }
        return byKey[key] ?? all
    }
}

/// A cap that the message at hand falls under.
struct CapUse {
    let key: String
    let memory: CapMemory
    /// It has counted the message already, and lets it pass.
    let hasCounted: Bool
}
