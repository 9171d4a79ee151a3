// `rulehost matrix`: one message on every phone that could get it. Combining and merging is RuleLab's business; this is told
// what to vary and answers in the form that was asked for.
import RuleLab

extension Verb {
    static let matrix = Verb(
        name: "matrix", summary: "decides one message in every situation: a table, and which inputs matter",
        operands: "[MESSAGE | -]",
        details: [
            "Decides one message in every combination of the app's state, its screen, the permission, the switch of the app, and the switch of the message's channel. What is answered alike becomes one row, and inputs that never matter are left out, so that a few rows say what hundreds of combinations would.",
            "Screens are the tabs that app.lua lists, and those that the rules lead to when this message is tapped. Another screen of the same kind is added as “another”.",
            "--vary takes a field of the phone, a channel's switch, now or event, and the values it takes in turn: --vary locale=ko-KR,en-US, --vary channel.offers=on,off, --vary screen=home,chat/room-1, --vary now=08:00,22:00, --vary event=present,open. null is what nobody knows; lists are JSON, topics=[\"news\"],[]. It may be given several times; of state, screen, permission and switches it says which values are tried.",
            "The other flags are those of eval: --device is the phone before anything is varied, and --state, --tab, --path, --permission and --set hold an input fast, so that it is not varied. Every combination starts from the same state; nothing is remembered.",
            "--format json writes the table, ndjson every combination by itself, one a line, csv the table for a spreadsheet, html a page. At most \(Figures.grouped(Matrix.most)) combinations are decided.",
        ],
        flags: [.app, .vary, .device] + Flag.shortcuts + [.now, .event, .messageFormat, .stateFile, .isolation, .html],
        formats: [.human, .json, .ndjson, .csv, .html],
        examples: [
            Example(
                command: "rulehost matrix --app chat examples/messages/chat-fcm-v1.json",
                meaning: "When is this message shown, and when not?"),
            Example(
                command: "rulehost matrix --app chat --event open examples/messages/chat-fcm-v1.json",
                meaning: "Where does a tap on it lead?"),
            Example(
                command: "rulehost matrix --app chat --state background --vary now=07:59,08:00,21:00 examples/messages/chat-apns.json",
                meaning: "Does the hour matter?"),
            Example(
                command: "rulehost matrix --app topics --vary os=ios,android --format csv examples/messages/silent-nested.json > table.csv",
                meaning: "For a spreadsheet, on both systems"),
            Example(
                command: "rulehost matrix --app chat --html matrix.html examples/messages/chat-fcm-v1.json",
                meaning: "As a page, for a meeting"),
        ],
        run: { (arguments, console) throws(CommandFault) -> ExitCode in
            let options = try MatrixOptions(arguments, inputIsTerminal: console.inputIsTerminal)
            return try MatrixSession(options, console).run()
        })
}

extension Flag {
    static let vary = Flag(
        "vary", .required("FIELD=A,B,C", .text), repeats: true,
        "Also try these values: a field of the phone, channel.CODE, now, event; may be repeated")
}
