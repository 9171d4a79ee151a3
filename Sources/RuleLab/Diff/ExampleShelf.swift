// Keeps a few examples of a stream of any length, always the same ones: of each kind of change by each rule the first ones.
// In the end the rarest kinds come first, because of these there is nothing else to see.
import PushMessage

struct ExampleShelf {
    private struct Key: Hashable {
        let kind: ChangeKind
        let rule: ExactText
    }

    /// Of one kind and one rule.
    private static let perRule = 4
    /// Of all; a thousand rules have more kinds than anybody reads.
    private static let most = 200

    private var kept: [DiffExample] = []
    private var counts: [Key: Int] = [:]

    /// Whether an example of this sort is still looked for: asked first, because an example is not made for nothing.
    func wants(_ kinds: ChangeKinds, by rules: [String]) -> Bool {
        guard kept.count < ExampleShelf.most else { return false }
        return kinds.all.contains { kind in
            ExampleShelf.named(rules).contains { counts[Key(kind: kind, rule: ExactText($0)), default: 0] < ExampleShelf.perRule }
        }
    }

    mutating func add(_ example: DiffExample) {
        kept.append(example)
        for kind in example.kinds.all {
            for rule in ExampleShelf.named(example.rules) { counts[Key(kind: kind, rule: ExactText(rule)), default: 0] += 1 }
        }
    }

    private static func named(_ rules: [String]) -> [String] { rules.isEmpty ? [""] : rules }

    /// - Parameter counts: how often each kind came.
    /// - Returns: at most `most`, the rarest kinds first, of one kind at most `perKind` in the order of the traffic, and each
    ///   rule before any rule a second time; where that makes less than `least`, further ones.
    func chosen(most: Int, least: Int, perKind: Int, counts: [ChangeKind: Int]) -> [DiffExample] {
        let kinds = ChangeKind.allCases.enumerated().filter { counts[$0.element, default: 0] > 0 }
            .sorted { (counts[$0.element, default: 0], $0.offset) < (counts[$1.element, default: 0], $1.offset) }.map(\.element)
        var chosen: [DiffExample] = []
        var taken: Set<Int> = []
        for kind in kinds {
            var ofKind = kept.indices.filter { taken.contains($0) && kept[$0].kinds.contains(kind) }
            var rules = Set(ofKind.map { kept[$0].rules })
            for isNewRule in [true, false] {
                for place in kept.indices where kept[place].kinds.contains(kind) && !taken.contains(place) {
                    guard ofKind.count < perKind, chosen.count < most else { break }
                    guard rules.insert(kept[place].rules).inserted || !isNewRule else { continue }
                    chosen.append(kept[place])
                    ofKind.append(place)
                    taken.insert(place)
                }
            }
        }
        for place in kept.indices where chosen.count < least && !taken.contains(place) { chosen.append(kept[place]) }
        return chosen
    }
}
