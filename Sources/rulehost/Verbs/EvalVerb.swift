// `rulehost eval`: the dry run. What it is asked is EvalOptions, what it does EvalSession, how it answers EvalWriter.
import JSONDocument
import RuleEngine
import RuleStore

extension Verb {
    static let eval = Verb(
        name: "eval", summary: "shows what a message would do, and why, without doing it",
        operands: "[MESSAGE… | -]",
        details: [
            "Reads push messages (FCM v1, FCM legacy, APNs, the iOS userInfo, CloudEvents), asks the app's rules, and answers for every event that the message causes on the phone: its journey. A MESSAGE is a file, - for standard input, or JSON that begins with {. Without one, standard input is read; events that happen without a message (resume, due, account, token, settings) read it only as -.",
            "The phone is what --device says; the flags from --state to --set are laid over it. Nothing is remembered: each message starts from the same state. With --apply the effects are carried from message to message and written to that file at the end; a file that is not there yet is made. --store reads what a host remembers of the recipient, also beside a running one, and writes nothing there.",
            "Human output draws the phone. --format json writes a list of decisions, or one decision with --event; several messages give one line each. A file that ends in .ndjson or .jsonl, or several lines of JSON on standard input, are read as one message a line and answered line by line, in order; a line that cannot be read is reported with its number, and the rest goes on.",
            "--fetch also tries to fetch each picture that would be attached, as a phone would: over https, in the time and up to the size that a phone allows, and from public addresses only. What comes is looked at and thrown away; whether it is shown, or the text alone and why, is part of the answer. Without --fetch nothing goes over the network.",
            "--trace names every rule that was looked at, and why it matched or not. --trace=lines also shows each line of its functions that ran, with the fields and state that the line read or wrote and with what was returned; a line that ran often is shown once, with its count. In JSON both stand in `trace`. The answer is the same with and without.",
            "--isolation process runs the rules in a process that has no files, no network and nothing else, and is ended when it does not answer. The answers are the same; a rule that ends the process costs its message the app's answer for errors.",
            "--emit payload writes the message in its own format with the decision applied, also what an enrich makes of it, and nothing for a message that is not shown; with --format json or ndjson the decision is written, and the payload stands in it. Decisions on send always have it there.",
        ],
        flags: [.app, .device] + Flag.shortcuts + [
            .now, .event, .messageFormat, .stateFile, .storeForEval, .apply, .trace, .emit, .fetch, .usage, .isolation,
        ],
        formats: [.human, .json, .ndjson],
        examples: [
            Example(
                command: "rulehost eval --app chat --state foreground --tab chat examples/messages/chat-fcm-v1.json",
                meaning: "Is the banner shown while the chat tab is open?"),
            Example(
                command: "rulehost eval --app chat --state terminated --tap examples/messages/chat-fcm-v1.json",
                meaning: "Where does a tap lead when the app is not running?"),
            Example(
                command: "rulehost eval --app chat --trace '{\"aps\":{\"alert\":\"hello\"}}'",
                meaning: "Which rules were asked, and what did each of them say?"),
            Example(
                command: "rulehost eval --app chat --state foreground --trace=lines examples/messages/chat-fcm-v1.json",
                meaning: "Which lines of them ran, and what did they see?"),
            Example(
                command: "rulehost eval --app pictures --fetch examples/messages/picture.json",
                meaning: "Can the picture be fetched, and what is it?"),
            Example(
                command: "rulehost eval --app chat --event send --emit payload < out.ndjson > filtered.ndjson",
                meaning: "Decide and rewrite a stream of outgoing messages"),
            Example(
                command: "rulehost eval --app chat --apply state.json examples/messages/chat-fcm-v1.json",
                meaning: "Remember what the message changed, for the next call"),
        ],
        run: { (arguments, console) throws(CommandFault) -> ExitCode in
            let options = try EvalOptions(arguments, inputIsTerminal: console.inputIsTerminal)
            let phone = try DeviceDocument(options.device)
            let folder = RulesFolder(path: arguments.rulesFolder)
            let evaluator = try AppLoading.evaluator(
                of: options.app, in: folder, Isolation(arguments), telling: RuleNotices(folder: folder, console: console))
            for warning in UnlistedNames.warnings(on: options.device, options.event?.event, in: evaluator.ruleset.manifest) {
                console.warn(warning)
            }
            let remembered = try options.store.map { place throws(CommandFault) in
                try place.state(of: evaluator.ruleset.app, recipient: phone.device.recipient?.string ?? "")
            }
            let store = try StateStore(file: options.stateFile, target: options.applyFile, host: remembered)
            let pictures = options.fetchesPictures ? try PictureCheck() : nil
            let session = EvalSession(options, evaluator, phone: phone, state: store.state, pictures: pictures, console)
            let writer = EvalWriter(options, session: session, rulesFolder: folder.path, console)
            let start = ProgressBar.now()
            do throws(CommandFault) {
                try session.run(writer.write)
            } catch {
                // What was answered stands, and what it changed is kept.
                try store.save(session.finishAnswers())
                throw error
            }
            try store.save(session.finishAnswers())
            writer.finish(seconds: Double(ProgressBar.now() - start) / 1e9)
            return session.worst
        })
}
