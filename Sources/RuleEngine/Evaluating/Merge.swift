// What the rules of one evaluation come to, field by field. Display follows its own order - suppress beats defer beats
// show, whoever comes first - and everything else goes to the first rule that sets it. A rule that overrides replaces
// what stands there. Holds views only; a loser costs nothing.
import JSONDocument

struct Merge {
    /// The winners' values. `values.fields` says which were set.
    private(set) var values = Contribution()
    /// Places of the winning rules in the run, -1 for none.
    private(set) var displayRule = -1
    private(set) var reasonRule = -1
    private(set) var badgeRule = -1
    private(set) var routeRule = -1
    /// The winner of every field, in the order of `ContributionFields.named`; only when the run is traced.
    private(set) var winners: [Int]?

    init(tracing: Bool) {
        if tracing { winners = [Int](repeating: -1, count: ContributionFields.named.count) }
    }

    var fields: ContributionFields { values.fields }

    /// - Parameter rule: the rule's place in the run.
    mutating func add(_ contribution: borrowing Contribution, of rule: Int, overriding: Bool) {
        addDisplay(contribution, of: rule, overriding: overriding)
        let offered = contribution.fields.subtracting(.ofDisplay)
        let taken = overriding ? offered : offered.subtracting(values.fields)
        guard !taken.isEmpty else { return }
        take(taken, from: contribution)
        if taken.contains(.badge) { badgeRule = rule }
        if taken.contains(.route) { routeRule = rule }
        note(taken, rule)
    }

    private mutating func addDisplay(_ contribution: borrowing Contribution, of rule: Int, overriding: Bool) {
        let offered = contribution.fields.intersection(.ofDisplay)
        guard !offered.isEmpty else { return }
        let isFirst = !values.fields.contains(.display)
        var taken = offered
        if offered.contains(.display) {
            let rank = contribution.action.rank
            if isFirst || overriding || rank > values.action.rank {
                values.fields.subtract(.ofDisplay)
                values.action = contribution.action
                values.options = contribution.options
                displayRule = rule
                forgetDisplayWinners()
            } else if rank == values.action.rank {
                taken.subtract(values.fields)
            } else {
                return
            }
        } else {
            // A reason alone speaks for what is shown by default; a later display brings its own.
            guard isFirst else { return }
            taken.subtract(values.fields)
        }
        if taken.contains(.reason) {
            values.reason = contribution.reason
            values.detail = contribution.detail
            reasonRule = rule
        }
        if taken.contains(.holdUntil) { values.holdUntil = contribution.holdUntil }
        if taken.contains(.pin) { values.pin = contribution.pin }
        values.fields.formUnion(taken)
        note(taken, rule)
    }

    private mutating func take(_ taken: ContributionFields, from contribution: borrowing Contribution) {
        values.fields.formUnion(taken)
        if taken.contains(.badge) { values.badge = contribution.badge }
        if taken.contains(.route) { values.route = contribution.route }
        if taken.contains(.topics) { values.topics = contribution.topics }
        if taken.contains(.fetchResult) { values.fetchResult = contribution.fetchResult }
        if taken.contains(.inbox) { values.inbox = contribution.inbox }
        if taken.contains(.labels) { values.labels = contribution.labels }
        guard !taken.isDisjoint(with: .ofContent) else { return }
        if taken.contains(.title) { values.title = contribution.title }
        if taken.contains(.subtitle) { values.subtitle = contribution.subtitle }
        if taken.contains(.body) { values.body = contribution.body }
        if taken.contains(.sound) { values.sound = contribution.sound }
        if taken.contains(.category) { values.category = contribution.category }
        if taken.contains(.thread) { values.thread = contribution.thread }
        if taken.contains(.interruptionLevel) { values.interruptionLevel = contribution.interruptionLevel }
        if taken.contains(.relevance) { values.relevance = contribution.relevance }
        if taken.contains(.attachments) { values.attachments = contribution.attachments }
    }

    private mutating func note(_ taken: ContributionFields, _ rule: Int) {
        guard winners != nil else { return }
        for (place, entry) in ContributionFields.named.enumerated() where taken.contains(entry.field) {
            winners?[place] = rule
        }
    }

    private mutating func forgetDisplayWinners() {
        guard winners != nil else { return }
        for (place, entry) in ContributionFields.named.enumerated()
        where ContributionFields.ofDisplay.contains(entry.field) {
            winners?[place] = -1
        }
    }
}

extension ContributionFields {
    static let ofDisplay: ContributionFields = [.display, .reason, .holdUntil, .pin]
    static let ofContent: ContributionFields = [
        .title, .subtitle, .body, .sound, .category, .thread, .interruptionLevel, .relevance, .attachments,
    ]
}
