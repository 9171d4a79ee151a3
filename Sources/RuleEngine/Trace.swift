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
        /// Which way it went at each thing that it declares; not written as JSON.
        public var branches: RuleBranches = []
        /// What its functions did, in the order in which they were called; empty unless lines are traced.
        public var lines: [RanLine] = []
        /// Runs of lines that found no place.
        public var linesLeftOut = 0

        public static func == (a: RuleLine, b: RuleLine) -> Bool {
            a.rule == b.rule && a.file == b.file && a.line == b.line && a.outcome == b.outcome && a.because == b.because
                && a.set.elementsEqual(b.set) { $0.field == $1.field && $0.json == $1.json }
                && a.lost.elementsEqual(b.lost) { $0.field == $1.field && $0.winner == $1.winner }
                && a.branches == b.branches && a.lines == b.lines && a.linesLeftOut == b.linesLeftOut
        }
    }

    /// A line of a file that ran, once for each call of a function of the rule.
    public struct RanLine: Sendable, Equatable {
        /// Which of the rule's functions was called.
        public enum Call: String, Sendable, CaseIterable { case when, cap, decide }

        public struct Value: Sendable, Equatable {
            /// `msg.data.room`, `state.get("n")`, `device:is_showing("chat")`, or `return`.
            public var path: String
            /// JSON text; what is long is cut, marked by "…".
            public var json: [UInt8]
        }

        public var call: Call
        public var file: String
        /// From 1.
        public var line: Int
        /// The line as it is written, without the spaces around it; cut where it is long.
        public var source: String
        /// How often it ran in this call.
        public var times: Int
        /// What it read, wrote or returned, each once.
        public var values: [Value] = []
        /// Values that found no place.
        public var valuesLeftOut = 0
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
