// What came near a limit while cases ran: of each rule and limit the largest, in the order in which they were first seen.
import RuleEngine

struct Strains: Sendable {
    private var largest: [Strain] = []

    var warnings: [RuleWarning] { largest.map(\.warning) }

    mutating func note(_ strain: Strain) {
        guard let known = largest.firstIndex(where: { $0.limit == strain.limit && $0.rule == strain.rule }) else {
            largest.append(strain)
            return
        }
        if strain.used > largest[known].used { largest[known] = strain }
    }

    mutating func note(_ others: Strains) { others.largest.forEach { note($0) } }
}
