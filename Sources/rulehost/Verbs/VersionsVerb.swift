// `rulehost versions`: the rulesets that a host has kept, and which of them is in force where.
import EffectStore
import JSONDocument
import PushMessage

extension Verb {
    static let versions = Verb(
        name: "versions", summary: "lists the rulesets that a host has kept, and which one is in force on each stage",
        operands: "",
        details: [
            "The newest of each app comes first. A version is named by the hash of its files, as every decision names it.",
            "Of a host that runs and tries a version on some recipients, it tells what was decided for them and for all others since then.",
        ],
        flags: [.store] + Flag.ofRemoteHost + [.onlyApp],
        formats: [.human, .json],
        examples: [
            Example(command: "rulehost versions --store sqlite:rulehost.db --app chat", meaning: "What was in force, and since when?"),
            Example(command: "rulehost versions --host unix:/run/rulehost.sock", meaning: "Of all apps of a host that runs"),
        ],
        run: { (arguments, console) throws(CommandFault) -> ExitCode in
            if let word = arguments.operands.first { throw .unexpectedOperand(word, verb: "versions") }
            let versions: [StoredVersion]
            var canaries: [CanaryReport] = []
            switch try WorkPlace.needed(by: "versions", arguments) {
            case .store(let place):
                let view = try place.view()
                versions = try StorePlace.ask { () throws(EffectStoreFault) in try view.versions(of: arguments[.app]) }
            case .host(let host):
                versions = try host.versions(of: arguments[.app])
                if arguments.format != .json { canaries = try host.canaries(among: versions) }
            }
            if arguments.format == .json {
                console.write(JSONRows.document(of: versions) { version, writer in version.write(to: &writer) })
            } else {
                var table = PlainTable(columns: 5)
                for version in versions {
                    table.add([
                        version.app, version.hash, version.at.text, version.who, (version.stages + [version.why]).joined(separator: "  "),
                    ])
                }
                console.write(versions.isEmpty ? "no version is kept\n" : table.text)
                for canary in canaries { console.write(canary.text) }
            }
            return .done
        })
}

extension StoredVersion {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        for (key, value) in [("app", app), ("hash", hash), ("at", at.text), ("who", who), ("why", why)] {
            writer.key(key)
            writer.string(value)
        }
        writer.key("stages")
        writer.beginArray()
        for stage in stages { writer.string(stage) }
        writer.endArray()
        writer.endObject()
    }
}
