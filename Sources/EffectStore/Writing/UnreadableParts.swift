// Parts of the store that cannot be read: somebody's, or what an app shares. They stay where they are, so that more can be saved from them,
// and everybody else's are folded and swept. Held by Housekeeping on the writer's thread; what is told of it goes to any.
import RuleEngine

/// What cannot be read of an app. Of whom nobody is told here: it is said to whoever asks for him.
public struct UnreadablePart: Sendable, Hashable {
    public enum Kind: String, Sendable { case recipient, shared }

    public let app: String
    public let kind: Kind
}

struct UnreadableParts {
    private var people = ExactTable<Bool>()
    private var apps = ExactTable<Bool>()
    private let news: UnreadableNews

    init(_ news: UnreadableNews) { self.news = news }

    var isEmpty: Bool { people.isEmpty && apps.isEmpty }

    func hasRecipient(_ id: String, of app: String) -> Bool { people[UnreadableParts.key(app, id)] != nil }
    func hasShared(of app: String) -> Bool { apps[app] != nil }

    mutating func add(recipient id: String, of app: String) {
        people[UnreadableParts.key(app, id)] = true
        news.tell(UnreadablePart(app: app, kind: .recipient))
    }

    mutating func addShared(of app: String) {
        apps[app] = true
        news.tell(UnreadablePart(app: app, kind: .shared))
    }

    /// They are looked at again: somebody may have put something readable there.
    mutating func forget() { self = UnreadableParts(news) }

    /// What `body` reads; nil when it cannot be read, which `mark` is told. Of the file or the disk it throws.
    static func read<Value>(
        _ body: () throws(EffectStoreFault) -> Value, else mark: () throws(EffectStoreFault) -> Void
    ) throws(EffectStoreFault) -> Value? {
        do throws(EffectStoreFault) {
            return try body()
        } catch {
            guard error.code == .damaged || error.code == .newer else { throw error }
            try mark()
            return nil
        }
    }

    private static func key(_ app: String, _ id: String) -> String { "\(app)/\(id)" }
}

/// Each kind of each app is told once.
final class UnreadableNews: Sendable {
    private struct State {
        var told: Set<UnreadablePart> = []
        var hear: (@Sendable (UnreadablePart) -> Void)?
    }

    private let state = Monitor(State())

    /// - Parameter hear: also called for what is known already.
    func listen(_ hear: @escaping @Sendable (UnreadablePart) -> Void) {
        let told = state.withLock { state in
            state.hear = hear
            return state.told
        }
        for part in told { hear(part) }
    }

    func tell(_ part: UnreadablePart) {
        let hear = state.withLock { state in state.told.insert(part).inserted ? state.hear : nil }
        hear?(part)
    }
}
