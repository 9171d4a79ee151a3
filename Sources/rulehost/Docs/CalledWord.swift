// A word of the command line that the reference of rules does not tell of, because help does: a verb, or a flag of some. Used by `docs`.

struct CalledWord {
    private let name: String
    /// Of those that have a flag of that name, or the verb itself.
    private let verbs: [String]
    private let isFlag: Bool

    /// nil: help does not know it either.
    init?(_ word: String) {
        name = word.lowercased()
        isFlag = !Program.verbs.contains { [name] in $0.name == name }
        verbs = isFlag ? Program.verbs.filter { [name] in $0.flags.contains { $0.name == name } }.map(\.name) : [name]
        if verbs.isEmpty { return nil }
    }

    /// A sentence.
    var hint: String {
        guard isFlag else { return "`rulehost help \(name)` tells how the verb \(name) is called." }
        return "--\(name) is a flag: " + verbs.map { "`rulehost help \($0)`" }.joined(separator: ", ") + " tells of it."
    }
}
