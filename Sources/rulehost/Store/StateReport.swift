// What a change of state has changed, or would: for people, and as JSON. Made by StateSession, written before and after it changes
// something alike.
import JSONDocument
import RuleStore

struct StateReport {
    let app: String
    /// nil: what the app shares, or everybody.
    let recipient: String?
    let isDry: Bool
    let difference: StateDifference
    /// What was there nobody can read, and it is forgotten.
    let isUnreadable: Bool
    /// Those to requests with a key of their own that are forgotten.
    let answers: Int

    /// Nothing changes.
    var isEmpty: Bool { difference.changes.isEmpty && !isUnreadable && answers == 0 }

    func tell(_ console: Console, _ format: OutputFormat) {
        if format == .json { return console.write(JSONLayout.document(json)) }
        guard !isEmpty else { return console.write("nothing changes\n") }
        if isUnreadable {
            let whose = recipient.map { " of recipient \"\($0.printable)\"" } ?? ""
            say(
                "what was kept\(whose) could not be read, and is forgotten",
                dry: "what is kept\(whose) cannot be read, and would be forgotten", console)
        }
        let count = difference.changes.count
        if count > 0 {
            let words = count == 1 ? "1 value" : "\(Figures.grouped(count)) values"
            say("\(words) changed", dry: "\(words) would change", console)
        }
        for line in difference.lines(console.ink) { console.write(line + "\n") }
        if answers > 0 {
            let words = answers == 1 ? "1 kept answer" : "\(Figures.grouped(answers)) kept answers"
            say("\(words) forgotten", dry: "\(words) would be forgotten", console)
        }
    }

    private func say(_ done: String, dry: String, _ console: Console) {
        console.write("\(app.printable): \(isDry ? "\(dry); nothing was written" : done)\n")
    }

    private var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("app")
        writer.string(app)
        writer.key("dry_run")
        writer.bool(isDry)
        if isUnreadable {
            writer.key("unreadable")
            writer.bool(true)
        }
        writer.key("changes")
        difference.write(to: &writer)
        if answers > 0 {
            writer.key("answers")
            writer.integer(answers)
        }
        writer.endObject()
        return writer.bytes
    }
}
