// `rulehost backup`: a copy of a store as it is at one moment, also while a host writes it.
import EffectStore

extension Verb {
    static let backup = Verb(
        name: "backup", summary: "copies the store of a host, also while it runs",
        operands: "TARGET",
        details: [
            "The copy is as the store was at one moment, is looked through, and gets its name only when it is whole. It is a store as any other. TARGET must not be there yet: a backup never takes the place of anything."
        ],
        flags: [.store] + Flag.ofRemoteHost,
        examples: [
            Example(
                command: "rulehost backup --store sqlite:rulehost.db rulehost-$(date +%F).db", meaning: "Every night"),
            Example(
                command: "rulehost backup --host https://rules.example:8443 --token-file token monday.db", meaning: "From another machine"),
        ],
        run: { (arguments, console) throws(CommandFault) -> ExitCode in
            guard let target = arguments.operands.first else {
                throw .missingOperand(verb: "backup", operands: "the name of a file that is not there yet")
            }
            if arguments.operands.count > 1 { throw .unexpectedOperand(arguments.operands[1], verb: "backup") }
            let bytes: Int
            switch try WorkPlace.needed(by: "backup", arguments) {
            case .store(let place):
                bytes = try StorePlace.ask { () throws(EffectStoreFault) in try Backup.make(of: place.path, to: target) }
            case .host(let host): bytes = try host.backup(to: target)
            }
            if !console.isQuiet { console.write("\(target.printable): \(Figures.grouped(bytes)) bytes, looked through\n") }
            return .done
        })
}
