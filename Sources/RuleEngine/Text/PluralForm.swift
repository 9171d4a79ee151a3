// The forms that languages have for numbers, and what an author writes for them.

package enum PluralForm: String, CaseIterable, Sendable {
    case zero, one, two, few, many, other
}

extension PluralForm {
    static let names = allCases.map(\.rawValue)
}
