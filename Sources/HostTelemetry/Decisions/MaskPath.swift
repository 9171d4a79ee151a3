// A place in a line of the decision log whose value nobody is to read: steps with points between them, `*` for any. A text with
// points that is itself a key counts as one step, as in the field maps of apps.

public struct MaskPath: Sendable, Equatable {
    public let text: String
    let steps: [String]

    /// Of what it may begin with.
    static let roots = ["message", "device", "event"]

    /// nil: no such place is in a line.
    public init?(_ text: String) {
        let steps = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard !steps.contains(""), let root = steps.first, MaskPath.roots.contains(root) else { return nil }
        self.text = text
        self.steps = steps
    }

    /// Where one is after a step to a member; empty: nowhere.
    func after(_ place: Int, key: String) -> [Int] {
        var places: [Int] = []
        var name = ""
        for end in place..<steps.count {
            name += end == place ? steps[end] : ".\(steps[end])"
            if name == key { places.append(end + 1) }
        }
        if place < steps.count, steps[place] == "*", key != "*" { places.append(place + 1) }
        return places
    }

    /// It may be the id of a message, by which it is known when it is due.
    var mayHideID: Bool {
        guard let last = steps.last, steps.first == "message" else { return false }
        return steps.count == 1 || last == "*" || last == "message" || last.lowercased().hasSuffix("id")
    }

    /// A member of a root, or all of the root.
    func covers(_ root: String, _ key: String) -> Bool {
        after(0, key: root).contains { $0 == steps.count || after($0, key: key).contains(steps.count) }
    }

    func after(_ place: Int, index: Int) -> [Int] {
        place < steps.count && (steps[place] == "*" || steps[place] == String(index)) ? [place + 1] : []
    }
}
