// `rulehost audit`: who changed what in a store by hand, when, and why.
import EffectStore
import JSONDocument
import PushMessage

extension Verb {
    static let audit = Verb(
        name: "audit", summary: "tells who changed rules or state of a host, when, and why",
        operands: "",
        details: [
            "The newest entry comes first. What rules do by themselves is not in it, and no value that was stored."
        ],
        flags: [.store] + Flag.ofRemoteHost + [.onlyApp, .newest],
        formats: [.human, .json],
        examples: [
            Example(command: "rulehost audit --store sqlite:rulehost.db --app chat", meaning: "Who was it?"),
            Example(command: "rulehost audit --host http://127.0.0.1:8080", meaning: "The same of a host that runs"),
        ],
        run: { (arguments, console) throws(CommandFault) -> ExitCode in
            if let word = arguments.operands.first { throw .unexpectedOperand(word, verb: "audit") }
            let count = try arguments.integer(.newest) ?? 50
            guard count > 0 else {
                throw .invalidValue(flag: Flag.newest.name, value: "\(count)", expected: "a whole number from 1 on", suggestion: nil)
            }
            let entries: [AuditEntry]
            switch try WorkPlace.needed(by: "audit", arguments) {
            case .store(let place):
                let view = try place.view()
                entries = try StorePlace.ask { () throws(EffectStoreFault) in try view.audit(newest: count, of: arguments[.app]) }
            case .host(let host): entries = try host.audit(newest: count, of: arguments[.app])
            }
            if arguments.format == .json {
                console.write(JSONRows.document(of: entries) { entry, writer in entry.write(to: &writer) })
            } else {
                var table = PlainTable(columns: 6)
                for entry in entries {
                    table.add([entry.deed.at.text, entry.deed.who, entry.app, entry.action, entry.subject, entry.deed.why])
                }
                console.write(entries.isEmpty ? "nobody changed anything\n" : table.text)
            }
            return .done
        })
}

extension AuditEntry {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        let values = [
            ("at", deed.at.text), ("who", deed.who), ("app", app), ("action", action), ("subject", subject), ("why", deed.why),
        ]
        for (key, value) in values {
            writer.key(key)
            writer.string(value)
        }
        writer.endObject()
    }
}
