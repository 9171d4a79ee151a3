// A function asks for the message, or for a detail, at events that never have it.
import RuleEngine
import RuleReference

extension Check {
    static let neverThere = Check("never_there", .warning) { app, findings in
        for found in app.expressions {
            let (file, rule, expression) = (found.file, found.rule, found.expression)
            guard let rule, case .index(let object, let key, let offset) = expression, let name = key.text,
                object.path?.root == .view("msg"), object.path?.keys == [], !["data", "raw", "lint"].contains(name),
                Reference.table(named: "msg")?[name] != nil
            else { continue }
            let events = app.events(of: rule, in: file)
            guard events.allSatisfy({ !$0.hasMessage }) else { continue }
            let names = EventName.allCases.filter(events.contains).map { "`\($0.rawValue)`" }.joined(separator: ", ")
            findings.tell(
                file, at: offset, "`msg.\(name)` is always nil here: \(names) \(events.count == 1 ? "comes" : "come") without a message",
                hint: "ask device or event, or keep what the message said with state.set at an event that has one", rule: rule.name)
        }
    }
}

extension EventName {
    /// Something has been sent, and rules see it.
    var hasMessage: Bool {
        switch self {
        case .send, .enrich, .receive, .present, .open, .due: true
        case .resume, .token, .account, .settings: false
        }
    }
}
