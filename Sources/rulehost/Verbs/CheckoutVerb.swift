// `rulehost checkout`: the files of a version that a host has kept, as a folder of rules that every other verb takes. It touches nothing
// that is there.
import EffectStore
import JSONDocument
import PushMessage
import RuleEngine
import RuleHosting
import RuleStore

extension Verb {
    static let checkout = Verb(
        name: "checkout", summary: "writes the files of a kept version into a folder of rules",
        operands: "APP HASH",
        details: [
            "Makes FOLDER/APP, and FOLDER/_shared with the modules of all apps that the version uses. FOLDER may be there; the app in it, and what is shared, may not: nothing is touched. HASH is the name of a version as `versions` lists it; its first four digits are enough.",
            "A version is what decides. Cases belong to no version, and are not in it.",
            "To go on from an older version, look at it (`eval --rules FOLDER`), compare it (`diff FOLDER rules`), and copy it over the app's folder. To have it decide again at once, `promote` it.",
        ],
        flags: [.store] + Flag.ofRemoteHost + [.into],
        formats: [.human, .json],
        examples: [
            Example(
                command: "rulehost checkout chat 3f9a --into before --store sqlite:rulehost.db",
                meaning: "before/chat has the files of the version"),
            Example(
                command: "rulehost checkout chat 3f9a --into before --host unix:/run/rulehost.sock", meaning: "Of a host that runs"),
        ],
        run: { (arguments, console) throws(CommandFault) -> ExitCode in
            guard arguments.operands.count > 1 else {
                throw .missingOperand(verb: "checkout", operands: "the app, and the hash of a version")
            }
            if arguments.operands.count > 2 { throw .unexpectedOperand(arguments.operands[2], verb: "checkout") }
            guard let folder = arguments[.into] else {
                throw .missingOperand(verb: "checkout", operands: "--into FOLDER: where the app's folder is to be made")
            }
            let (app, wanted) = (arguments.operands[0], arguments.operands[1])
            let (hash, files): (String, [SourceFile])
            switch try WorkPlace.needed(by: "checkout", arguments) {
            case .store(let place): (hash, files) = try kept(of: app, wanted, in: place)
            case .host(let host): (hash, files) = try host.files(of: app, version: wanted)
            }
            let written: [String]
            do throws(StoreFault) {
                written = try RulesFolder(path: folder).makeVersion(of: app, files)
            } catch {
                throw .store(error)
            }
            tell(app, hash, written, arguments, console)
            return .done
        })

    private static func kept(of app: String, _ wanted: String, in place: StorePlace) throws(CommandFault) -> (String, [SourceFile]) {
        let view = try place.view()
        let versions = try StorePlace.ask { () throws(EffectStoreFault) in try view.versions(of: app) }
        let hash: String
        do throws(HostProblem) {
            hash = try VersionDesk.find(wanted, among: versions, of: app)
        } catch {
            throw .versions(error)
        }
        return (hash, try StorePlace.ask { () throws(EffectStoreFault) in try view.files(app: app, hash: hash) })
    }

    private static func tell(_ app: String, _ hash: String, _ written: [String], _ arguments: Arguments, _ console: Console) {
        if arguments.format == .json {
            var writer = JSONWriter()
            writer.beginObject()
            for (key, text) in [("app", app), ("hash", hash)] {
                writer.key(key)
                writer.string(text)
            }
            writer.key("files")
            writer.beginArray()
            for path in written { writer.string(path) }
            writer.endArray()
            writer.endObject()
            return console.write(String(decoding: writer.bytes, as: UTF8.self) + "\n")
        }
        for path in written { console.write("\(console.ink.paint("made", .good)) \(path.printable)\n") }
    }
}
