// Why a decision is what it is: every rule that was looked at, what it set and what it lost, and what the guards did.
// Made only when asked for.

public struct Trace: Sendable, Equatable {
    public enum Outcome: String, Sendable, CaseIterable { case matched, noMatch = "no_match", disabled, notRun = "not_run", error }

    public struct RuleLine: Sendable, Equatable {
        public var rule: String
        public var file: String
        public var line: Int
        public var outcome: Outcome
        /// Which matcher, `when` or error decided the outcome.
        public var because: String?
        /// Field → JSON text of what the rule set, of the fields that count.
        public var set: [(field: String, json: [UInt8])] = []
        /// Field → the rule whose value counts instead.
        public var lost: [(field: String, winner: String)] = []

        public static func == (a: RuleLine, b: RuleLine) -> Bool {
            a.rule == b.rule && a.file == b.file && a.line == b.line && a.outcome == b.outcome && a.because == b.because
                && a.set.elementsEqual(b.set) { $0.field == $1.field && $0.json == $1.json }
                && a.lost.elementsEqual(b.lost) { $0.field == $1.field && $0.winner == $1.winner }
        }
    }

    public struct GuardLine: Sendable, Equatable {
        public var `guard`: GuardName
        /// A sentence that says what changed.
        public var effect: String
    }

    public var rules: [RuleLine] = []
    public var guards: [GuardLine] = []
    /// What the host itself did beside rules and guards: counts, dropped routes.
    public var notes: [String] = []
    /// What rules wrote with `log`.
    public var log: [String] = []

    public init() {}
}
