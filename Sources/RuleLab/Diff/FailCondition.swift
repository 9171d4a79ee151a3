// When a comparison is not good enough: `suppressed > 1%`. A kind of change, a comparison, and a number of events or a part
// of them. Read from a command line, so that what is wrong is told with its place.

public struct FailCondition: Sendable {
    public enum Subject: Sendable, Equatable {
        case changed
        case kind(ChangeKind)
    }

    enum Comparison: String, CaseIterable {
        case atMost = "<="
        case atLeast = ">="
        case notEqual = "!="
        case equal = "=="
        case above = ">"
        case below = "<"
        case same = "="

        func holds(_ a: Int, _ b: Int) -> Bool {
            switch self {
            case .atMost: a <= b
            case .atLeast: a >= b
            case .notEqual: a != b
            case .equal, .same: a == b
            case .above: a > b
            case .below: a < b
            }
        }
    }

    enum Amount {
        case events(Int)
        /// Millionths of all events: 1 % is 10,000.
        case part(Int)
    }

    /// As it was written, without needless space.
    public let text: String
    public let subject: Subject
    let comparison: Comparison
    let amount: Amount

    /// A place in the text that cannot be read, and what may stand there.
    public struct Fault: Error, Sendable, Equatable {
        /// In Unicode scalars, from 1.
        public let column: Int
        /// How many scalars are meant; 1 at the end of the text.
        public let length: Int
        public let message: String
        public let hint: String
    }

    /// The kinds by their names, and three of them by a shorter one.
    public static let subjects: [String] = ["changed", "shown", "suppressed", "deferred"] + ChangeKind.allCases.map(\.rawValue)

    private static func subject(_ word: String) -> Subject? {
        switch word {
        case "changed": .changed
        case "shown": .kind(.newlyShown)
        case "suppressed": .kind(.newlySuppressed)
        case "deferred": .kind(.newlyDeferred)
        default: ChangeKind(rawValue: word).map(Subject.kind)
        }
    }

    // MARK: reading

    public init(_ text: String) throws(Fault) {
        var words = Scanner(text)
        words.skipSpace()
        let start = words.column
        let name = words.take { $0.properties.isAlphabetic || $0 == "_" }
        guard let subject = FailCondition.subject(name.lowercased()) else {
            throw Fault(
                column: start, length: max(1, name.unicodeScalars.count),
                message: name.isEmpty ? "a kind of change must stand here" : "there is no kind of change \"\(name)\"",
                hint: "one of " + FailCondition.subjects.joined(separator: ", "))
        }
        words.skipSpace()
        guard let comparison = Comparison.allCases.first(where: { words.skip($0.rawValue) }) else {
            throw Fault(column: words.column, length: 1, message: "a comparison must stand here", hint: "one of >, >=, <, <=, =, !=")
        }
        words.skipSpace()
        let place = words.column
        let digits = words.take { ("0"..."9").contains($0) || $0 == "." || $0 == "," || $0 == "_" }
        words.skipSpace()
        let isPart = words.skip("%")
        guard let amount = FailCondition.amount(digits, isPart: isPart) else {
            throw Fault(
                column: place, length: max(1, digits.unicodeScalars.count), message: "a number of events or a part of them must stand here",
                hint: "such as 100, 1% or 0.5%")
        }
        words.skipSpace()
        guard words.isAtEnd else {
            throw Fault(
                column: words.column, length: words.left, message: "the condition ends before this",
                hint:
                    "write one condition: \"\(name) \(comparison.rawValue) \(digits)\(isPart ? "%" : "")\"; --fail-if may be given several times"
            )
        }
        self.text = "\(name) \(comparison.rawValue) \(digits)\(isPart ? "%" : "")"
        self.subject = subject
        self.comparison = comparison
        self.amount = amount
    }

    /// A whole number, or a percentage with at most four digits behind the point.
    private static func amount(_ text: String, isPart: Bool) -> Amount? {
        guard isPart else { return Int(text).map(Amount.events) }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = Int(parts[0]), (0...100).contains(whole) else { return nil }
        guard parts.count == 2 else { return .part(whole * 10_000) }
        guard (1...4).contains(parts[1].count), let rest = Int(parts[1]) else { return nil }
        let scale = [1000, 100, 10, 1][parts[1].count - 1]
        return .part(whole * 10_000 + rest * scale)
    }

    private struct Scanner {
        private let scalars: [Unicode.Scalar]
        private var place = 0

        init(_ text: String) { scalars = Array(text.unicodeScalars) }

        var column: Int { place + 1 }
        var left: Int { scalars.count - place }
        var isAtEnd: Bool { place == scalars.count }

        mutating func skipSpace() { while place < scalars.count, scalars[place].properties.isWhitespace { place += 1 } }

        mutating func take(_ belongs: (Unicode.Scalar) -> Bool) -> String {
            var text = ""
            while place < scalars.count, belongs(scalars[place]) {
                text.unicodeScalars.append(scalars[place])
                place += 1
            }
            return text
        }

        mutating func skip(_ word: String) -> Bool {
            let wanted = Array(word.unicodeScalars)
            guard scalars[place...].starts(with: wanted) else { return false }
            place += wanted.count
            return true
        }
    }

    // MARK: asking

    /// Whether it holds, and of how many events it was asked.
    public func holds(for report: DiffReport) -> Bool {
        let count = count(in: report)
        switch amount {
        case .events(let wanted): return comparison.holds(count, wanted)
        // Whole numbers: one event in a hundred is 1 %, neither more nor less.
        case .part(let millionths): return comparison.holds(count * 1_000_000, millionths * report.events)
        }
    }

    public func count(in report: DiffReport) -> Int {
        switch subject {
        case .changed: report.changed
        case .kind(let kind): report.count(kind)
        }
    }
}
