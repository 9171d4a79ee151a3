// Collects what is wrong with a message while it is read. Nothing is allocated for a message without faults; paths
// are made at the end, from the places that were noted.
import JSONDocument

struct Lint {
    /// Findings of the whole text come first and the size comes last; all others stand in the order of the raw text.
    private enum Rank: UInt8 { case document, place, whole }

    private struct Finding {
        let code: WarningCode
        let rank: Rank
        let offset: UInt32
        let message: String
        let hint: String?
    }

    /// A message with more faults than anybody reads is not described to its end: making each path takes a walk.
    static let maxFindings = 200

    private var findings: [Finding] = []

    var isEmpty: Bool { findings.isEmpty }
    /// Only the size is taken yet: whoever has to search for a hint need not.
    var isFull: Bool { findings.count >= Lint.maxFindings - 1 }

    mutating func add(_ code: WarningCode, at offset: UInt32, _ message: String, hint: String? = nil) {
        guard !isFull || code == .sizeOverLimit else { return }
        let rank: Rank =
            switch code {
            case .duplicateKey, .loneSurrogate: .document
            case .sizeOverLimit: .whole
            default: .place
            }
        findings.append(Finding(code: code, rank: rank, offset: offset, message: message, hint: hint))
    }

    /// The findings in their order, with paths from `raw`.
    func warnings(in raw: JSONValue) -> [Warning] {
        let ordered = findings.enumerated().sorted { a, b in
            (a.element.rank.rawValue, a.element.offset, a.offset) < (b.element.rank.rawValue, b.element.offset, b.offset)
        }
        return ordered.map { _, finding in
            Warning(
                code: finding.code, path: RawPath.text(ofValueAt: Int(finding.offset), in: raw), message: finding.message,
                hint: finding.hint)
        }
    }
}

/// Paths of values that are known by where they begin in the text.
enum RawPath {
    /// The path of the value that begins at `offset`; the innermost one around it when none does.
    static func text(ofValueAt offset: Int, in raw: JSONValue) -> String {
        JSONPath(steps(toValueAt: offset, in: raw)).text
    }

    static func steps(toValueAt offset: Int, in raw: JSONValue) -> [JSONPath.Step] {
        var steps: [JSONPath.Step] = []
        var value = raw
        while value.offset != offset {
            var index = 0
            var next: JSONValue?
            for child in value.childrenWithShadowed {
                if child.offset <= offset, offset < child.offset + child.sourceLength {
                    next = child
                    break
                }
                index += 1
            }
            guard let next else { break }
            steps.append(value.isArray ? .index(index) : .key(next.key.string))
            value = next
        }
        return steps
    }
}
