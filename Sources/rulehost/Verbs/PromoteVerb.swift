// `rulehost promote` and `rulehost rollback`: which version of an app is on which stage, in a store that no host has at the moment, or of a
// host that runs. What that means is RuleHosting's business.
import EffectStore
import JSONDocument
import RuleHosting

extension Verb {
    static let promote = Verb(
        name: "promote", summary: "brings a version of an app's rules to a stage, for all recipients or for some",
        operands: "APP HASH",
        details: [
            "A host of that stage (serve --stage) serves the version: with --host from the next message on, with --store when it starts. HASH is the name of a version as `versions` lists it; its first four digits are enough. The version must load.",
            "With --percent the version that is there stays, and so many of a hundred recipients get the other one. Who is in is told by a hash of app, version and recipient: everybody keeps what he has, also when the share grows. Promoting without --percent ends it, and so does rollback.",
            "With --store the store must be free: a running host keeps others out, and is asked with --host. Who, when and why stands in the audit; of a host that runs, who is whose token it is.",
        ],
        flags: [.store] + Flag.ofRemoteHost + [.stageOfStore, .percent, .who, .why],
        formats: [.human, .json],
        examples: [
            Example(
                command: "rulehost promote chat 3f9a01c2d4e5 --stage production --store sqlite:rulehost.db --why 'cases pass, QA agrees'",
                meaning: "From the next start on"),
            Example(
                command: "rulehost promote chat 3f9a --stage production --host https://rules.example:8443 --token-file token",
                meaning: "From the next message on"),
            Example(
                command: "rulehost promote chat 3f9a --stage production --percent 5 --store sqlite:rulehost.db",
                meaning: "First for one recipient of twenty"),
        ],
        run: { (arguments, console) throws(CommandFault) -> ExitCode in
            guard arguments.operands.count > 1 else {
                throw .missingOperand(verb: "promote", operands: "the app, and the hash of a version")
            }
            let (app, hash) = (arguments.operands[0], arguments.operands[1])
            let percent = try arguments.integer(.percent)
            if let percent, !(1...99).contains(percent) {
                throw .invalidValue(flag: Flag.percent.name, value: "\(percent)", expected: "a number from 1 to 99", suggestion: nil)
            }
            return try StageSession(arguments, console, verb: "promote", operands: 2).run(app, hash: hash, percent: percent) {
                (desk, stage, deed) throws(HostProblem) in
                try desk.promote(app: app, hash: hash, to: stage, percent: percent, deed)
            }
        })

    static let rollback = Verb(
        name: "rollback", summary: "goes back to the version that was on a stage before",
        operands: "APP",
        details: [
            "A version that is tried on some recipients is given up first, and that is all. Otherwise the version is taken that was kept before the one in force, of those that were on the stage: twice goes back two.",
            "With --store the store must be free: a running host keeps others out, and is asked with --host. Who, when and why stands in the audit; of a host that runs, who is whose token it is.",
        ],
        flags: [.store] + Flag.ofRemoteHost + [.stageOfStore, .who, .why],
        formats: [.human, .json],
        examples: [
            Example(
                command: "rulehost rollback chat --stage production --store sqlite:rulehost.db --why 'too many banners'",
                meaning: "From the next start on")
        ],
        run: { (arguments, console) throws(CommandFault) -> ExitCode in
            guard let app = arguments.operands.first else { throw .missingOperand(verb: "rollback", operands: "the app") }
            return try StageSession(arguments, console, verb: "rollback", operands: 1).run(app, hash: nil, percent: nil) {
                (desk, stage, deed) throws(HostProblem) in
                try desk.rollback(app: app, stage: stage, deed)
            }
        })
}

private struct StageSession {
    private let arguments: Arguments
    private let console: Console
    private let place: WorkPlace
    private let stage: String

    init(_ arguments: Arguments, _ console: Console, verb: String, operands: Int) throws(CommandFault) {
        self.arguments = arguments
        self.console = console
        guard arguments.operands.count <= operands else { throw .unexpectedOperand(arguments.operands[operands], verb: verb) }
        place = try WorkPlace.needed(by: verb, arguments)
        guard let stage = arguments[.stageOfStore] else {
            throw .missingOperand(verb: verb, operands: "--stage STAGE: the one that the host serves, draft where it serves its folder")
        }
        self.stage = stage
    }

    /// - Parameter hash: nil: back to the one before.
    func run(
        _ app: String, hash: String?, percent: Int?, _ change: (VersionDesk, String, Deed) throws(HostProblem) -> StageChange
    ) throws(CommandFault) -> ExitCode {
        let deed = try Deed(arguments)
        switch place {
        case .store(let place): tell(app, try move(in: place, deed, change), percent)
        case .host(let host):
            try host.refuse(.who, arguments)
            let (change, note) = try host.move(app: app, to: stage, hash: hash, percent: percent, why: deed.why)
            tell(app, change, percent)
            if let note, !console.isQuiet { console.warn(note.printable) }
        }
        return .done
    }

    private func move(
        in place: StorePlace, _ deed: Deed, _ change: (VersionDesk, String, Deed) throws(HostProblem) -> StageChange
    ) throws(CommandFault) -> StageChange {
        // Nobody makes a store by asking for what is in it.
        _ = try place.view()
        let store = try place.host()
        defer { store.close() }
        do throws(HostProblem) {
            return try change(VersionDesk(store), stage, deed)
        } catch {
            throw .versions(error)
        }
    }

    private func tell(_ app: String, _ change: StageChange, _ percent: Int?) {
        let (hash, ended) = (change.hash, change.endedCanary)
        if arguments.format == .json {
            var writer = JSONWriter()
            writer.beginObject()
            for (key, text) in [("app", app), ("stage", stage), ("hash", hash)] {
                writer.key(key)
                writer.string(text)
            }
            if let percent {
                writer.key("percent")
                writer.integer(percent)
            }
            ended?.write(as: "ended_canary", into: &writer)
            writer.endObject()
            console.write(String(decoding: writer.bytes, as: UTF8.self) + "\n")
        } else if let percent {
            console.write("\(app): \(hash) is on \(stage) for \(percent) of 100 recipients".printable + "\n")
        } else {
            console.write("\(app): \(hash) is on \(stage)\(told(ended, beside: hash))".printable + "\n")
        }
    }

    /// Whoever goes back hears that only a trial has ended: going back once more is what changes the version of all.
    private func told(_ ended: Canary?, beside hash: String) -> String {
        guard let ended else { return "" }
        return ended.ruleset == hash ? " for all recipients" : ", also for the \(ended.percent) of 100 recipients who had \(ended.ruleset)"
    }
}
