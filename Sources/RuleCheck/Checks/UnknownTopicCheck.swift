// A topic that is written out in a rule and that app.lua, which lists topics, does not list.
import RuleEngine

extension Check {
    static let unknownTopic = Check("unknown_topic", .warning) { app, findings in
        guard let templates = app.manifest?.topics, !templates.isEmpty else { return }
        func look(_ rule: CheckedRule, _ topic: String?, at offset: Int?) {
            guard let topic, !templates.contains(where: { $0.matches(topic) }) else { return }
            findings.tell(
                rule, at: offset, "app.lua lists no topic \"\(topic)\"",
                hint: UnlistedName.hint(for: topic, among: templates.map(\.text)))
        }
        for rule in app.rules {
            for (place, topic) in (rule.matcher(.topic) ?? []).enumerated() {
                look(rule, topic, at: rule.offset(of: "topic", "\(place + 1)"))
            }
            for wish in rule.writtenWishes {
                guard let table = wish["topics"]?.value.followed.table else { continue }
                for list in ["subscribe", "unsubscribe"] {
                    for item in table.item(list)?.value.followed.table?.listed ?? [] {
                        look(rule, item.value.followed.text, at: item.offset)
                    }
                }
                for operation in table.listed {
                    let topic = operation.value.followed.table?.item("topic")
                    look(rule, topic?.value.followed.text, at: topic?.value.start)
                }
            }
        }
    }
}
